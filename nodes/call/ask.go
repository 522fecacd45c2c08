package call

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/policy"
	"github.com/casys-ai/pml/nodes/value"
)

// Kind is what a Question asks.
type Kind string

// The kinds.
const (
	// MayCall asks whether the call may be made: Approve or Deny.
	MayCall Kind = "approve"
	// WhatHappened asks about a call that left before the run was interrupted, and of whose outcome nothing is known:
	// Retry, Succeeded or Failed.
	WhatHappened Kind = "uncertain"
	// NeedKey asks for a key that is not set: Approve when it is, or Deny.
	NeedKey Kind = "key"
)

// Question is put to a person before a call.
type Question struct {
	// ID names exactly this question: it is made of Kind, Path, Tool and Args, and is the same whenever the run is resumed.
	ID   string
	Kind Kind
	Path string
	Tool nodes.ToolID
	// Args is the JSON text that will be sent.
	Args []byte
	// Reason says why it is asked.
	Reason string
}

// Verdict is what a person decides.
type Verdict string

// The verdicts.
const (
	Deny      Verdict = "deny"
	Approve   Verdict = "approve"
	Retry     Verdict = "retry"     // make the call again
	Succeeded Verdict = "succeeded" // it has worked; do not make it again
	Failed    Verdict = "failed"    // it has failed; do not make it again
)

// Verdicts are those that answer a question of this kind.
func (k Kind) Verdicts() []Verdict {
	if k == WhatHappened {
		return []Verdict{Retry, Succeeded, Failed}
	}
	return []Verdict{Approve, Deny}
}

// Remember is how far an answer reaches beyond its question.
type Remember string

// How far.
const (
	Once       Remember = ""
	ForRun     Remember = "run"     // all calls of the tool in this run
	ForProject Remember = "project" // all calls of the tool in this project
)

// Answer is what a person says.
type Answer struct {
	Verdict Verdict
	// Result is, with Succeeded, the JSON text of what the tool gave, "" for nothing; with Failed the message.
	Result   string
	Remember Remember
	// By is who has decided, for the audit log: "terminal", "resume", "elicitation", ….
	By string
}

// Asker puts a question to a person and waits for the answer. An error is fatal for the run, except *ApprovalRequired:
// nobody can answer now.
type Asker interface {
	Ask(ctx context.Context, q Question) (Answer, error)
}

// ApprovalRequired is the error of a call that must be asked for while there is nobody to ask.
type ApprovalRequired struct {
	Question Question
}

// Error implements error.
func (e *ApprovalRequired) Error() string {
	return fmt.Sprintf("%s needs approval: %s", e.Question.Tool, e.Question.Reason)
}

// Book is what earlier attempts at the run have written down about its calls, and where this one does.
type Book interface {
	// Earlier is how often the call left, or may have left, in earlier attempts without an outcome. The error says that it was
	// another call.
	Earlier(path string, tool *nodes.Tool, args []byte) (int, error)
	// Forgotten reports whether the cloud may have forgotten what it did in earlier attempts, so that it would do it again.
	Forgotten() bool
	// Leaving is called when the call is about to leave this process; after an error it must not.
	Leaving(path string, tool *nodes.Tool, args []byte) error
}

// ask puts a question.
func ask(ctx context.Context, r Request, q Question) (Answer, error) {
	if r.Asker == nil {
		return Answer{}, &ApprovalRequired{q}
	}
	return r.Asker.Ask(ctx, q)
}

// mayCall returns nil if the call may be made.
func mayCall(ctx context.Context, r Request, args []byte, d policy.Decision) error {
	answer, err := ask(ctx, r, NewQuestion(MayCall, r.Path, r.Tool.ID, args, reason(r.Tool, d)))
	if err != nil {
		return err
	}
	if r.decided(args, string(answer.Verdict), answer.By); answer.Verdict != Approve {
		if r.Tool.Changed != "" {
			return Throw(r.Tool.ID, nodes.IntegrityMismatch, fmt.Sprintf("%s is not what it was when it was first used", r.Tool.ID))
		}
		return Throw(r.Tool.ID, nodes.ApprovalDenied, fmt.Sprintf("%s was not approved", r.Tool.ID))
	}
	return nil
}

// Harmless reports whether it does no harm to make a call of a tool again.
func Harmless(t *nodes.Tool) bool { return t.Effect != nodes.Write || t.Idempotent }

// settles reports whether making a call again tells what came of it, or does no harm. The cloud makes a call once however
// often it is asked to, as long as it remembers.
func settles(r Request) bool {
	return Harmless(r.Tool) || r.Tool.Route == nodes.Server && !r.Book.Forgotten()
}

// whatHappened asks about a call that left earlier, if nobody can know what came of it. Unless it is to be made again,
// settled is set, and what it gives is its outcome.
func whatHappened(ctx context.Context, r Request, args []byte) (v value.Value, settled bool, err error) {
	if r.Book == nil {
		return nil, false, nil
	}
	left, err := r.Book.Earlier(r.Path, r.Tool, args)
	if err != nil || left == 0 || settles(r) {
		return nil, false, err
	}
	why := "it was sent when the run was interrupted, and nothing is known of its outcome"
	if r.Tool.Route == nodes.Server {
		why = "it may have been made before the run was interrupted, so long ago that the cloud has forgotten it"
	}
	q := NewQuestion(WhatHappened, fmt.Sprintf("%s!%d", r.Path, left), r.Tool.ID, args, why)
	q.Path = r.Path
	answer, err := ask(ctx, r, q)
	if err != nil {
		return nil, false, err
	}
	r.decided(args, string(answer.Verdict), answer.By)
	switch {
	case answer.Verdict == Succeeded && answer.Result == "":
		return value.Undefined{}, true, nil
	case answer.Verdict == Succeeded:
		v, err := value.FromJSON([]byte(answer.Result))
		return v, true, err
	case answer.Verdict == Failed:
		return nil, true, Throw(r.Tool.ID, nodes.ToolError, answer.Result)
	}
	return nil, false, nil
}

// NewQuestion makes a Question with its ID.
func NewQuestion(k Kind, path string, tool nodes.ToolID, args []byte, reason string) Question {
	h := sha256.New()
	fmt.Fprintf(h, "%s:%d:%s%d:%s", k, len(path), path, len(tool), tool)
	h.Write(args)
	return Question{ID: hex.EncodeToString(h.Sum(nil)[:12]), Kind: k, Path: path, Tool: tool, Args: args, Reason: reason}
}

func reason(t *nodes.Tool, d policy.Decision) string {
	switch {
	case d.Problem != "":
		return d.Problem
	case d.Rule != "":
		return fmt.Sprintf("the rule %q asks for it", d.Rule)
	}
	return fmt.Sprintf("no rule allows %s (%s)", t.ID, t.Effect)
}

// InOrder compares questions by the place of their calls in the program: by the numbers in their paths.
func InOrder(x, y Question) int { return slices.Compare(numbers(x.Path), numbers(y.Path)) }

// numbers are the numbers in a path.
func numbers(path string) (list []int) {
	for _, digits := range strings.FieldsFunc(path, func(r rune) bool { return r < '0' || r > '9' }) {
		n, _ := strconv.Atoi(digits)
		list = append(list, n)
	}
	return list
}
