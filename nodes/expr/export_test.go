package expr

// LimitSteps sets how many steps a Run may take, and returns what sets it back.
func LimitSteps(n int) (restore func()) {
	was := maxSteps
	maxSteps = n
	return func() { maxSteps = was }
}
