package tool

// Args are the arguments of one call, already checked against the input schema.
type Args map[string]any

// Has says whether an argument was given.
func (a Args) Has(name string) bool { _, ok := a[name]; return ok }

// String is a string argument, or "" when absent.
func (a Args) String(name string) string { text, _ := a[name].(string); return text }

// Bool is a boolean argument, or false when absent.
func (a Args) Bool(name string) bool { on, _ := a[name].(bool); return on }

// Number is a number argument, or otherwise when absent.
func (a Args) Number(name string, otherwise float64) float64 {
	if number, ok := a[name].(float64); ok {
		return number
	}
	return otherwise
}

// Strings is an argument that is a list of strings.
func (a Args) Strings(name string) []string {
	list, _ := a[name].([]any)
	texts := make([]string, 0, len(list))
	for _, item := range list {
		if text, ok := item.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// Objects is an argument that is a list of objects.
func (a Args) Objects(name string) []Args {
	list, _ := a[name].([]any)
	objects := make([]Args, 0, len(list))
	for _, item := range list {
		if object, ok := item.(map[string]any); ok {
			objects = append(objects, object)
		}
	}
	return objects
}
