// Command mutate tests the tests. It builds a package's tests once with every
// small change to the program built in and switched off, runs them with one
// change switched on at a time, and reports the changes that they let pass.
//
//	go run ./internal/mutate -files decide.go,evidence.go
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	dir := flag.String("dir", "rules", "the package's folder")
	files := flag.String("files", "decide.go,evidence.go,play.go,match.go,judge.go,ruleset.go,placement.go,round.go,standings.go,order.go,format.go,game.go,turn.go,ending.go,match_play.go,grid.go,pushed.go", "files to change")
	others := flag.String("others", "rules/cases", "folders of further packages whose tests are run on what the first lets pass")
	limit := flag.Duration("limit", 20*time.Second, "longest run of the tests; a longer one counts as caught")
	list := flag.Bool("list", false, "print the changes and run nothing")
	again := flag.String("again", "", "an earlier report: only what it says survived is tried again")
	flag.Parse()
	report := ""
	if *again != "" {
		text, err := os.ReadFile(*again)
		if err != nil {
			fmt.Fprintln(os.Stderr, "mutate:", err)
			os.Exit(1)
		}
		report = string(text)
	}
	if err := run(*dir, strings.Split(*files, ","), strings.FieldsFunc(*others, func(r rune) bool { return r == ',' }), *limit, *list, report); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// change is one small change to the program; its number switches it on.
type change struct {
	file, what string
	line       int
}

// suite is a test binary and the folder it runs in.
type suite struct {
	dir, binary string
	args        []string
}

func (c change) String() string { return fmt.Sprintf("%s:%d: %s", c.file, c.line, c.what) }

func run(dir string, files, others []string, limit time.Duration, list bool, report string) error {
	tmp, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(tmp) }()
	m := mutator{fset: token.NewFileSet()}
	overlay := map[string]string{}
	put := func(name string, source []byte) error {
		abs, err := filepath.Abs(name)
		if err != nil {
			return err
		}
		to := filepath.Join(tmp, strconv.Itoa(len(overlay))+".go")
		overlay[abs] = to
		return os.WriteFile(to, source, 0o600)
	}
	pkg := ""
	for _, f := range files {
		name := filepath.Join(dir, f)
		tree, err := parser.ParseFile(m.fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		pkg = tree.Name.Name
		m.file = name
		for _, d := range tree.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				m.block(f.Body.List)
			}
		}
		var b bytes.Buffer
		if err := format.Node(&b, m.fset, tree); err != nil {
			return err
		}
		if err := put(name, b.Bytes()); err != nil {
			return err
		}
	}
	if list {
		for i, c := range m.changes {
			fmt.Printf("%d %s\n", i+1, c)
		}
		return nil
	}
	if err := put(filepath.Join(dir, "zz_mutant.go"), []byte("package "+pkg+switches)); err != nil {
		return err
	}
	b, err := json.Marshal(map[string]map[string]string{"Replace": overlay})
	if err != nil {
		return err
	}
	overlayFile := filepath.Join(tmp, "overlay.json")
	if err := os.WriteFile(overlayFile, b, 0o600); err != nil {
		return err
	}
	var suites []suite
	for i, d := range append([]string{dir}, others...) {
		s := suite{dir: d, binary: filepath.Join(tmp, "suite"+strconv.Itoa(i)), args: []string{"-test.short", "-test.failfast"}}
		cmd := exec.CommandContext(context.Background(), "go", "test", "-c", "-vet=off", "-overlay", overlayFile, "-o", s.binary, "./"+filepath.ToSlash(d))
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("building the tests of %s: %w\n%s", d, err, out)
		}
		// Suites that use rapid must not look for the smallest failure, nor keep it.
		if help, _ := exec.CommandContext(context.Background(), s.binary, "-help").CombinedOutput(); bytes.Contains(help, []byte("rapid.shrinktime")) {
			s.args = append(s.args, "-rapid.nofailfile", "-rapid.shrinktime=1ms")
		}
		suites = append(suites, s)
		if !s.passes(0, 5*limit) {
			return fmt.Errorf("the tests of %s fail without any change", d)
		}
	}
	tried, survived := 0, 0
	for i, c := range m.changes {
		if report != "" && !strings.Contains(report, "survived "+c.String()+"\n") {
			continue
		}
		tried++
		if slices.ContainsFunc(suites, func(s suite) bool { return !s.passes(i+1, limit) }) {
			continue
		}
		survived++
		fmt.Printf("survived %s\n", c)
	}
	fmt.Printf("%d changes, %d tried: %d caught, %d survived\n", len(m.changes), tried, tried-survived, survived)
	return nil
}

// passes runs the tests with one change switched on.
func (s suite) passes(n int, limit time.Duration) bool {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.binary, s.args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "MUTANT="+strconv.Itoa(n))
	cmd.WaitDelay = time.Second
	return cmd.Run() == nil
}

// switches is the source that the changes call.
const switches = `

import (
	"os"
	"strconv"
)

var zzMutant, _ = strconv.Atoi(os.Getenv("MUTANT"))

func zzOn(n int) bool { return zzMutant == n }

func zzPick[T any](n int, is, other T) T {
	if zzMutant == n {
		return other
	}
	return is
}

// zzLazy is x || y or x && y; the change puts one for the other.
func zzLazy(n int, or bool, x, y func() bool) bool {
	if or != (zzMutant == n) {
		return x() || y()
	}
	return x() && y()
}
`

// mutator rewrites syntax trees so that each change can be switched on.
type mutator struct {
	fset    *token.FileSet
	file    string
	changes []change
}

// next books a change and gives the literal of its number.
func (m *mutator) next(pos token.Pos, format string, args ...any) ast.Expr {
	m.changes = append(m.changes, change{file: m.file, line: m.fset.Position(pos).Line, what: fmt.Sprintf(format, args...)})
	return &ast.BasicLit{Kind: token.INT, Value: strconv.Itoa(len(m.changes))}
}

func call(name string, args ...ast.Expr) ast.Expr {
	return &ast.CallExpr{Fun: ast.NewIdent(name), Args: args}
}

func (m *mutator) on(pos token.Pos, format string, args ...any) ast.Expr {
	return call("zzOn", m.next(pos, format, args...))
}

// swaps are the operators that are put for one another.
var swaps = map[token.Token][]token.Token{
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD: {token.SUB}, token.SUB: {token.ADD},
	token.AND: {token.OR}, token.OR: {token.AND}, token.AND_NOT: {token.AND},
}

var assigns = map[token.Token]token.Token{
	token.OR_ASSIGN: token.AND_ASSIGN, token.AND_ASSIGN: token.OR_ASSIGN, token.AND_NOT_ASSIGN: token.AND_ASSIGN,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN, token.XOR_ASSIGN: token.OR_ASSIGN,
}

// block rewrites statements in place.
func (m *mutator) block(list []ast.Stmt) {
	for i := range list {
		list[i] = m.stmt(list[i])
	}
}

// unless makes a statement that a switch leaves out.
func (m *mutator) unless(pos token.Pos, s ast.Stmt) ast.Stmt {
	not := &ast.UnaryExpr{Op: token.NOT, X: m.on(pos, "statement left out")}
	return &ast.IfStmt{Cond: not, Body: &ast.BlockStmt{List: []ast.Stmt{s}}}
}

func (m *mutator) stmt(s ast.Stmt) ast.Stmt {
	switch s := s.(type) {
	case *ast.BlockStmt:
		m.block(s.List)
	case *ast.ExprStmt:
		if worded(s.X) {
			return s
		}
		s.X = m.expr(s.X)
		return m.unless(s.Pos(), s)
	case *ast.IncDecStmt:
		return m.unless(s.Pos(), s)
	case *ast.BranchStmt:
		if s.Tok == token.CONTINUE || s.Tok == token.BREAK {
			return m.unless(s.Pos(), s)
		}
	case *ast.AssignStmt:
		return m.assign(s)
	case *ast.ReturnStmt:
		for i := range s.Results {
			s.Results[i] = m.expr(s.Results[i])
		}
	case *ast.IfStmt:
		m.simple(s.Init)
		s.Cond = &ast.BinaryExpr{X: &ast.ParenExpr{X: m.expr(s.Cond)}, Op: token.NEQ, Y: m.on(s.If, "condition turned round")}
		m.block(s.Body.List)
		if s.Else != nil {
			s.Else = m.stmt(s.Else)
		}
	case *ast.ForStmt:
		if s.Cond != nil {
			s.Cond = m.expr(s.Cond)
		}
		m.block(s.Body.List)
	case *ast.RangeStmt:
		m.block(s.Body.List)
	case *ast.SwitchStmt:
		m.simple(s.Init)
		for _, c := range s.Body.List {
			c := c.(*ast.CaseClause)
			if s.Tag == nil {
				for i, e := range c.List {
					never := &ast.UnaryExpr{Op: token.NOT, X: m.on(c.Case, "case left out")}
					c.List[i] = &ast.BinaryExpr{X: never, Op: token.LAND, Y: &ast.ParenExpr{X: m.expr(e)}}
				}
			}
			m.block(c.Body)
		}
	}
	return s
}

// simple rewrites the expressions of a statement that has to stay one.
func (m *mutator) simple(s ast.Stmt) {
	if a, ok := s.(*ast.AssignStmt); ok {
		for i := range a.Rhs {
			a.Rhs[i] = m.expr(a.Rhs[i])
		}
	}
}

func (m *mutator) assign(s *ast.AssignStmt) ast.Stmt {
	m.simple(s)
	if s.Tok == token.DEFINE {
		return s
	}
	out := m.unless(s.Pos(), s)
	if op, ok := assigns[s.Tok]; ok {
		other := &ast.AssignStmt{Lhs: s.Lhs, Tok: op, Rhs: s.Rhs}
		return &ast.IfStmt{
			Cond: m.on(s.TokPos, "%s for %s", op, s.Tok),
			Body: &ast.BlockStmt{List: []ast.Stmt{other}},
			Else: &ast.BlockStmt{List: []ast.Stmt{out}},
		}
	}
	return out
}

// worded tells whether an expression only words an error or a panic.
func worded(e ast.Expr) bool {
	c, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	switch f := c.Fun.(type) {
	case *ast.Ident:
		return f.Name == "inputErr" || f.Name == "bad" || f.Name == "panic"
	case *ast.SelectorExpr:
		x, ok := f.X.(*ast.Ident)
		return ok && (x.Name == "fmt" || x.Name == "errors")
	}
	return false
}

// text tells whether an expression is about strings, which + joins.
func text(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			found = found || n.Kind == token.STRING
		case *ast.SelectorExpr:
			found = found || n.Sel.Name == "String" || n.Sel.Name == "Error"
		}
		return !found
	})
	return found
}

// constant tells whether an expression is a literal or another package's name.
func constant(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.SelectorExpr:
		x, ok := e.X.(*ast.Ident)
		return ok && (x.Name == "board" || x.Name == "math")
	}
	return false
}

func (m *mutator) expr(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return m.binary(e)
	case *ast.ParenExpr:
		e.X = m.expr(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.NOT || e.Op == token.SUB {
			e.X = m.expr(e.X)
		}
	case *ast.IndexExpr:
		e.Index = m.expr(e.Index)
	case *ast.CallExpr:
		if worded(e) {
			return e
		}
		for i := range e.Args {
			e.Args[i] = m.expr(e.Args[i])
		}
		if f, ok := e.Fun.(*ast.FuncLit); ok {
			m.block(f.Body.List)
		}
	case *ast.FuncLit:
		m.block(e.Body.List)
	case *ast.CompositeLit:
		for i, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				kv.Value = m.expr(kv.Value)
			} else {
				e.Elts[i] = m.expr(x)
			}
		}
	case *ast.Ident:
		if e.Name == "true" || e.Name == "false" {
			return &ast.ParenExpr{X: &ast.BinaryExpr{X: ast.NewIdent(e.Name), Op: token.NEQ, Y: m.on(e.Pos(), "not %s", e.Name)}}
		}
	}
	return e
}

func (m *mutator) binary(e *ast.BinaryExpr) ast.Expr {
	was := e.Op
	ops := swaps[was]
	if text(e) && was == token.ADD || constant(e.X) && constant(e.Y) {
		return e
	}
	e.X, e.Y = m.expr(e.X), m.expr(e.Y)
	var out ast.Expr = e
	for _, op := range ops {
		other := &ast.BinaryExpr{X: e.X, Op: op, Y: e.Y}
		n := m.next(e.OpPos, "%s for %s", op, was)
		if op == token.LAND || op == token.LOR { // the right side may need the left
			out = call("zzLazy", n, ast.NewIdent(strconv.FormatBool(was == token.LOR)), lazily(e.X), lazily(e.Y))
		} else {
			out = call("zzPick", n, out, other)
		}
	}
	return out
}

func lazily(e ast.Expr) ast.Expr {
	return &ast.FuncLit{
		Type: &ast.FuncType{Params: &ast.FieldList{}, Results: &ast.FieldList{List: []*ast.Field{{Type: ast.NewIdent("bool")}}}},
		Body: &ast.BlockStmt{List: []ast.Stmt{&ast.ReturnStmt{Results: []ast.Expr{e}}}},
	}
}
