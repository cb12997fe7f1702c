/* main.js -- which page is shown: the gallery, or the puzzle that the address names */
import { api } from "./api.js";
import { askPage } from "./ask.js";
import { button, h } from "./dom.js";
import { galleryPage } from "./gallery.js";
import { Game } from "./game.js";
import { playPage } from "./play.js";
import { chooseLanguage, LANGUAGES, language, t } from "./text.js";

const main = document.getElementById("main"), embedded = new URLSearchParams(location.search).has("embed");
let page = null, asked = 0;

async function open(said) {
  if (said.puzzle === "") return galleryPage();
  const puzzle = await api.puzzle(said.puzzle);
  return puzzle.boards ? playPage(puzzle, said, embedded) : askPage(puzzle, embedded);
}

async function show() {
  const said = Game.read(location.hash), turn = ++asked;
  page?.close();
  page = null;
  main.setAttribute("aria-busy", "true");
  main.replaceChildren(h("p", { class: "wait" }, t("loading")));
  let opened;
  try {
    opened = await open(said);
  } catch (error) {
    opened = { element: h("div", { class: "wait", role: "alert" }, h("p", {}, t(error.message)),
      h("a", { href: "#" }, t("all puzzles"))), close() {} };
  }
  if (turn !== asked) {
    opened.close();
    return;
  }
  page = opened;
  document.title = said.puzzle === "" ? "pdb" : `${said.puzzle} · pdb`;
  main.replaceChildren(page.element);
  main.removeAttribute("aria-busy");
  scrollTo(0, 0);
}

document.documentElement.lang = language;
document.body.classList.toggle("embed", embedded);
document.querySelector("header.top a").setAttribute("aria-label", t("all puzzles"));
document.querySelector(".languages").append(...Object.entries(LANGUAGES).map(([code, name]) =>
  button(name, () => chooseLanguage(code), { lang: code, "aria-pressed": String(code === language) })));
addEventListener("hashchange", show);
show();
