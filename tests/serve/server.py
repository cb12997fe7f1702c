"""What the tests of pdb-serve share: a server on the loopback, and clients that are polite or are not."""

import contextlib
import http.client
import json
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from helpers.harness import GEN, QUERY, SERVE, SOURCE, Case  # noqa: E402

HOST = "127.0.0.1"

HOSTILE = """\
puzzle: hostile
title: "<script>alert(1)</script> & \\"quotes\\" </title>"
family: slide
goal: |
  a b c
  d e .
glyphs: {a: "<i>", b: "&amp;", c: "'", d: '"', e: "]]>"}
boards:
  start: abcd.e
"""


PATH = """\
puzzle: path
family: walk
goal: a b .
edges: [[1, 2, 3]]
legend: {a: <b>a player</b>}
exit: {top: 1, left: 1}
boards:
  start: a . b
"""


class Answer:
    """A status, headers and a body."""

    def __init__(self, response, body):
        self.status, self.headers, self.body = response.status, response.headers, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def text(self):
        return self.body.decode()


class Server:
    """A pdb-serve in a process of its own, on a port that is free."""

    def __init__(self, *arguments, cwd=None, env=None):
        self.process = subprocess.Popen([SERVE, "--port=0", *map(str, arguments)], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, cwd=cwd, env=env)
        self.url = self.process.stdout.readline().strip()
        if not self.url:
            raise AssertionError(f"it does not start: {self.process.communicate()[1]}")
        self.port = int(self.url.rstrip("/").rpartition(":")[2])

    def stop(self):
        """Ends it as systemd does: what it wrote to standard error, once its exit code was 0."""
        self.process.send_signal(signal.SIGTERM)
        complaints = self.process.communicate(timeout=60)[1]
        assert self.process.returncode == 0, (self.process.returncode, complaints)
        return complaints

    def kill(self):
        """Ends what a test that failed has left; nothing where it was stopped."""
        self.process.kill()
        self.process.communicate()

    def connect(self, timeout=60):
        return http.client.HTTPConnection(HOST, self.port, timeout=timeout)

    def ask(self, address, method="GET", body=None, headers=None, connection=None):
        """An answer; on a connection that is kept, if there is one."""
        with contextlib.nullcontext(connection) if connection else contextlib.closing(self.connect()) as asked:
            asked.request(method, address, body, headers or {})
            response = asked.getresponse()
            return Answer(response, response.read())

    def raw(self, data, timeout=60):
        """Sends bytes as they are, and reads until the server closes the connection or says no more for a while: all
        that came."""
        with socket.create_connection((HOST, self.port), timeout) as connection:
            came = b""
            with contextlib.suppress(OSError):
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
            with contextlib.suppress(OSError):
                while data := connection.recv(65536):
                    came += data
            return came

    def memory(self):
        """Kilobytes that it has in memory."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


class ServerCase(Case):
    """With a server for all tests of the class; `arguments` are its own. A database of Goat lies in its directory."""

    arguments = ()

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.holder = contextlib.ExitStack()
        cls.place = pathlib.Path(cls.holder.enter_context(tempfile.TemporaryDirectory()))
        cls.databases = cls.place / "secret-place"
        definitions = cls.place / "definitions"
        definitions.mkdir()
        (definitions / "hostile.yaml").write_text(HOSTILE)
        (definitions / "path.yaml").write_text(PATH)
        subprocess.run([GEN, "--quiet", "-d", cls.databases, "goat"], check=True)
        cls.server = Server("-d", cls.databases, "--definitions", definitions, *cls.arguments)

    @classmethod
    def tearDownClass(cls):
        cls.holder.close()
        cls.server.stop()
        super().tearDownClass()

    def ask(self, address, status=200, **more):
        """An answer of this status, which says nothing of where the server is."""
        answer = self.server.ask(address, **more)
        self.assertEqual(answer.status, status, answer.body[:500])
        self.assertNotIn(str(self.place).encode(), answer.body)
        if status >= 400:
            self.assertEqual(set(answer.json), {"error"})
            self.assertEqual(answer.headers["Content-Type"], "application/json")
        return answer

    def query(self, *arguments):
        """What pdb-query says of the same."""
        done = subprocess.run([QUERY, "-d", self.databases, *map(str, arguments)], capture_output=True, check=False)
        self.assertIn(done.returncode, (0, 1, 2), done.stderr)
        return done.stdout


def wait_until(condition, seconds=60):
    """Asks until it is so; whether it was."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


__all__ = ["Answer", "GEN", "HOST", "QUERY", "SERVE", "SOURCE", "Server", "ServerCase", "wait_until"]
