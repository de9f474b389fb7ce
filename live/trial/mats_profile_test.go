//go:build matprofile

package trial_test

import "gocv.io/x/gocv"

// openMats is how many pictures OpenCV holds.
func openMats() int { return gocv.MatProfile.Count() }
