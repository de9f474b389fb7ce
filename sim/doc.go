// Package sim is a crokinole board made of numbers: what discs do when one of
// them is shot.
//
// The motion is computed from event to event, never by stepping. Between two
// events every disc moves in closed form, and the moment of the next event (two
// discs meet, a disc meets a post, its centre passes the hole's lip or the edge
// of the surface, it meets the rail, it stops) is a root of a polynomial. No
// disc can pass through another at any speed.
//
// # Sliding and spinning
//
// A disc presses on the surface evenly. Friction then acts exactly against its
// velocity, so that it slides in a straight line, whatever its spin; only the
// size of the friction depends on the spin. The exact law couples the two
// through elliptic integrals (Farkas, Bartels, Unger, Wolf, "Frictional coupling
// between sliding and spinning motion", 2003). Its two limits are closed forms
// and are what is used here:
//
//   - A disc that slides faster than its rim turns slows down at µg, so that
//     v² = 2µgd. Its spin fades as the root of its speed, which is exact to first
//     order in rim speed over speed.
//   - A disc whose rim turns faster than it slides slows down at µg too, and its
//     spin fades at 4µg/3R, as that of a disc spinning on the spot does.
//
// The limit of this model: friction is overrated by 3 % where the rim turns at
// half the speed of sliding, by 15 % where the two are equal, and by more for
// discs that mostly spin. A crokinole disc that was flicked or struck seldom
// spins that fast; one that does stops earlier here than on wood.
//
// # Contacts
//
// A contact is instantaneous: a normal impulse by restitution, and a tangential
// one that stops the slip between the two rims or is as large as friction
// allows, whichever is less (Walton's model of colliding spheres, in two
// dimensions). Several contacts at one moment are resolved one after the other
// in a fixed order. See contact.go for what happens at very low speeds.
//
// # The hole and the ditch
//
// See hole.go and ditch.go: both are models with stated limits.
//
// # The same everywhere
//
// The same shot has the same result, to the last bit, on every machine. Only
// sums, products, quotients and square roots are used, which IEEE 754 defines
// exactly, and every product that could be fused with a sum is rounded first
// (Go may otherwise fuse on some processors). A test holds the code to that.
//
// Lengths are millimetres in the board frame of package board, angles radians
// counter-clockwise from +x, times seconds, masses grams, so that impulses are
// in millinewton seconds when divided by a thousand, as [Contact] has them.
package sim
