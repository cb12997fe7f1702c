/* ask.js -- the page of a puzzle without moves: codes that you or the program guess, and values to be made */
import { api } from "./api.js";
import { button, h, say } from "./dom.js";
import { codesOf } from "./picture.js";
import { number, t, words } from "./text.js";

const HIDDEN = new Set(["puzzle", "board", "distance", "method"]);

/* What the server says to a question, name by name. */
function facts(reply) {
  const value = (fact) => (Array.isArray(fact) ? h("ul", {}, fact.map((text) => h("li", {}, text)))
    : typeof fact === "number" ? number(fact, 3) : String(fact));
  return h("dl", {}, Object.entries(reply).filter(([name]) => !HIDDEN.has(name)).map(([name, fact]) =>
    [h("dt", {}, t(`fact ${name}`)), h("dd", {}, value(fact))]));
}

/* Tries; what goes wrong is told in an output. */
async function attempt(output, act) {
  try {
    output.textContent = "";
    await act();
  } catch (error) {
    output.textContent = t(error.message);
    say(output.textContent);
  }
}

/* A line to type into, with a button; what is typed goes to `act`. */
function line(id, label, words, act, attributes = {}) {
  const input = h("input", { type: "text", id, autocomplete: "off", autocapitalize: "off", spellcheck: "false",
    ...attributes });
  const form = h("form", { onsubmit: (event) => {
    event.preventDefault();
    if (input.value.trim() !== "") act(input.value.trim(), input);
  } }, h("label", { for: id }, label),
    h("div", { class: "row" }, input, h("button", { class: "main", type: "submit" }, words)));
  return form;
}

/* -- codes -- */

/* How many symbols of a question are right in their places, and how many in wrong ones. */
function judge(code, question) {
  const [secret, asked] = [codesOf(code), codesOf(question)];
  const bulls = asked.filter((symbol, i) => symbol === secret[i]).length;
  const rest = [...secret];
  for (const symbol of asked) if (rest.includes(symbol)) rest.splice(rest.indexOf(symbol), 1);
  return [bulls, secret.length - rest.length - bulls];
}

function answered(question, [bulls, cows]) {
  return h("li", {}, h("span", { class: "code" }, codesOf(question).map((symbol) => h("span", {}, symbol))),
    h("span", { class: "pegs", "aria-hidden": "true" }, "●".repeat(bulls) + "○".repeat(cows)),
    h("span", { class: "words" }, t("bulls and cows", { bulls, cows })));
}

/* The program has thought of a code, and the player guesses. */
function guessing(name) {
  const output = h("output", {}), list = h("ol", { class: "guesses" });
  let secret = null, history = [];
  const begin = () => attempt(output, async () => {
    secret = (await api.random(name, null)).board;
    history = [];
    list.replaceChildren();
    output.textContent = t("thought of", { n: codesOf(secret).length });
  });
  const ask = (text, input) => attempt(output, async () => {
    if (secret === null) await begin();
    const { code } = await api.weighed(name, text);
    if (code === undefined) throw new Error("no code");
    const answer = judge(secret, code);
    history.push(`${code}:${answer.join()}`);
    list.append(answered(code, answer));
    input.value = "";
    output.textContent = code === secret ? t("found it", { n: history.length })
      : t("bulls and cows", { bulls: answer[0], cows: answer[1] });
    if (code === secret) secret = null;
    say(output.textContent);
  });
  const hint = () => attempt(output, async () => {
    const { left, next } = await api.weighed(name, history.join(" ") || "start");
    output.textContent = t("left and next", { n: left, next: next ?? "–" });
  });
  return h("section", { class: "card", id: "guessing" }, h("h2", {}, t("you guess")), list, output,
    line("guess", t("your question"), t("ask"), ask),
    h("div", { class: "row" }, button(t("new code"), begin, { "data-ask": "new" }),
      button(t("hint"), hint, { "data-ask": "hint" })));
}

/* The player has thought of a code, and the program guesses. */
function guessed(name) {
  const output = h("output", {}), list = h("ol", { class: "guesses" }), next = h("p", { class: "next" });
  const field = (id, label) => h("label", { class: "row", for: id }, label,
    h("input", { type: "number", id, min: 0, max: 16, value: 0, inputmode: "numeric" }));
  const [bulls, cows] = [field("bulls", t("bulls")), field("cows", t("cows"))];
  let history = [], question = null;
  const look = () => attempt(output, async () => {
    const reply = await api.weighed(name, history.map(({ text }) => text).join(" ") || "start");
    question = reply.next ?? null;
    next.replaceChildren(...question === null ? [t(reply.left === 0 ? "cannot be" : "that is it")]
      : [t("is it"), " ", h("strong", { class: "code" }, codesOf(question).map((symbol) => h("span", {}, symbol)))]);
    output.textContent = question === null ? "" : t("codes left", { n: reply.left, most: reply.most });
    say(`${next.textContent} ${output.textContent}`);
  });
  const answer = (event) => {
    event.preventDefault();
    if (question === null) return;
    const pegs = [bulls, cows].map((label) => Number(label.control.value));
    history.push({ text: `${question}:${pegs.join()}`, entry: answered(question, pegs) });
    list.append(history.at(-1).entry);
    look();
  };
  const back = () => {
    history.pop()?.entry.remove();
    look();
  };
  const again = () => {
    history = [];
    list.replaceChildren();
    look();
  };
  look();
  return h("section", { class: "card", id: "guessed" }, h("h2", {}, t("pdb guesses")), list, next, output,
    h("form", { onsubmit: answer },
      h("div", { class: "row" }, bulls, cows, h("button", { type: "submit", class: "main" }, t("answer")))),
    h("div", { class: "row" }, button(t("undo"), back, { sign: "↶" }), button(t("restart"), again, { sign: "⟲" })));
}

/* -- questions -- */

/* Any question, and all that is known of it. */
function question(puzzle, label) {
  const { puzzle: name, unit } = puzzle, output = h("output", {}), reply = h("div", { class: "reply" });
  const ask = (text) => attempt(output, async () => {
    const said = await api.path(name, text);
    output.textContent = said.distance === null ? t("no answer")
      : t("distance is", { text: said.board, n: said.distance, unit: words(unit) });
    reply.replaceChildren(facts(said));
    say(output.textContent);
  });
  return h("section", { class: "card", id: "question" }, h("h2", {}, label),
    line("asked", t("your question"), t("ask"), ask), output, reply);
}

/* A value to be made by the player: how it is done is hidden until asked. */
function challenge(puzzle) {
  const { puzzle: name, max } = puzzle, output = h("output", {}), value = h("p", { class: "value" }),
    reply = h("div", { class: "reply" });
  const slider = h("input", { type: "range", id: "difficulty", min: 0, max: max ?? 0,
    value: Math.ceil((max ?? 0) / 2), hidden: max === null });
  let asked = null;
  const deal = () => attempt(output, async () => {
    const whole = (text) => /^\d+$/.test(text);
    for (let tries = 0; tries === 0 || (tries < 30 && !whole(asked)); tries++)
      asked = (await api.random(name, max === null ? null : slider.value)).board;
    value.textContent = asked;
    reply.replaceChildren();
    say(asked);
  });
  const show = () => attempt(output, async () => {
    if (asked !== null) reply.replaceChildren(facts(await api.weighed(name, asked)));
  });
  deal();
  return h("section", { class: "card", id: "challenge" }, h("h2", {}, t("make this")), value, output,
    h("label", { for: "difficulty", hidden: max === null }, t("difficulty")), slider,
    h("div", { class: "row" }, button(t("another value"), deal, { "data-ask": "new" }),
      button(t("show how"), show, { "data-ask": "show" })), reply);
}

export function askPage(puzzle, embedded) {
  const { puzzle: name, title, family } = puzzle;
  const cards = family === "guess" ? [guessing(name), guessed(name), question(puzzle, t("how soon"))]
    : family === "express" ? [challenge(puzzle), question(puzzle, t("ask a value"))] : [question(puzzle, t("ask"))];
  return {
    element: h("div", { class: "ask" },
      h("header", { class: "title" }, h("div", {}, h("h1", {}, name), h("p", {}, title))),
      h("div", { class: "cards" }, embedded ? cards[0] : cards)),
    close() {},
  };
}
