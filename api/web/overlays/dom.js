// Small helpers for what is on the picture. Every piece has a data-part, by which
// streamers can style and hide it.

let hidden = new Set();

// hide leaves out the parts of these names from now on.
export function hide(names) {
  hidden = new Set(names);
}

// part makes an element with a name.
export function part(name, ...children) {
  const e = document.createElement('div');
  e.dataset.part = name;
  if (hidden.has(name)) e.classList.add('gone');
  e.append(...children);
  return e;
}

export const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

// animate runs a short animation, or none where motion is not wished.
export function animate(e, frames, options) {
  if (!still()) e.animate(frames, { easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)', ...options });
}

// say sets a text if it is another. A figure that changes slides in.
export function say(e, text, { slide = false } = {}) {
  text = String(text ?? '');
  if (e.textContent === text) return;
  const first = e.textContent === '';
  e.textContent = text;
  if (slide && !first) animate(e, [{ transform: 'translateY(0.35em)', opacity: 0 }, { transform: 'none', opacity: 1 }], { duration: 280 });
}

export const toggle = (e, name, on) => e.classList.toggle(name, Boolean(on));

const fitted = new Set();

// fit says a name, made smaller until it has room, at most to two thirds.
export function fit(e, text) {
  if (e.textContent === text) return;
  e.textContent = text;
  fitted.add(e);
  refit(e);
}

function refit(e) {
  e.style.fontSize = '';
  const full = parseFloat(getComputedStyle(e).fontSize);
  for (let percent = 96; percent >= 64 && e.scrollWidth > e.clientWidth; percent -= 4) e.style.fontSize = `${(full * percent) / 100}px`;
}

// With the font come other widths.
document.fonts.addEventListener('loadingdone', () => {
  for (const e of fitted) {
    if (e.isConnected) refit(e);
    else fitted.delete(e);
  }
});
