"""Clients of pdb-serve that mean no good, or do not know better: each gets an answer or a closed connection, the server
stays as it is, and others are answered meanwhile. All of it on the loopback, in loops that end."""

import contextlib
import os
import random
import re
import resource
import socket
import time
import unittest

from server import HOST, ServerCase, wait_until

SHORT = int(os.environ.get("PDB_TESTS_SHARE", "1")) > 1
CONNECTIONS = 500 if SHORT else 10000
SANITIZED = os.environ.get("PDB_SANITIZE", "none") != "none"

BOARD = "/api/goat/board/start"


def request(address, *headers, method="GET", version="HTTP/1.1"):
    lines = [f"{method} {address} {version}", "Host: localhost", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


class Hostile(ServerCase):
    def setUp(self):
        super().setUp()
        self.ask(BOARD)

    def tearDown(self):
        """Whatever was done to it, the server is there and answers."""
        self.assertIsNone(self.server.process.poll())
        self.assertEqual(self.ask(BOARD).json["distance"], 20)
        super().tearDown()

    def answers(self, data, timeout=60):
        """The statuses of all answers to some bytes, in order; none where the connection was closed, or nothing came for
        so long."""
        came = self.server.raw(data, timeout)
        self.assertNotIn(str(self.place).encode(), came)
        return [int(status) for status in re.findall(rb"HTTP/1\.[01] ([0-9]{3}) ", came)]

    def test_bytes_that_are_no_requests(self):
        source = random.Random(1)
        samples = [b"", b"\r\n" * 1000, b"\0" * 1000, b"\x16\x03\x01\x02\x00\x01", b"GET", b"GET /", b"GET / HTTP/9.9\r\n\r\n",
                   b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"GET  HTTP/1.1\r\nHost: x\r\n\r\n",
                   b"G\0ET / HTTP/1.1\r\nHost: x\r\n\r\n", b"GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n",
                   b"GET / HTTP/1.1\r\nHost: x\r\nA\0B: c\r\n\r\n", b"GET / HTTP/1.1\nHost: x\n\n",
                   b"GET \xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n", b"GET / HTTP/1.1\r\n: x\r\n\r\n"]
        samples += [source.randbytes(source.randrange(1, 2000)) for _ in range(50)]
        for sample in samples:
            with self.subTest(sample[:40]):
                for status in self.answers(sample, 0.5):
                    self.assertIn(status, (200, 400, 404, 405, 414, 431, 500, 501, 505))

    def test_a_nul_cuts_no_address(self):
        for address in (b"/api/goat\0/x", b"/\0", b"/api/goat/random?seed=1\0&distance=5", b"/api/goat?\0",
                        b"http://x/api/goat\0"):
            with self.subTest(address):
                data = b"GET " + address + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                self.assertEqual(self.answers(data), [400])
        self.assertEqual(self.answers(b"GET /api?x= HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"), [400])

    def test_addresses_that_are_too_long(self):
        for length in (20000, 60000, 100000, 1000000):
            with self.subTest(length):
                for address in ("/api/goat/board/" + "1," * (length // 2), "/" + "../" * (length // 3),
                                "/?" + "a=b&" * (length // 4), "/" + "%41" * (length // 3)):
                    statuses = self.answers(request(address, "Connection: close"), 3)
                    self.assertLessEqual(len(statuses), 1)
                    self.assertLessEqual(set(statuses), {200, 404, 413, 414, 422, 431, 500})

    def test_headers_that_are_too_many(self):
        for headers in ([f"X-{i}: {'y' * 100}" for i in range(10000)], ["X: " + "y" * 1000000]):
            self.assertLessEqual(set(self.answers(request(BOARD, *headers))), {413, 431})

    def test_bodies_that_are_too_long(self):
        for size, statuses in ((1 << 20, [200]), ((1 << 20) + 1, [413]), (100 << 20, [413])):
            with self.subTest(size):
                data = request("/api/goat/boards", f"Content-Length: {size}", "Connection: close", method="POST")
                self.assertEqual(self.answers(data + b"\n" * min(size, 1 << 21)), statuses)
        chunk = b"10000\r\n" + b"\n" * 0x10000 + b"\r\n"
        data = request("/api/goat/boards", "Transfer-Encoding: chunked", "Connection: close", method="POST")
        self.assertLessEqual(set(self.answers(data + 40 * chunk + b"0\r\n\r\n")), {413})
        self.assertLessEqual(set(self.answers(data + 1000 * chunk + b"0\r\n\r\n")), {413})

    def test_a_second_request_is_not_smuggled_in(self):
        """Where a body's length can be read in two ways, one answer comes at most, and what follows is not looked at."""
        hidden = request("/api/klotski/board/start", method="GET")
        body = b"0\r\n\r\n" + hidden
        for headers in (["Content-Length: 5", "Transfer-Encoding: chunked"],
                        ["Transfer-Encoding: chunked", f"Content-Length: {len(body)}"],
                        ["Content-Length: 5", f"Content-Length: {len(body)}"],
                        ["Content-Length: 5", "Content-Length: 5"], ["Content-Length: 5, 5"], ["Content-Length: +5"],
                        ["Content-Length: 0x5"], ["Content-Length: -1"], ["Content-Length: 5 5"],
                        ["Content-Length: 99999999999999999999999"], ["Transfer-Encoding: xchunked"],
                        ["Transfer-Encoding: chunked, identity"], ["Transfer-Encoding: identity, chunked"],
                        ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"], ["Transfer-Encoding : chunked"],
                        ["Transfer-Encoding:\x0bchunked"]):
            for method, address in (("POST", "/api/goat/boards"), ("GET", BOARD)):
                with self.subTest(headers=headers, method=method):
                    came = self.server.raw(request(address, *headers, method=method) + body, 0.5)
                    self.assertNotIn(b'"klotski"', came)
        for chunks in (b"5\r\nstart\r\n0\r\n\r\n", b"5;x=y\r\nstart\r\n0\r\n\r\n", b"fffffffffffffffff\r\nx", b"-5\r\nstart\r\n0\r\n\r\n",
                       b"5\nstart\n0\n\n", b"5\r\nstartX0\r\n\r\n", b"zz\r\nx\r\n0\r\n\r\n"):
            with self.subTest(chunks=chunks):
                data = request("/api/goat/boards", "Transfer-Encoding: chunked", "Connection: close", method="POST")
                self.assertLessEqual(set(self.answers(data + chunks, 0.5)), {200, 400, 413})

    def test_many_requests_at_once_in_one_connection(self):
        came = self.server.raw(request(BOARD) * 999 + request(BOARD, "Connection: close"))
        self.assertEqual(len(re.findall(rb"HTTP/1\.1 200 ", came)), 1000)

    def test_connections_that_say_little(self):
        """More half-open and slow ones than the server takes: those it has are closed when their time is over, also
        those that send a byte now and then, and somebody who asks is answered, at the latest then."""
        slow, dropped = [], 0
        with contextlib.ExitStack() as holder:
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),
                                                        resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
            for i in range(200 if SHORT else 3000):
                connection = holder.enter_context(socket.socket())
                connection.settimeout(30)
                connection.connect((HOST, self.server.port))
                with contextlib.suppress(ConnectionError):
                    connection.sendall((b"", b"GET /api/goat", b"POST /api/goat/boards HTTP/1.1\r\nHost: x\r\n"
                                        b"Content-Length: 1000\r\n\r\nsta")[i % 3])
                slow.append(connection)
            if SHORT:
                self.ask(BOARD)
                return
            end = time.monotonic() + 90
            while slow and time.monotonic() < end:
                time.sleep(2)
                left = []
                for connection in slow:
                    connection.setblocking(False)
                    try:
                        connection.send(b"x")
                        if connection.recv(1000) == b"":
                            dropped += 1
                            continue
                    except BlockingIOError:
                        pass
                    except ConnectionError:
                        dropped += 1
                        continue
                    left.append(connection)
                slow = left
            self.assertEqual((len(slow), dropped), (0, 3000))
        self.ask(BOARD)

    def test_a_client_that_does_not_read(self):
        """It is let go after a minute at most, and answers for it are not kept in memory without end."""
        before = self.server.memory()
        with contextlib.ExitStack() as holder:
            for _ in range(50):
                connection = holder.enter_context(socket.create_connection((HOST, self.server.port), 30))
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                with contextlib.suppress(ConnectionError, socket.timeout):
                    connection.settimeout(1)
                    connection.sendall(request("/api/goat/hardest.svg") * 200)
            self.ask(BOARD)
            self.assertLess(self.server.memory() - before, 200000)

    def test_many_connections(self):
        """Memory is what it was, after as many connections of each sort as are made."""
        def one(i):
            with contextlib.suppress(ConnectionError), socket.create_connection((HOST, self.server.port), 30) as client:
                client.settimeout(30)
                data = (request(BOARD, "Connection: close"), b"GET /api", request("/%"), b"\xff" * 100, b"",
                        request("/api/goat/boards", "Content-Length: 6", method="POST") + b"start\n")[i % 6]
                client.sendall(data)
                if i % 6 in (0, 2):
                    client.recv(1000)
        for i in range(CONNECTIONS // 5):
            one(i)
        before = self.server.memory()
        for i in range(CONNECTIONS):
            one(i)
        self.assertTrue(wait_until(lambda: self.server.memory() - before < (100000 if SANITIZED else 4000), 30),
                        f"{self.server.memory()} KiB, before {before}")


if __name__ == "__main__":
    unittest.main()
