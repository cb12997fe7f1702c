/* api.js -- questions to the server (docs/api.md) */

const cache = new Map();
const CACHED = 2000;

/* A text as one part of an address. A part of dots alone would lead upwards, and ".svg" ask for a picture. */
function part(text) {
  const sure = /^\.{1,2}$/.test(text) ? ` ${text}` : text;
  return encodeURIComponent(sure).replace(/\.(?=svg$)/, "%2E");
}

async function ask(address) {
  try {
    return await fetch(`api/${address}`);
  } catch {
    throw new Error("unreachable");
  }
}

async function get(address) {
  const response = await ask(address);
  const answer = await response.json().catch(() => ({ error: `${response.status} ${response.statusText}` }));
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

/* Distances never change while the page is open: what was asked is kept, but no failure. */
function kept(address) {
  if (!cache.has(address)) {
    const answer = get(address);
    answer.catch(() => cache.delete(address));
    if (cache.size >= CACHED) cache.delete(cache.keys().next().value);
    cache.set(address, answer);
  }
  return cache.get(address);
}

const board = (name, text, rest = "") => `${part(name)}/board/${part(text)}${rest}`;

export const api = {
  puzzles: () => kept("puzzles"),
  puzzle: (name) => kept(part(name)),
  picture: async (name) => {
    const response = await ask(board(name, "start", "/moves.svg"));
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
    return new DOMParser().parseFromString(await response.text(), "image/svg+xml");
  },
  position: (name, text) => kept(board(name, text, "/moves")),
  weighed: (name, text) => kept(board(name, text)),
  distance: async (name, text) => (await kept(board(name, text, "/hint"))).distance,
  hint: (name, text) => kept(board(name, text, "/hint?level=3")),
  path: (name, text) => kept(board(name, text, "/path")),
  hardest: (name, most) => kept(`${part(name)}/hardest?most=${most}`),
  histogram: (name) => kept(`${part(name)}/histogram`),
  random: (name, range) => get(`${part(name)}/random${range === null ? "" : `?distance=${range}`}`),
};
