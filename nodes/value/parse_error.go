package value

import "strconv"

// fail records a SyntaxError at the current position. It gives nil, for a value method to return.
func (p *parser) fail(message string) Value {
	if p.err == nil {
		position := Length(p.text[:min(p.at, len(p.text))])
		p.err = syntaxError(message + " in JSON at position " + strconv.Itoa(position))
		if message == "Unexpected non-whitespace character after JSON" {
			p.err = syntaxError(message + " at position " + strconv.Itoa(position))
		}
	}
	return nil
}

// unexpected records the SyntaxError that V8 words by what stands at the current position.
func (p *parser) unexpected() Value {
	if p.at >= len(p.text) {
		p.err = syntaxError("Unexpected end of JSON input")
		return nil
	}
	switch c := p.text[p.at]; {
	case c == '"':
		return p.fail("Unexpected string")
	case c == '-' || (c >= '0' && c <= '9'):
		return p.fail("Unexpected number")
	}
	switch p.text {
	case "NaN", "Infinity", "undefined", "[object Object]":
		p.err = syntaxError(`"` + p.text + `" is not valid JSON`)
	default:
		p.err = syntaxError(p.unexpectedToken())
	}
	return nil
}

// unexpectedToken names the code unit at the current position and shows up to ten code units on either side.
func (p *parser) unexpectedToken() string {
	const context = 10
	position, length := Length(p.text[:p.at]), Length(p.text)
	message := "Unexpected token '" + Substring(p.text, position, position+1) + "', "
	if length <= 2*context {
		return message + `"` + p.text + `" is not valid JSON`
	}
	from, to := position-context, position+context
	before, after := `..."`, `"... is not valid JSON`
	if from < 0 {
		from, before = 0, `"`
	} else if to >= length {
		to, after = length, `" is not valid JSON`
	}
	return Concat(message, before, Substring(p.text, from, to), after)
}
