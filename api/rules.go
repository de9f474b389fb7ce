package api

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"crokcam/board/presets"
	"crokcam/rules"
	"crokcam/rules/book"
)

// presets answers with the names that board= takes.
func (s *Service) presets(c *gin.Context) error {
	c.JSON(http.StatusOK, gin.H{"boards": presets.Names()})
	return nil
}

type ruleView struct {
	ID       string        `json:"id"`
	Group    string        `json:"group"`
	Title    string        `json:"title"`
	Says     string        `json:"says"`
	Sources  string        `json:"sources,omitempty"`
	Option   string        `json:"option,omitempty"`
	Program  string        `json:"program,omitempty"`
	Variants []variantView `json:"variants,omitempty"`
}

type variantView struct {
	Value string `json:"value"`
	Means string `json:"means"`
	Who   string `json:"who,omitempty"`
}

type profileView struct {
	Name     string         `json:"name"`
	Also     []string       `json:"also,omitempty"`
	Title    string         `json:"title"`
	PlayedBy string         `json:"played_by,omitempty"`
	Discs    map[string]int `json:"discs"`
}

func viewRule(r book.Rule) ruleView {
	v := ruleView{ID: r.ID, Group: r.Group, Title: r.Title, Says: r.Says, Sources: r.Sources, Option: r.Option, Program: r.Program}
	for _, x := range r.Variants {
		v.Variants = append(v.Variants, variantView(x))
	}
	return v
}

func (s *Service) listRules(c *gin.Context) error {
	all := []ruleView{}
	for _, r := range book.All() {
		all = append(all, viewRule(r))
	}
	profiles := []profileView{}
	for _, name := range s.options.Profiles.Names() {
		p := s.options.Profiles[name]
		v := profileView{Name: p.Name, Also: p.Also, Title: p.Title, PlayedBy: p.PlayedBy, Discs: map[string]int{}}
		for l := rules.TwoPlayers; l <= rules.FourFree; l++ {
			if f, err := p.Format(l); err == nil {
				v.Discs[l.String()] = f.Discs
			}
		}
		profiles = append(profiles, v)
	}
	c.JSON(http.StatusOK, gin.H{"rules": all, "profiles": profiles})
	return nil
}

func (s *Service) getRule(c *gin.Context) error {
	r, ok := book.Get(c.Param("rule"))
	if !ok {
		return errNotFound
	}
	c.JSON(http.StatusOK, viewRule(r))
	return nil
}
