package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/transport/serve"
)

// gather is how long a form waits for other questions that come up at the same time.
const gather = 50 * time.Millisecond

// elicitor is the call.Asker that puts a run's questions to the client's user in a form: those that come up together in
// one, the next form when that has been answered. A user who sends the form away leaves the questions open.
//
//	Ask ──▶ batch ── gather ──▶ form ──▶ answers
type elicitor struct {
	ctx    context.Context // the run's
	client *serve.Client

	mu      sync.Mutex
	batch   []asked
	showing sync.Mutex // held while a form is on the screen
}

// asked is one question with the way back for its answer.
type asked struct {
	call.Question
	reply chan answered
}

type answered struct {
	answer call.Answer
	err    error
}

// Ask implements call.Asker.
func (e *elicitor) Ask(ctx context.Context, q call.Question) (call.Answer, error) {
	mine := asked{q, make(chan answered, 1)}
	e.mu.Lock()
	if e.batch = append(e.batch, mine); len(e.batch) == 1 {
		time.AfterFunc(gather, e.show)
	}
	e.mu.Unlock()
	select {
	case r := <-mine.reply:
		return r.answer, r.err
	case <-ctx.Done():
		return call.Answer{}, ctx.Err()
	}
}

// show puts the questions that have gathered, when no other form is on the screen.
func (e *elicitor) show() {
	e.showing.Lock()
	defer e.showing.Unlock()
	e.mu.Lock()
	batch := e.batch
	e.batch = nil
	e.mu.Unlock()
	slices.SortStableFunc(batch, func(x, y asked) int { return call.InOrder(x.Question, y.Question) })
	form := serve.Form{Message: message(batch), Schema: formSchema(batch)}
	reply, err := e.client.Elicit(e.ctx, form)
	for i, q := range batch {
		q.reply <- e.decide(q.Question, i, reply, err)
	}
}

// decide is the answer to one question of a form.
func (e *elicitor) decide(q call.Question, i int, reply serve.FormReply, err error) answered {
	nobody := answered{err: &call.ApprovalRequired{Question: q}}
	switch {
	case err != nil || reply.Action == serve.Dismissed:
		return nobody
	case reply.Action == serve.Declined && q.Kind != call.WhatHappened:
		return answered{answer: call.Answer{Verdict: call.Deny}}
	case reply.Action == serve.Declined:
		return nobody
	}
	choice, _ := reply.Content[field(i)].(string)
	for _, c := range choices(q) {
		if c.text == choice {
			return answered{answer: c.answer}
		}
	}
	return nobody
}

// choice is one way to answer a question.
type choice struct {
	text   string
	answer call.Answer
}

func choices(q call.Question) (list []choice) {
	for _, v := range q.Kind.Verdicts() {
		list = append(list, choice{string(v), call.Answer{Verdict: v}})
	}
	if q.Kind == call.MayCall {
		list = append(list,
			choice{"approve for this run", call.Answer{Verdict: call.Approve, Remember: call.ForRun}},
			choice{"approve for this project", call.Answer{Verdict: call.Approve, Remember: call.ForProject}})
	}
	return list
}

func field(i int) string { return fmt.Sprintf("call_%d", i+1) }

// message shows the calls of a form with their arguments.
func message(batch []asked) string {
	var b strings.Builder
	fmt.Fprintf(&b, "pml asks about %d of the program's calls:\n", len(batch))
	for i, q := range batch {
		fmt.Fprintf(&b, "\n%d. %s: %s\n%s\n", i+1, q.Tool, q.Reason, shownArgs(q.Args))
	}
	return b.String()
}

// longestArgs is how much of a call's arguments a form shows.
const longestArgs = 2 << 10

func shownArgs(args []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, args, "", "  ") != nil {
		b.Write(args)
	}
	return cut(b.String(), longestArgs)
}

// formSchema has a field for each question (MCP 2025-11-25, elicitation: a flat object of enums).
func formSchema(batch []asked) map[string]any {
	properties := map[string]any{}
	var required []string
	for i, q := range batch {
		var texts []string
		for _, c := range choices(q.Question) {
			texts = append(texts, c.text)
		}
		properties[field(i)] = map[string]any{"type": "string", "title": string(q.Tool), "enum": texts, "description": q.Reason}
		required = append(required, field(i))
	}
	return map[string]any{"type": "object", "properties": properties, "required": required}
}
