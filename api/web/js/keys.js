// Enter and the space bar, where they lead from one thing to the next.

// lifted waits until the key that is down comes up: a button that has the focus
// before that is pressed by the same stroke.
export function lifted(then) {
  addEventListener('keyup', then, { once: true });
}
