package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/nodes/policy"
)

// approveEverything is --yes for the planner: what is not denied is allowed, so that nothing has to wait for an answer
// that is known.
func (p *project) approveEverything() {
	if all, err := policy.NewRule("*", ""); err == nil {
		p.Rules.Allow = append(p.Rules.Allow[:len(p.Rules.Allow):len(p.Rules.Allow)], all)
	}
}

// gather is how long a batch of questions waits for others that come up at the same time.
const gather = 30 * time.Millisecond

// prompt asks on the terminal: all questions that are open at a time together, then one answer each.
//
//	Ask ──▶ incoming ──▶ loop: gather a batch ─▶ show it ─▶ read a line per question ──▶ reply
type prompt struct {
	ctx      context.Context
	screen   *screen
	incoming chan pending
	lines    <-chan string
	start    func()
	// The rest is the loop's own: the tools approved for the rest of the run, and why nothing is asked any more.
	always map[nodes.ToolID]bool
	over   error
}

// pending is one question with the way back for its answer.
type pending struct {
	ctx   context.Context
	q     call.Question
	reply chan reply
}

type reply struct {
	answer call.Answer
	err    error
}

// newPrompt makes a prompt that lives as long as ctx.
func newPrompt(ctx context.Context, in io.Reader, s *screen) *prompt {
	lines := make(chan string)
	p := &prompt{ctx: ctx, screen: s, incoming: make(chan pending), lines: lines,
		always: map[nodes.ToolID]bool{}}
	p.start = sync.OnceFunc(func() {
		go readLines(ctx, in, lines)
		go p.loop()
	})
	return p
}

// readLines hands lines over until the input ends. A read that is under way when ctx ends cannot be called off.
func readLines(ctx context.Context, in io.Reader, lines chan<- string) {
	defer close(lines)
	for r := bufio.NewReader(in); ; {
		line, err := r.ReadString('\n')
		if err != nil && line == "" {
			return
		}
		select {
		case lines <- strings.ToLower(strings.TrimSpace(line)):
		case <-ctx.Done():
			return
		}
	}
}

// Ask implements call.Asker.
func (p *prompt) Ask(ctx context.Context, q call.Question) (call.Answer, error) {
	p.start()
	mine := pending{ctx, q, make(chan reply, 1)}
	select {
	case p.incoming <- mine:
	case <-ctx.Done():
		return call.Answer{}, ctx.Err()
	}
	select {
	case r := <-mine.reply:
		return r.answer, r.err
	case <-ctx.Done():
		return call.Answer{}, ctx.Err()
	}
}

func (p *prompt) loop() {
	for {
		select {
		case first := <-p.incoming:
			p.batch(p.gather(first))
		case <-p.ctx.Done():
			return
		}
	}
}

// gather collects the questions that come up together, in program order.
func (p *prompt) gather(first pending) []pending {
	batch := []pending{first}
	for timer := time.After(gather); ; {
		select {
		case next := <-p.incoming:
			batch = append(batch, next)
		case <-timer:
			slices.SortFunc(batch, func(x, y pending) int { return call.InOrder(x.q, y.q) })
			return batch
		}
	}
}

// batch shows the questions and gets their answers. A call that is no longer wanted is passed over.
func (p *prompt) batch(all []pending) {
	var open []pending
	for _, x := range all {
		if x.q.Kind == call.MayCall && p.always[x.q.Tool] {
			x.reply <- reply{answer: yes}
		} else {
			open = append(open, x)
		}
	}
	if len(open) == 0 {
		return
	}
	p.screen.pause()
	defer p.screen.resume()
	p.screen.write(showQuestions(open))
	for i, x := range open {
		r := reply{answer: yes, err: p.over}
		if p.over == nil && x.ctx.Err() == nil && !p.always[x.q.Tool] {
			r = p.answer(x.q, i+1, len(open))
		}
		p.over = r.err
		x.reply <- r
	}
}

func showQuestions(open []pending) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nApproval needed for %s:\n", plural(len(open), "call"))
	for i, x := range open {
		fmt.Fprintf(&b, "\n%d. %s: %s\n%s", i+1, x.q.Tool, x.q.Reason, prettyArgs(x.q.Args, "     "))
	}
	b.WriteString("\n")
	for _, k := range []call.Kind{call.MayCall, call.WhatHappened, call.NeedKey} {
		if slices.ContainsFunc(open, func(x pending) bool { return x.q.Kind == k }) {
			b.WriteString(choices[k].help + " · q cancel the run\n")
		}
	}
	return b.String()
}

// choice is what can be typed in answer to a kind of question.
type choice struct {
	keys, help string
	answers    map[string]call.Answer
}

var (
	yes = call.Answer{Verdict: call.Approve, By: "terminal"}
	no  = call.Answer{Verdict: call.Deny}

	choices = map[call.Kind]choice{
		call.MayCall: {"y/n/a/p/q", "y yes · n no · a always for this tool in this run · p always in this project",
			map[string]call.Answer{"y": yes, "yes": yes, "n": no, "no": no,
				"a": {Verdict: call.Approve, Remember: call.ForRun}, "always": {Verdict: call.Approve, Remember: call.ForRun},
				"p": {Verdict: call.Approve, Remember: call.ForProject}}},
		call.WhatHappened: {"r/s/f/q", "r make the call again · s it worked: go on without a result · f it failed",
			map[string]call.Answer{"r": {Verdict: call.Retry}, "s": {Verdict: call.Succeeded},
				"f": {Verdict: call.Failed, Result: "it failed, as a person says"}}},
		call.NeedKey: {"y/n/q", "y it is set now · n go on without", map[string]call.Answer{"y": yes, "n": no}},
	}
)

// answer reads the answer to one question.
func (p *prompt) answer(q call.Question, i, of int) reply {
	for {
		can := choices[q.Kind]
		p.screen.write(fmt.Sprintf("%d/%d %s? [%s] ", i, of, q.Tool, can.keys))
		var line string
		var more bool
		select {
		case line, more = <-p.lines:
		case <-p.ctx.Done():
			return reply{err: p.ctx.Err()}
		}
		a, known := can.answers[line]
		switch {
		case !more:
			p.screen.write("\n")
			return reply{err: &call.ApprovalRequired{Question: q}}
		case known:
			if a.By = "terminal"; a.Remember != call.Once {
				p.always[q.Tool] = true
			}
			return reply{answer: a}
		case line == "q" || line == "quit":
			return reply{err: &engine.Failure{Code: nodes.Cancelled, Message: "cancelled at the prompt", Tool: q.Tool}}
		}
		p.screen.write("please answer one of " + can.keys + "\n")
	}
}

// prettyArgs is the arguments for people: indented, at most 20 lines, long strings cut by the line.
func prettyArgs(args []byte, indent string) string {
	const most, widest = 20, 160
	var b bytes.Buffer
	if json.Indent(&b, args, "", "  ") != nil {
		b.Write(args)
	}
	lines := strings.Split(b.String(), "\n")
	cut := len(lines) - most
	if cut > 0 {
		lines = lines[:most]
	}
	var out strings.Builder
	for _, line := range lines {
		if r := []rune(line); len(r) > widest {
			line = fmt.Sprintf("%s… (%d characters more)", string(r[:widest]), len(r)-widest)
		}
		out.WriteString(indent + line + "\n")
	}
	if cut > 0 {
		fmt.Fprintf(&out, "%s… (%d lines more)\n", indent, cut)
	}
	return out.String()
}
