# make build   bin/pml
# make run     the demonstration: plan and run fixtures/demo/report.ts on this repository
# make test    all tests
# make check   everything that must hold before a change goes in
# make bench   measure pml beside its peers and write bench/README.md; ONLY="noop pml" or ONLY=cloud prints a part
# make crash   kill runs at random moments, and take them up again

GO          ?= go
STATICCHECK ?= honnef.co/go/tools/cmd/staticcheck@v0.8.2
PLATFORMS   ?= linux/amd64 darwin/arm64 windows/amd64
MAX_MB      ?= 40
BUILD        = CGO_ENABLED=0 $(GO) build -trimpath -ldflags "-s -w"
DEMO         = fixtures/demo/report.ts

.DEFAULT_GOAL := build
.PHONY: build run test check bench crash fmt vet lint tidy law cross size share npm

build:
	$(BUILD) -o bin/pml ./cli/pml

run: export PML_WORKSPACE = $(CURDIR)
run: build
	bin/pml plan $(DEMO)
	bin/pml run --progress plain --no-input $(DEMO)

test: npm
	$(GO) test ./...

check: fmt vet lint tidy law cross size share test

bench:
	$(GO) run ./bench/cmd/pmlbench $(if $(ONLY),-only "$(ONLY)",-write bench)

# Kill pml at 500 random moments; CRASHES=50 for fewer.
crash:
	PML_CRASHES=$(or $(CRASHES),500) $(GO) test -count=1 -timeout 60m -run 'TestCrash$$' -v ./cli

# The parts of check.

fmt:
	@files=$$(git ls-files -co --exclude-standard '*.go' | xargs gofmt -l); \
	if [ -n "$$files" ]; then echo "gofmt would change:"; echo "$$files"; gofmt -d $$files; exit 1; fi

vet:
	$(GO) vet ./...

# staticcheck is a pinned Go program. Where it cannot be fetched the other checks still run.
lint:
	@if $(GO) run $(STATICCHECK) -version >/dev/null 2>&1; then echo staticcheck ./...; $(GO) run $(STATICCHECK) ./...; \
	else echo "!!! $(STATICCHECK) cannot be fetched: NOT linted"; fi

tidy:
	$(GO) mod tidy -diff

law:
	$(GO) test -count=1 -run 'TestImportLaw|TestSurroundings' .

cross:
	@for p in $(PLATFORMS); do echo "build $$p"; \
	GOOS=$${p%/*} GOARCH=$${p#*/} $(BUILD) -o /dev/null ./cli/pml || exit 1; done

size: build
	@bytes=$$(wc -c < bin/pml); echo "bin/pml: $$((bytes / 1048576)) MB of $(MAX_MB)"; \
	test $$bytes -lt $$(($(MAX_MB) * 1048576))

# How many of the tool calls are nodes of the graph, and not made by scripts. It may not fall.
share:
	@$(GO) test -count=1 -v -run TestShare ./planner | grep -e ' share ' -e '^---' -e '^FAIL'; \
	$(GO) test -run TestShare ./planner >/dev/null

# The real servers that some tests start.
npm:
	@if command -v npm >/dev/null; then \
	  if [ ! -e fixtures/npm/node_modules/.package-lock.json ] || \
	     [ fixtures/npm/package-lock.json -nt fixtures/npm/node_modules/.package-lock.json ]; then \
	    cd fixtures/npm && npm ci --no-fund --no-audit; fi; \
	else echo "!!! npm is not installed: the tests against real npm servers are SKIPPED"; fi
