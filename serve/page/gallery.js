/* gallery.js -- all puzzles as pictures to choose from */
import { api } from "./api.js";
import { h, later, onceSeen } from "./dom.js";
import { t } from "./text.js";

const FAMILIES = ["slide", "walk", "peg", "permute", "flip", "rules", "place", "guess", "express"];

/* What stands for a puzzle that has no board to begin with. */
const SIGNS = { guess: "●●○?", express: "4 ÷ 4 + 4", place: "1 2 ?" };

/* How many there are, in a few letters. */
function size(value) {
  if (value === null || !(value > 0)) return null;
  if (value < 1e6) return t("states", { n: Math.round(value) });
  const power = Math.floor(Math.log10(value));
  return t("states about", { n: `${(value / 10 ** power).toFixed(1)} × 10` }).replace("10",
    `10${[...String(power)].map((d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]).join("")}`);
}

/* The server's picture of the board `start`, without what is written above it, in the colours of the page; drawn once it
 * is seen. */
function startPicture(puzzle) {
  const picture = h("svg", { "aria-hidden": "true" });
  return onceSeen(picture, async () => {
    const { documentElement: drawn } = await api.picture(puzzle), board = drawn.querySelector(".board");
    const [left, top] = board.getAttribute("transform").match(/\d+/g).map(Number);
    const [wide, high] = ["width", "height"].map((side) => Number(drawn.getAttribute(side)));
    for (const name of ["font-family", "fill"]) picture.setAttribute(name, drawn.getAttribute(name));
    picture.setAttribute("viewBox", `${left} ${top} ${wide - 2 * left} ${high - top - left}`);
    picture.append(document.adoptNode(board));
  });
}

function card({ puzzle, title, family, start, size: states }) {
  const picture = start ? startPicture(puzzle) : h("span", { class: "stand-in", "aria-hidden": "true" }, SIGNS[family] ?? "?");
  return h("a", { class: "puzzle", href: `#${encodeURIComponent(puzzle)}` }, h("span", { class: "picture" }, picture),
    h("span", { class: "name" }, puzzle), h("span", { class: "about" }, title),
      h("span", { class: "size" }, size(states)));
}

export async function galleryPage() {
  const { puzzles } = await api.puzzles(), list = h("div", { class: "families" });
  const found = h("p", { class: "found", role: "status" });
  const show = (word) => {
    const shown = puzzles.filter(({ puzzle, title, family }) =>
      `${puzzle} ${title} ${family} ${t(`family ${family}`)}`.toLowerCase().includes(word.trim().toLowerCase()));
    const families = [...FAMILIES,
      ...new Set(puzzles.map(({ family }) => family).filter((family) => !FAMILIES.includes(family)))];
    list.replaceChildren(...families.map((family) =>
      shown.filter((puzzle) => puzzle.family === family)).filter((of) => of.length > 0)
      .map((of) => h("section", {}, h("h2", {}, t(`family ${of[0].family}`)),
        h("div", { class: "puzzles" }, of.map(card)))));
    found.textContent = word === "" ? "" : t("found", { n: shown.length });
  };
  const filter = h("input", { type: "search", id: "filter", placeholder: t("filter"), "aria-label": t("filter"),
    oninput: later(120, () => show(filter.value)) });
  show("");
  return {
    element: h("div", { class: "gallery" },
      h("header", { class: "welcome" }, h("h1", {}, t("welcome")), h("p", {}, t("welcome more")), filter, found), list),
    close() {},
  };
}
