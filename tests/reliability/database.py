"""A database file as docs/format.md describes it, read without any of pdb's code: where its records lie, which bytes
mean something, what deflated data inflate to, and how to make its checksums right again after a change."""

import ctypes
import json
import os
import struct
import tempfile
import zlib

PAGE = 4096
EXTENT = 511 * PAGE - 16
CHUNK = 16384

_xxhash = ctypes.CDLL("libxxhash.so.0")
_lmdb = ctypes.CDLL("liblmdb.so.0")


class _Hash128(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


_xxhash.XXH3_64bits_withSeed.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64]
_xxhash.XXH3_64bits_withSeed.restype = ctypes.c_uint64
_xxhash.XXH3_128bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
_xxhash.XXH3_128bits.restype = _Hash128


def hash64(text, seed):
    return _xxhash.XXH3_64bits_withSeed(text, len(text), seed)


def hash128(text):
    result = _xxhash.XXH3_128bits(text, len(text))
    return f"{result.high:016x}{result.low:016x}"


def checksums(key, payload, identity):
    """The table behind a payload."""
    seed, table = hash64(key, identity), b""
    for page in range((len(payload) + 16 + 4095) // 4096):
        part = payload[max(0, PAGE * page - 16):PAGE * (page + 1) - 16]
        table += struct.pack("<Q", hash64(part, (seed + page) % 2**64))
    return table


def deflated(chunk):
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return deflate.compress(chunk) + deflate.flush()


class _Value(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("bytes", ctypes.c_char_p)]


def lmdb_file(values):
    """The bytes of a file that LMDB makes of these keys and values."""
    no_subdirectory, no_lock = 0x4000, 0x400000
    environment, transaction, database = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_uint()
    handle, path = tempfile.mkstemp(suffix=".pdb")
    os.close(handle)
    try:
        assert _lmdb.mdb_env_create(ctypes.byref(environment)) == 0
        assert _lmdb.mdb_env_set_mapsize(environment, ctypes.c_size_t(1 << 30)) == 0
        assert _lmdb.mdb_env_open(environment, path.encode(), no_subdirectory | no_lock, 0o600) == 0
        assert _lmdb.mdb_txn_begin(environment, None, 0, ctypes.byref(transaction)) == 0
        assert _lmdb.mdb_dbi_open(transaction, None, 0, ctypes.byref(database)) == 0
        for key, value in values.items():
            pair = _Value(len(key), key), _Value(len(value), value)
            assert _lmdb.mdb_put(transaction, database, *map(ctypes.byref, pair), 0) == 0
        assert _lmdb.mdb_txn_commit(transaction) == 0
        _lmdb.mdb_env_close(environment)
        with open(path, "rb") as file:
            return file.read()
    finally:
        os.unlink(path)


class Database:
    """`bytes` is the file, and may be changed; `records` says where each key's value lies: (offset, length). `meaning`
    has a 1 for every byte of the file on which an answer, a check or LMDB's way to a value depends; the others are
    unused room and pages of old."""

    def __init__(self, content):
        self.bytes = bytearray(content)
        self.meaning = bytearray(len(content))
        self.records = {}
        metas = sorted((0, 1), key=lambda page: self.number(page * PAGE + 144, 8))
        for page in metas:
            self._mark(page, (0, 8), (10, 12), (16, 24), (40, 44), (144, 152))
        meta = metas[1]
        self._mark(meta, (24, 32), (92, 144))
        self._walk(self.number(meta * PAGE + 128, 8), self.number(meta * PAGE + 94, 2))
        self.header = json.loads(self.payload(b"header"))

    def number(self, offset, size):
        return int.from_bytes(self.bytes[offset:offset + size], "little")

    def _mark(self, page, *ranges):
        for begin, end in ranges:
            self.meaning[page * PAGE + begin:page * PAGE + end] = b"\1" * (end - begin)

    def _walk(self, page, depth):
        base = page * PAGE
        lower = self.number(base + 12, 2)
        self._mark(page, (0, 8), (10, 14), (16, lower))
        for slot in range(16, lower, 2):
            node = self.number(base + slot, 2)
            low, high, flags, size = struct.unpack_from("<HHHH", self.bytes, base + node)
            end = node + 8 + size
            if depth > 1:
                self._mark(page, (node, end) if slot > 16 else (node, node + 8))
                self._walk(low | high << 16 | flags << 32, depth - 1)
                continue
            key, length, begin = bytes(self.bytes[base + node + 8:base + end]), low | high << 16, base + end
            if flags == 1:
                first = self.number(begin, 8)
                end, begin = end + 8, first * PAGE + 16
                self._mark(first, (0, 8), (10, 16))
            self._mark(page, (node, end))
            self.records[key] = (begin, length)
            self.meaning[begin:begin + length] = b"\1" * length

    # -- records --

    def payload_bytes(self, key):
        length = self.records[key][1]
        return length - 8 * ((length + 16 + 4103) // 4104)

    def payload(self, key):
        begin = self.records[key][0]
        return bytes(self.bytes[begin:begin + self.payload_bytes(key)])

    def extents(self):
        return sorted(key for key in self.records if key.startswith(b"data "))

    def hardest(self):
        return [index for index, in struct.iter_unpack("<Q", self.payload(b"hardest"))]

    def kept_offset(self, offset):
        """Where a byte of what is kept of the data lies in the file."""
        return self.records[b"data %08x" % (offset // EXTENT)][0] + offset % EXTENT

    def deflated(self):
        return self.header["kept_bytes"] != self.header["data_bytes"]

    def chunks(self):
        """The data, in chunks where they are deflated, else in one piece."""
        kept = b"".join(map(self.payload, self.extents()))
        assert len(kept) == self.header["kept_bytes"]
        if not self.deflated():
            return [kept]
        count = -(-self.header["data_bytes"] // CHUNK)
        ends = [8 * count, *struct.unpack_from(f"<{count}Q", kept)]
        assert ends[-1] == len(kept)
        chunks = [zlib.decompress(kept[begin:end], -15) for begin, end in zip(ends, ends[1:])]
        assert list(map(len, chunks[:-1])) == [CHUNK] * (count - 1)
        assert sum(map(len, chunks)) == self.header["data_bytes"]
        return chunks

    def data_byte(self, offset):
        if self.deflated():
            return self.chunks()[offset // CHUNK][offset % CHUNK]
        return self.bytes[self.kept_offset(offset)]

    def with_data(self, offset, values):
        """The file with other bytes in its data, and right checksums."""
        forged = Database(self.bytes)
        if not self.deflated():
            for at, value in enumerate(values, offset):
                forged.bytes[forged.kept_offset(at)] = value
            forged.seal()
            return forged.bytes
        data = bytearray(b"".join(self.chunks()))
        data[offset:offset + len(values)] = values
        return self.with_chunks([deflated(bytes(data[at:at + CHUNK])) for at in range(0, len(data), CHUNK)])

    def with_chunks(self, chunks):
        """Another file, with these deflated chunks, and right checksums."""
        end, ends = 8 * len(chunks), []
        for chunk in chunks:
            end += len(chunk)
            ends.append(struct.pack("<Q", end))
        kept = b"".join([*ends, *chunks])
        records = {b"data %08x" % (at // EXTENT): kept[at:at + EXTENT] for at in range(0, len(kept), EXTENT)}
        records |= {key: self.payload(key) for key in (b"hardest", b"histogram")}
        identity = self._identity()
        tables = b"".join(checksums(key, payload, identity) for key, payload in records.items())
        header = self.header | {"kept_bytes": len(kept), "content": hash128(tables)}
        values = {key: payload + checksums(key, payload, identity) for key, payload in records.items()}
        text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
        return lmdb_file(values | {b"header": text + checksums(b"header", text, 0)})

    # -- checksums --

    def _identity(self):
        return int.from_bytes(bytes.fromhex(self.header["definition"])[:8], "little")

    def _seal_value(self, key, identity):
        """Makes a record's checksums anew, and gives its table."""
        begin, length = self.records[key]
        table = checksums(key, self.payload(key), identity)
        self.bytes[begin + length - len(table):begin + length] = table
        return table

    def change_header(self, key, value):
        """Gives a key of the header another value, of the same length in the file, and the header its checksum."""
        begin, text = self.records[b"header"][0], self.payload(b"header").decode()
        write = lambda value: json.dumps({key: value}, ensure_ascii=False, separators=(",", ":"))[1:-1]
        number = isinstance(self.header[key], int)
        old, new = write(self.header[key]), write(int(value) if number else value)
        assert text.count(old) == 1 and len(old.encode()) == len(new.encode()), (old, new)
        text = text.replace(old, new).encode()
        self.bytes[begin:begin + len(text)] = text
        self._seal_value(b"header", 0)
        self.header[key] = value

    def seal(self):
        """All checksums and the content's digest anew: what a forger would do."""
        tables = [self._seal_value(key, self._identity()) for key in [*self.extents(), b"hardest", b"histogram"]]
        self.change_header("content", hash128(b"".join(tables)))


def unmoved(content):
    """Whether sealing a good file anew gives the same bytes: the test of this reader, and of docs/format.md."""
    database = Database(content)
    database.seal()
    return database.bytes == content
