package value

// Rich is a Map, Set or Date: no plain data, but lifted code hands it on to lifted code. Who evaluates that code makes
// them; all others know them by their Parts.
type Rich interface {
	Value
	Parts() Parts
}

// Parts are what a Rich is made of.
type Parts struct {
	// Class is "Map", "Set" or "Date".
	Class string
	// Held are a Map's keys and values in turn, or what a Set holds, in their order.
	Held []Value
	// Time is a Date's, in ms since 1970; NaN if it is an invalid one.
	Time float64
}
