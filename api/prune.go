package api

import "time"

// pruneEvery is how often what is too old is removed.
const pruneEvery = 6 * time.Hour

// prune removes what is older than the retention allows, now and again until the
// service stops.
func (s *Service) prune() {
	r := s.options.Retention
	if r.Matches == 0 && r.Pictures == 0 {
		return
	}
	again := time.NewTicker(pruneEvery)
	defer again.Stop()
	for {
		r.Now = s.now()
		switch p, err := s.options.Store.Prune(s.stopped, r); {
		case s.stopped.Err() != nil:
			return
		case err != nil:
			s.options.Log.Error("what is too old could not be removed", "error", err)
		case p.Matches+p.Pictures > 0:
			s.options.Log.Info("removed what is too old", "matches", p.Matches, "pictures", p.Pictures)
		}
		select {
		case <-again.C:
		case <-s.stopped.Done():
			return
		}
	}
}
