package sim_test

import (
	"encoding/binary"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/fnv"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/sim"
)

// The results of five hundred shots are known to the last bit: the same on every
// machine. Where the physics are changed on purpose the number is, too.
func TestTheSameOnEveryMachine(t *testing.T) {
	table := club(t)
	h := fnv.New64a()
	put := func(v float64) {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
		h.Write(b[:])
	}
	// The boards are made of whole numbers alone, lest making them differ.
	seed := uint64(1)
	random := func(n int) float64 {
		seed = seed*6364136223846793005 + 1442695040888963407
		return float64(int(seed>>33) % n)
	}
	for shots := 0; shots < 500; {
		var start sim.Setup
		for range 12 {
			start.Board.Discs = append(start.Board.Discs, board.Disc{Point: at(random(500)-250, random(500)-250), Side: board.SideA})
		}
		res, err := table.Shoot(start, sim.Shot{Side: board.SideB, From: at(random(200)-100, -288), Heading: (random(120) + 97) / 100, Speed: 700 + random(3000), Spin: random(60) - 30})
		if err != nil {
			continue // they overlap
		}
		shots++
		put(res.Duration)
		for _, d := range res.Discs {
			put(d.X)
			put(d.Y)
			put(d.Angle)
		}
		for _, c := range res.Contacts {
			put(c.At)
			put(c.Impulse)
		}
	}
	require.Equal(t, uint64(0x55958c7cc52f43a9), h.Sum64())
}

// Go may fuse a product and a sum into one rounding where the processor can, and
// then the result depends on the machine. An explicit conversion forbids it. So
// every product of the computation stands in one, or in a quotient or a larger
// product that does, or is of whole numbers or constants.
func TestNoProductIsFusedWithASum(t *testing.T) {
	for _, dir := range []string{".", "internal/exact", "play"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, name, nil, 0)
			require.NoError(t, err)
			var stack []ast.Node
			ast.Inspect(file, func(n ast.Node) bool {
				if n == nil {
					stack = stack[:len(stack)-1]
					return true
				}
				if p, ok := n.(*ast.BinaryExpr); ok && p.Op == token.MUL && !rounded(stack) && !powerOfTwo(p) {
					t.Errorf("%s: a product that may be fused", set.Position(p.Pos()))
				}
				if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.MUL_ASSIGN {
					t.Errorf("%s: a product that may be fused", set.Position(a.Pos()))
				}
				stack = append(stack, n)
				return true
			})
		}
	}
}

// rounded tells whether what stands inside these nodes is rounded before it can
// meet a sum.
func rounded(stack []ast.Node) bool {
	for _, node := range slices.Backward(stack) {
		switch n := node.(type) {
		case *ast.ParenExpr:
		case *ast.BinaryExpr:
			if n.Op == token.QUO {
				return true // nothing is fused with a quotient
			}
			if n.Op != token.MUL {
				return false
			}
		case *ast.CallExpr:
			f, ok := n.Fun.(*ast.Ident)
			return ok && f.Name == "float64"
		case *ast.GenDecl, *ast.ValueSpec:
			return true // a constant
		default:
			return false
		}
	}
	return false
}

// powerOfTwo tells whether one factor is a power of two, which makes the product
// exact, so that fusing it changes nothing.
func powerOfTwo(p *ast.BinaryExpr) bool {
	for _, x := range []ast.Expr{p.X, p.Y} {
		if l, ok := x.(*ast.BasicLit); ok {
			switch l.Value {
			case "2", "4", "0.5":
				return true
			}
		}
	}
	return false
}
