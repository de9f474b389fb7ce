package contract

import "slices"

// Role is what a token lets its bearer be.
type Role string

// The roles.
const (
	Viewer    Role = "viewer"    // looks, and has photos scored
	Scorer    Role = "scorer"    // keeps the score of matches
	Organiser Role = "organiser" // everything
	Machine   Role = "machine"   // a program: as a scorer, and records what it has seen
	Link      Role = "link"      // an overlay or stream: looks on, its token may stand in an address
)

// Roles are all roles.
func Roles() []Role { return []Role{Viewer, Scorer, Organiser, Machine, Link} }

// Access is who may do something.
type Access string

// The kinds of access.
const (
	Public Access = "public" // anybody
	Watch  Access = "watch"  // anybody with a token
	Read   Access = "read"   // all but links
	Score  Access = "score"  // those who keep the score
	Record Access = "record" // programs, and organisers
	Manage Access = "manage" // organisers
)

var accesses = map[Access][]Role{
	Public: Roles(),
	Watch:  Roles(),
	Read:   {Viewer, Scorer, Organiser, Machine},
	Score:  {Scorer, Organiser, Machine},
	Record: {Organiser, Machine},
	Manage: {Organiser},
}

// Admits tells whether a role has the access.
func (a Access) Admits(r Role) bool { return slices.Contains(accesses[a], r) }
