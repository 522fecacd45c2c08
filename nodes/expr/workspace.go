package expr

import "sync"

// workspace is what the compilation of one piece takes and leaves nothing of in the program.
type workspace struct {
	top      scope
	names    resolver
	compiler compiler
	aliases  aliases
	// program is what Check makes, to drop it again.
	program   Program
	code      funcCode
	variables []variable
	objects   []abstract
}

// workspaces are those of Check, which are used again: it keeps nothing of what it compiles.
var workspaces = sync.Pool{New: func() any {
	return &workspace{variables: make([]variable, 16), objects: make([]abstract, 16)}
}}

// reset makes a workspace that was used as good as new.
func (w *workspace) reset() {
	w.top = scope{}
	w.names.vars.reset()
	w.names = resolver{vars: w.names.vars, refs: w.names.refs[:0], spare: w.variables}
	w.compiler = compiler{}
	w.aliases.vars.reset()
	w.aliases = aliases{vars: w.aliases.vars, objs: w.aliases.objs[:0], spare: w.objects}
	w.code = funcCode{}
	w.program = Program{code: &w.code, params: w.program.params[:0]}
}
