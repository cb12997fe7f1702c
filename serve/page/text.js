/* text.js -- the words of the page in the reader's language
 *
 * A language is a file like en.json, with the same keys, and a name here. In a text, {name} is put in by the page;
 * where it depends on the number {n}, the text for one stands before a |. Under `words` stands what the server says in
 * English.
 */

export const LANGUAGES = { en: "English", ja: "日本語" };
const KEPT = "pdb-language";

function wanted() {
  let kept = null;
  try {
    kept = localStorage.getItem(KEPT);
  } catch { /* a frame may have no storage */ }
  const asked = [new URLSearchParams(location.search).get("lang"), kept, ...navigator.languages];
  return asked.map((name) => (name || "").slice(0, 2)).find((name) => name in LANGUAGES) || "en";
}

export const language = wanted();
const texts = await (await fetch(`${language}.json`)).json();

export function chooseLanguage(code) {
  try {
    localStorage.setItem(KEPT, code);
  } catch { /* then it holds for this page alone */ }
  const address = new URL(location.href);
  address.searchParams.set("lang", code);
  location.href = address;
}

export function number(value, digits = 0) {
  return value.toLocaleString(language, { maximumFractionDigits: digits });
}

/* The text of a key; what is no key is shown itself. */
export function t(key, values = {}) {
  const [one, many = one] = (texts[key] ?? key).split("|");
  return (values.n === 1 ? one : many).replace(/\{(\w+)\}/g, (whole, name) =>
    typeof values[name] === "number" ? number(values[name]) : values[name] ?? whole);
}

/* What families say of moves, and what is to be put in there. */
const patterns = Object.entries(texts.words ?? {}).map(([english, said]) => [new RegExp(`^${
  english.replace(/[.*+?()|^$[\]\\]/g, "\\$&").replace(/\{(\w+)\}/g, "(?<$1>.+)")}$`), said]);

/* What the server says in words of its own, part by part; what is none of these stays as it is. */
export function words(english) {
  for (const [pattern, said] of patterns) {
    const found = pattern.exec(english);
    if (found) return said.replace(/\{(\w+)\}/g, (_, name) => words(found.groups[name]));
  }
  return english;
}
