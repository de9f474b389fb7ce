package eval

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"crokcam/vision/photo"
)

// Schema names the contract that Result keeps.
const Schema = "crokcam.eval/1"

// Result is what was measured, a set for each folder in the order asked for.
type Result struct {
	Schema string `json:"schema"`
	Sets   []Set  `json:"sets"`
}

// Set is one folder.
type Set struct {
	Folder        string    `json:"folder"`
	Pictures      int       `json:"pictures"`
	Exact         int       `json:"exact"` // every total right, or wrong only where a call was offered as too close
	Discs         Counts    `json:"discs"`
	Precision     *float64  `json:"precision"`
	Recall        *float64  `json:"recall"`
	SideAccuracy  *float64  `json:"side_accuracy"`
	ValueAccuracy *float64  `json:"value_accuracy"`
	RadialMM      Spread    `json:"radial_mm"`      // of the disc's distance from the centre
	PlaneMM       Spread    `json:"plane_mm"`       // of its place, the turn of the board frame fitted
	SigmaWithin2  *float64  `json:"sigma_within_2"` // share of discs whose radial error is below two sigmas
	CPUms         Spread    `json:"cpu_ms"`         // a picture; null when it was not measured
	Each          []Picture `json:"each,omitempty"`

	all []Picture // every picture, in the truth's order
}

// Counts are numbers of discs, and of pictures without a result.
type Counts struct {
	Truth               int `json:"truth"` // to be found
	Found               int `json:"found"` // reported
	Missed              int `json:"missed"`
	Invented            int `json:"invented"`
	SideWrong           int `json:"side_wrong"`
	ValueWrong          int `json:"value_wrong"`
	ValueWrongUnflagged int `json:"value_wrong_unflagged"`
	Flagged             int `json:"flagged"`
	NoBoard             int `json:"no_board"` // pictures

	hit int // reported discs that are there
}

func (c *Counts) add(o Counts) {
	c.Truth += o.Truth
	c.Found += o.Found
	c.Missed += o.Missed
	c.Invented += o.Invented
	c.SideWrong += o.SideWrong
	c.ValueWrong += o.ValueWrong
	c.ValueWrongUnflagged += o.ValueWrongUnflagged
	c.Flagged += o.Flagged
	c.NoBoard += o.NoBoard
	c.hit += o.hit
}

// Spread is a distribution in short; null where nothing was measured.
type Spread struct {
	Median *float64 `json:"median"`
	P95    *float64 `json:"p95"`
	Max    *float64 `json:"max"`
}

// Picture is one picture's result.
type Picture struct {
	File     string         `json:"file"`
	Exact    bool           `json:"exact"`
	Flagged  bool           `json:"flagged"` // exact only because wrong values were offered as too close
	Want     map[string]int `json:"want"`    // totals by the truth's names of the sides
	Got      map[string]int `json:"got"`
	Missed   int            `json:"missed"`
	Invented int            `json:"invented"`
	Faults   []string       `json:"faults,omitempty"` // wrong sides and wrong values that were not offered
	Error    string         `json:"error,omitempty"`  // why there is no result

	path    string
	truth   Truth
	report  *photo.Report
	verdict verdict
	cpu     time.Duration
}

// Score scores the picture in a file and says what processor time it took, or
// 0 when that is not known.
type Score func(ctx context.Context, path string) (*photo.Report, time.Duration, error)

// Options say how to run. The zero value scores one picture at a time.
type Options struct {
	Jobs     int                   // pictures at a time
	Each     bool                  // list every picture in the result, not only count it
	Progress func(done, total int) // called after each picture, one call at a time
}

// Run scores every picture of the folders and compares it with its truth. A
// picture that cannot be scored counts as one in which nothing was found; only
// truth that cannot be read, or ctx, ends the run.
func Run(ctx context.Context, folders []string, score Score, o Options) (Result, error) {
	if len(folders) == 0 {
		return Result{}, errors.New("eval: no folder was given")
	}
	sets := make([][]Picture, len(folders))
	var todo []*Picture
	for i, folder := range folders {
		truths, err := LoadTruths(folder)
		if err != nil {
			return Result{}, fmt.Errorf("eval: %w", err)
		}
		sets[i] = make([]Picture, len(truths))
		for k, t := range truths {
			sets[i][k] = Picture{File: t.File, path: filepath.Join(folder, t.File), truth: t}
			todo = append(todo, &sets[i][k])
		}
	}
	if err := scoreAll(ctx, todo, score, o); err != nil {
		return Result{}, fmt.Errorf("eval: %w", err)
	}
	r := Result{Schema: Schema}
	for i, folder := range folders {
		set := sum(sets[i])
		set.Folder = folderName(folder, folders)
		if o.Each {
			set.Each = set.all
		}
		r.Sets = append(r.Sets, set)
	}
	return r, nil
}

// folderName is a folder's last name, with the one before where two folders
// end alike.
func folderName(folder string, all []string) string {
	name := filepath.Base(filepath.Clean(folder))
	for _, other := range all {
		if other != folder && filepath.Base(filepath.Clean(other)) == name {
			return filepath.Join(filepath.Base(filepath.Dir(filepath.Clean(folder))), name)
		}
	}
	return name
}

// scoreAll fills in the pictures, several at a time.
func scoreAll(ctx context.Context, todo []*Picture, score Score, o Options) error {
	next := make(chan *Picture)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range max(1, o.Jobs) {
		wg.Go(func() {
			for p := range next {
				p.score(ctx, score)
				mu.Lock()
				done++
				if o.Progress != nil {
					o.Progress(done, len(todo))
				}
				mu.Unlock()
			}
		})
	}
feed:
	for _, p := range todo {
		select {
		case next <- p:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	wg.Wait()
	return ctx.Err()
}

func (p *Picture) score(ctx context.Context, score Score) {
	r, cpu, err := score(ctx, p.path)
	if err != nil {
		r = nil
		p.Error = err.Error()
	}
	v := judge(p.truth, r)
	p.report, p.verdict, p.cpu = r, v, cpu
	p.Exact, p.Flagged = v.exact, v.exact && !v.right
	p.Want, p.Got = v.want, v.got
	p.Missed, p.Invented, p.Faults = len(v.missed), len(v.invented), v.faults
}

func sum(pictures []Picture) Set {
	s := Set{Pictures: len(pictures), all: pictures}
	var radial, plane, cpu []float64
	within := 0
	for _, p := range pictures {
		if p.Exact {
			s.Exact++
		}
		s.Discs.add(p.verdict.counts)
		radial = append(radial, p.verdict.radial...)
		plane = append(plane, p.verdict.plane...)
		within += p.verdict.within2
		if p.cpu > 0 {
			cpu = append(cpu, float64(p.cpu)/float64(time.Millisecond))
		}
	}
	d := s.Discs
	s.Precision = share(d.Found-d.Invented, d.Found)
	s.Recall = share(d.Truth-d.Missed, d.Truth)
	s.SideAccuracy = share(d.hit-d.SideWrong, d.hit)
	s.ValueAccuracy = share(d.hit-d.ValueWrong, d.hit)
	s.RadialMM, s.PlaneMM, s.CPUms = spread(radial), spread(plane), spread(cpu)
	s.SigmaWithin2 = share(within, len(radial))
	return s
}

func share(n, of int) *float64 {
	if of == 0 {
		return nil
	}
	v := float64(n) / float64(of)
	return &v
}

func spread(v []float64) Spread {
	if len(v) == 0 {
		return Spread{}
	}
	slices.Sort(v)
	at := func(q float64) *float64 {
		x := v[min(len(v)-1, int(q*float64(len(v))))]
		return &x
	}
	return Spread{at(0.5), at(0.95), at(1)}
}
