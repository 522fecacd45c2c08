module github.com/casys-ai/pml/bench/peers

go 1.26.0

require (
	github.com/alitto/pond/v2 v2.5.0
	github.com/casys-ai/pml v0.0.0
	github.com/heimdalr/dag v1.5.0
	github.com/noneback/go-taskflow v1.2.0
	github.com/sourcegraph/conc v0.3.0
	golang.org/x/sync v0.19.0
	gonum.org/v1/gonum v0.17.0
)

require (
	github.com/emirpasic/gods v1.18.1 // indirect
	github.com/google/uuid v1.6.0 // indirect
	go.uber.org/atomic v1.7.0 // indirect
	go.uber.org/multierr v1.9.0 // indirect
)

replace github.com/casys-ai/pml => ../..
