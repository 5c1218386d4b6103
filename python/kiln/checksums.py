"""Lines of JSON whose last member is the digest of the text before it, as src/ensemble/checksummed_line.h has them:

    {"trajectory": 7, ..., "digest": "0x0123456789abcdef"}"""

import numpy as np

_OFFSET, _PRIME = 0xcbf29ce484222325, 0x100000001b3               # FNV-1a, 64 bits
_MEMBER = b', "digest": "0x%016x"}'
_LENGTH, _KEY = len(_MEMBER % 0), b', "digest": "0x'
_MANY = 16                               # lines, from which on NumPy is faster
_BYTES = 1 << 26                         # of lines whose digests are computed at once


def digests64(texts):
    """The digest of each text, bytes, as an integer."""
    if len(texts) < _MANY:
        return [_of_one(text) for text in texts]
    order = sorted(range(len(texts)), key=lambda i: -len(texts[i]))
    found, first = [0] * len(texts), 0
    while first < len(order):
        count = max(1, _BYTES // max(1, len(texts[order[first]])))
        part = order[first:first + count]
        for i, digest in zip(part, _of_part([texts[i] for i in part])):
            found[i] = int(digest)
        first += count
    return found


def _of_one(text):
    digest = _OFFSET
    for byte in text:
        digest = (digest ^ byte) * _PRIME & 0xffffffffffffffff
    return digest


def _of_part(texts):
    """Digests of texts, the longest first: byte by byte, of all texts at once."""
    lengths = np.array([len(text) for text in texts])
    rows = np.zeros((len(texts), lengths[0]), dtype=np.uint8)
    for row, text in zip(rows, texts):
        row[:len(text)] = np.frombuffer(text, dtype=np.uint8)
    longer = len(texts) - np.searchsorted(lengths[::-1], np.arange(lengths[0]), side="right")
    digest, prime = np.full(len(texts), _OFFSET, dtype=np.uint64), np.uint64(_PRIME)
    for column, count in zip(np.ascontiguousarray(rows.T), longer):
        digest[:count] ^= column[:count]
        digest[:count] *= prime
    return digest


def check_lines(lines):
    """Of each line, bytes without the end of line: True if its digest holds, False if it does not, None without one."""
    having = [i for i, line in enumerate(lines) if len(line) >= _LENGTH and line[-_LENGTH:].startswith(_KEY)]
    holds = [None] * len(lines)
    for i, digest in zip(having, digests64([lines[i][:-_LENGTH] for i in having])):
        holds[i] = lines[i][-_LENGTH:] == _MEMBER % digest
    return holds


def unchanged(lines):
    """Whether each line is as Kiln wrote it: its digest holds, or neither it nor a line before it has one."""
    begun, found = False, []
    for holds in check_lines(lines):
        begun = begun or holds is not None
        found.append(holds if begun else True)
    return [bool(is_whole) for is_whole in found]
