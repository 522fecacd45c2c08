package call

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/policy"
)

// Question asks a person whether one call may be made.
type Question struct {
	// ID names exactly this call: it is made of Path, Tool and Args, and is the same whenever the run is resumed.
	ID   string
	Path string
	Tool nodes.ToolID
	// Args is the JSON text that will be sent.
	Args []byte
	// Reason says why it is asked.
	Reason string
}

// Answer is what a person says.
type Answer uint8

// The answers. The zero value is Deny.
const (
	Deny Answer = iota
	Approve
)

// Asker puts a question to a person and waits for the answer. An error is fatal for the run.
type Asker interface {
	Ask(ctx context.Context, q Question) (Answer, error)
}

// ApprovalRequired is the fatal error of a call that must be asked for while there is nobody to ask.
type ApprovalRequired struct {
	Question Question
}

// Error implements error.
func (e *ApprovalRequired) Error() string {
	return fmt.Sprintf("%s needs approval: %s", e.Question.Tool, e.Question.Reason)
}

// ask returns nil if the call may be made.
func ask(ctx context.Context, r Request, args []byte, d policy.Decision) error {
	q := Question{Path: r.Path, Tool: r.Tool.ID, Args: args, Reason: reason(r.Tool, d)}
	q.ID = questionID(q)
	if r.Asker == nil {
		return &ApprovalRequired{q}
	}
	answer, err := r.Asker.Ask(ctx, q)
	switch {
	case err != nil:
		return err
	case answer != Approve:
		return Throw(r.Tool.ID, nodes.ApprovalDenied, fmt.Sprintf("%s was not approved", r.Tool.ID))
	}
	return nil
}

func questionID(q Question) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d:%s%d:%s", len(q.Path), q.Path, len(q.Tool), q.Tool)
	h.Write(q.Args)
	return hex.EncodeToString(h.Sum(nil)[:12])
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
