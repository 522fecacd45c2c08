module github.com/casys-ai/pml/bench/peers

go 1.26.0

require (
	github.com/alitto/pond/v2 v2.5.0 // indirect
	github.com/emirpasic/gods v1.18.1 // indirect
	github.com/google/uuid v1.3.0 // indirect
	github.com/heimdalr/dag v1.5.0 // indirect
	github.com/noneback/go-taskflow v1.2.0 // indirect
	github.com/sourcegraph/conc v0.3.0 // indirect
	golang.org/x/sync v0.19.0 // indirect
)
