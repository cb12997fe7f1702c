#!/usr/bin/env python3
"""Load on pdb-serve: serve.py BUILD [SECONDS]

Generates Goat's database into a temporary directory, serves it on the loopback, and has wrk ask about 5,000 different
boards over 64 connections that are kept open: how many requests a second, and how long they take. Then the same while
boards of the 24-puzzle are searched without a database, as many at once as there are threads for searches. Needs wrk.
"""

import contextlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request

BOARDS, CONNECTIONS, SEARCHES = 5000, 64, 4

SCRIPT = """\
local boards = {}
for line in io.lines("%s") do boards[#boards + 1] = line end
local next = 0
function request()
   next = next %% #boards + 1
   return wrk.format("GET", "/api/goat/board/" .. boards[next])
end
"""


def ask(address):
    with contextlib.suppress(urllib.error.HTTPError):
        with urllib.request.urlopen(address) as answer:
            return json.loads(answer.read())
    return None


def load(url, script, seconds):
    """Requests a second, and the 50th and 99th percentile of what they take."""
    said = subprocess.run(["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--latency", "-s", script, url], check=True,
                          capture_output=True, text=True).stdout
    wrong = re.search(r"Non-2xx.*|Socket errors.*", said)
    half, most = (re.search(rf"{share}%\s+(\S+)", said)[1] for share in (50, 99))
    rate = float(re.search(r"Requests/sec:\s+(\S+)", said)[1])
    return f"{rate:,.0f} requests a second, 50 % within {half}, 99 % within {most}" + (f" ({wrong[0]})" if wrong else "")


def main():
    build, seconds = pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 10
    with tempfile.TemporaryDirectory() as place:
        subprocess.run([build / "gen/pdb-gen", "--quiet", "-d", place, "goat"], check=True)
        server = subprocess.Popen([build / "serve/pdb-serve", "-d", place, "--port=0", f"--seconds={seconds}", "goat",
                                   "24-puzzle"], stdout=subprocess.PIPE, text=True)
        try:
            url = server.stdout.readline().strip().rstrip("/")
            boards = {ask(f"{url}/api/goat/random?seed={seed}")["board"] for seed in range(BOARDS)}
            lines, script = pathlib.Path(place) / "boards", pathlib.Path(place) / "ask.lua"
            lines.write_text("\n".join(sorted(boards)))
            script.write_text(SCRIPT % lines)
            print(f"{len(boards):,} boards of Goat, {CONNECTIONS} connections")
            print("alone:           ", load(url, script, seconds))
            searches = [threading.Thread(target=ask, args=(f"{url}/api/24-puzzle/board/start",)) for _ in range(SEARCHES)]
            for search in searches:
                search.start()
            print("beside searches: ", load(url, script, max(1, seconds - 2)))
            print("searches go on:  ", sum(search.is_alive() for search in searches))
            for search in searches:
                search.join()
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
