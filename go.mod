module crokcam

go 1.26.8

require gocv.io/x/gocv v0.31.0 // indirect
