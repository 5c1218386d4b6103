"""Tests of the digests of lines, and of records with lines that were changed."""

import json
import unittest

import numpy as np

from test_kiln import Files, kiln
from kiln import checksums
from kiln.checksums import check_lines, digests64, unchanged


def checksummed(**members):
    """A line as Kiln writes it, without its end."""
    body = json.dumps(members)[:-1].encode()
    return body + b', "digest": "0x%016x"}' % digests64([body])[0]


class Digests(unittest.TestCase):
    def test_texts_of_any_lengths(self):
        """FNV-1a of 64 bits, by its definition; and two of its published values."""
        rng = np.random.default_rng(1)
        texts = [rng.integers(0, 256, size=n, dtype=np.uint8).tobytes() for n in (0, 1, 700, 3, 700, 41, 0, 2)]
        many = texts * 3
        self.assertGreaterEqual(len(many), checksums._MANY)
        for text, found in zip(texts + many, digests64(texts) + digests64(many)):
            digest = 0xcbf29ce484222325
            for byte in text:
                digest = (digest ^ byte) * 0x100000001b3 % 2 ** 64
            self.assertEqual(found, digest)
        self.assertEqual(digests64([b"a", b"foobar"]), [0xaf63dc4c8601ec8c, 0x85944171f73967e8])
        self.assertEqual(digests64([]), [])

    def test_lines(self):
        whole = checksummed(trajectory=1, x=0.5)
        changed = whole.replace(b"0.5", b"0.6")
        none = b'{"trajectory": 1, "name": ", \\"digest\\": \\"0x0000000000000000\\"}"}'
        self.assertEqual(check_lines([whole, changed, none, b""]), [True, False, None, None])
        self.assertEqual(unchanged([none, whole, changed, none, whole]), [True, True, False, False, True])


class ChangedRecords(Files):
    """A line that does not have its digest is left out and named, as kiln export and kiln audit do."""

    def test_changed_lines_are_left_out(self):
        lines = [checksummed(trajectory=n, thermalization=False, dH=0.25) for n in (1, 2, 3, 4)]
        lines[1] = lines[1].replace(b"0.25", b"9.25")
        lines[2] = lines[2][:lines[2].index(b', "digest"')] + b"}"
        record = kiln.read_record(self.write(b"\n".join(lines) + b"\n"))
        self.assertEqual((record.damaged, record.torn), ([2, 3], False))
        self.assertEqual(record.trajectory.tolist(), [1, 4])
        self.assertEqual(record["dH"].tolist(), [0.25, 0.25])

    def test_records_of_programs_that_wrote_no_digests(self):
        lines = [b'{"trajectory": 1, "dH": 0.5}', b'{"trajectory": 2, "dH": 0.5}', checksummed(trajectory=3, dH=0.5)]
        record = kiln.read_record(self.write(b"\n".join(lines) + b"\n"))
        self.assertEqual((record.damaged, record.trajectory.tolist()), ([], [1, 2, 3]))


if __name__ == "__main__":
    unittest.main()
