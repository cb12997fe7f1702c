/* dom.js -- making elements, and speaking to who cannot see them
 *
 * Nothing is ever read as HTML: texts become text nodes, so what a definition calls its things is shown as it stands.
 */

const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(["svg", "g", "rect", "circle", "path", "text", "line", "polyline"]);

/* An element with attributes (a function is a listener, null and false are left out) and children. */
export function h(tag, attributes = {}, ...children) {
  const element = SVG_TAGS.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false && value !== undefined)
      element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

/* What is to be read aloud by a screen reader. */
export function say(text) {
  const live = document.getElementById("live");
  live.textContent = live.textContent === text ? `${text}\u00a0` : text;
}

/* Lets only the last of several calls happen, a moment later. */
export function later(milliseconds, act) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(act, milliseconds, ...args);
  };
}

/* Draws a picture once it is seen; where that fails, the page goes on without it. */
export function onceSeen(element, draw) {
  const watch = new IntersectionObserver(([entry]) => {
    if (!entry.isIntersecting) return;
    watch.disconnect();
    draw().catch(() => element.classList.add("failed"));
  }, { rootMargin: "250px" });
  watch.observe(element);
  return element;
}

/* A button with a sign for the eye and words for everybody. */
export function button(words, act, { sign = null, ...attributes } = {}) {
  return h("button", { type: "button", onclick: act, ...attributes },
    sign === null ? words : [h("span", { class: "sign", "aria-hidden": "true" }, sign),
      h("span", { class: "words" }, words)]);
}
