package ast

// DeclKind is the word a declaration starts with.
type DeclKind string

// The words.
const (
	DeclVar        DeclKind = "var"
	DeclLet        DeclKind = "let"
	DeclConst      DeclKind = "const"
	DeclUsing      DeclKind = "using"
	DeclAwaitUsing DeclKind = "await using"
)

// Statements.
type (
	// VarDecl is var, let or const.
	VarDecl struct {
		Pos
		Kind  DeclKind
		Decls []Declarator
	}
	// Declarator is one target = init of a VarDecl; Init may be nil.
	Declarator struct {
		Pos
		Target Pattern
		Init   Expr
	}
	// FunctionDecl is a function declaration.
	FunctionDecl struct {
		Pos
		*Func
	}
	// ClassDecl is a class declaration.
	ClassDecl struct {
		Pos
		*ClassBody
	}
	// ExprStmt is an expression on its own.
	ExprStmt struct {
		Pos
		X Expr
	}
	// Block is { … }.
	Block struct {
		Pos
		Body []Stmt
	}
	// If is if (test) then else else; Else may be nil.
	If struct {
		Pos
		Test Expr
		Then Stmt
		Else Stmt
	}
	// For is the classic loop; Init is nil, a *VarDecl or an *ExprStmt; Test and Update may be nil.
	For struct {
		Pos
		Init   Stmt
		Test   Expr
		Update Expr
		Body   Stmt
	}
	// ForIn is for (left in right). Left is a *VarDecl with one declarator without Init, or an *ExprStmt holding the
	// target as an Assign with a nil Value.
	ForIn struct {
		Pos
		Left  Stmt
		Right Expr
		Body  Stmt
	}
	// ForOf is for (left of right), or for await. Left is as in ForIn.
	ForOf struct {
		Pos
		Await bool
		Left  Stmt
		Right Expr
		Body  Stmt
	}
	// While is while (test) body.
	While struct {
		Pos
		Test Expr
		Body Stmt
	}
	// DoWhile is do body while (test).
	DoWhile struct {
		Pos
		Body Stmt
		Test Expr
	}
	// Return is return x; X may be nil.
	Return struct {
		Pos
		X Expr
	}
	// Throw is throw x.
	Throw struct {
		Pos
		X Expr
	}
	// Try is try {} catch (Param) {} finally {}. Handler and Finally are nil where absent; Param is nil in catch {}.
	Try struct {
		Pos
		Body    *Block
		Param   Pattern
		Handler *Block
		Finally *Block
	}
	// Switch is switch (x) { … }.
	Switch struct {
		Pos
		X     Expr
		Cases []Case
	}
	// Case is one clause; a nil Test is default.
	Case struct {
		Pos
		Test Expr
		Body []Stmt
	}
	// Break is break or break label.
	Break struct {
		Pos
		Label string
	}
	// Continue is continue or continue label.
	Continue struct {
		Pos
		Label string
	}
	// Labeled is label: body.
	Labeled struct {
		Pos
		Label string
		Body  Stmt
	}
	// Empty is a lone semicolon, or a statement that was only types.
	Empty struct{ Pos }
)

func (*VarDecl) stmt()      {}
func (*FunctionDecl) stmt() {}
func (*ClassDecl) stmt()    {}
func (*ExprStmt) stmt()     {}
func (*Block) stmt()        {}
func (*If) stmt()           {}
func (*For) stmt()          {}
func (*ForIn) stmt()        {}
func (*ForOf) stmt()        {}
func (*While) stmt()        {}
func (*DoWhile) stmt()      {}
func (*Return) stmt()       {}
func (*Throw) stmt()        {}
func (*Try) stmt()          {}
func (*Switch) stmt()       {}
func (*Break) stmt()        {}
func (*Continue) stmt()     {}
func (*Labeled) stmt()      {}
func (*Empty) stmt()        {}
