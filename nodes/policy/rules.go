package policy

import (
	"fmt"

	"github.com/casys-ai/pml/nodes"
)

// Rules are what the user has laid down: which calls are permitted, and what is known about tools.
type Rules struct {
	// Allow, Deny and Ask are `permissions` of .pml.json. Order: deny, allow, ask, then ask by default.
	Allow, Deny, Ask []Rule
	// Effects are `effects` of .pml.json; the first that covers a tool counts.
	Effects []EffectRule
}

// Rule covers the tools that a pattern names, `server:tool` with `*`; with a condition only some calls of them. Make
// one with NewRule.
type Rule struct {
	// Tool is the pattern. A pattern without a colon means all tools of the servers that it names.
	Tool string
	// When is the condition in expr-lang, "" for none. It sees tool, args, route and effect.
	When string

	condition *condition
}

// NewRule makes a Rule. The error says what is wrong with the pattern or the condition.
func NewRule(tool, when string) (Rule, error) {
	r := Rule{Tool: tool, When: when}
	if err := CheckPattern(tool); err != nil {
		return r, err
	}
	if when == "" {
		return r, nil
	}
	c, err := compileCondition(when)
	r.condition = c
	return r, err
}

// Decision is what the rules say about a call.
type Decision struct {
	Permission nodes.Permission
	// Rule is the rule that decided, as people read it: "allow fs:*"; "" for the default.
	Rule string
	// Depends says that a rule's condition must be asked with the arguments; Permission is Ask then. Only Static sets it.
	Depends bool
	// Problem says why a condition could not be evaluated; "" if none failed. Such a call is never allowed unasked.
	Problem string
}

// outcome is what a rule says about a call.
type outcome uint8

const (
	no outcome = iota
	yes
	depends // only the arguments can tell
	failed  // the condition could not be evaluated
)

// judge is how rules are evaluated: with or without arguments.
type judge func(r *Rule) (outcome, error)

// Decide applies the rules to a call. args is the arguments as plain Go data: maps, slices and scalars.
func (r Rules) Decide(t *nodes.Tool, args any) Decision {
	return r.decide(t, func(rule *Rule) (outcome, error) {
		holds, err := rule.condition.holds(t, args)
		switch {
		case err != nil:
			return failed, err
		case holds:
			return yes, nil
		}
		return no, nil
	})
}

// Static is what can be said before the arguments are known: Ask with Depends set if they make a difference. A tool of
// which some calls would be denied is not denied.
func (r Rules) Static(t *nodes.Tool) Decision {
	return r.decide(t, func(*Rule) (outcome, error) { return depends, nil })
}

// decide applies the rules. A tool that is not what it was when it was allowed is asked about.
func (r Rules) decide(t *nodes.Tool, j judge) Decision {
	d := r.apply(t, j)
	if t.Changed != "" && d.Permission != nodes.Deny {
		d.Permission, d.Problem = nodes.Ask, t.Changed
	}
	return d
}

func (r Rules) apply(t *nodes.Tool, j judge) Decision {
	lists := [...]struct {
		rules      []Rule
		permission nodes.Permission
	}{{r.Deny, nodes.Deny}, {r.Allow, nodes.Allow}, {r.Ask, nodes.Ask}}
	var undecided Decision
	for _, l := range lists {
		for i := range l.rules {
			rule := &l.rules[i]
			if !Matches(rule.Tool, t.ID) {
				continue
			}
			d, decided := rule.apply(l.permission, j)
			if decided {
				return d
			}
			if d.Problem != "" {
				undecided = d
			}
		}
	}
	return undecided
}

// apply is what one rule that covers the tool decides. A condition that fails never permits: a denial becomes a
// question, an allowance is passed over.
func (r *Rule) apply(p nodes.Permission, j judge) (Decision, bool) {
	text := p.String() + " " + r.String()
	if r.When == "" {
		return Decision{Permission: p, Rule: text}, true
	}
	result, err := j(r)
	switch result {
	case yes:
		return Decision{Permission: p, Rule: text}, true
	case depends:
		return Decision{Permission: nodes.Ask, Rule: text, Depends: true}, true
	case failed:
		problem := fmt.Sprintf("the condition of %q failed: %v", text, err)
		return Decision{Permission: nodes.Ask, Rule: text, Problem: problem}, p != nodes.Allow
	}
	return Decision{}, false
}

// String is the rule as people read it.
func (r Rule) String() string {
	if r.When == "" {
		return r.Tool
	}
	return r.Tool + " when " + r.When
}
