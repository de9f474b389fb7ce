package cvx

import (
	"sync/atomic"

	"gocv.io/x/gocv"
)

// open counts the Mats that were made here and not closed. OpenCV's memory is not
// the garbage collector's: a Mat that is forgotten stays until the program ends.
var open atomic.Int64

// OpenMats is how many Mats are open at the moment.
func OpenMats() int { return int(open.Load()) }

// New makes an empty Mat, which its owner has to Close.
func New() gocv.Mat { return counted(gocv.NewMat()) }

// NewSized makes a Mat of rows × cols, which its owner has to Close.
func NewSized(rows, cols int, kind gocv.MatType) gocv.Mat {
	return counted(gocv.NewMatWithSize(rows, cols, kind))
}

// Clone copies a Mat; the copy's owner has to Close it.
func Clone(m gocv.Mat) gocv.Mat { return counted(m.Clone()) }

func counted(m gocv.Mat) gocv.Mat {
	open.Add(1)
	return m
}

// Close frees a Mat that was made here. Closing it twice does nothing.
func Close(m *gocv.Mat) {
	if m.Ptr() == nil {
		return
	}
	_ = m.Close() // it has no way to fail
	open.Add(-1)
}
