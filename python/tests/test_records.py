"""Tests of lines that a record leaves out, and of parts of it."""

import json
import os
import unittest

from test_kiln import Files, kiln


class LeftOut(Files):
    """Lines that do not continue those before them."""

    def write_lines(self, lines, segments=()):
        if segments:
            with open(os.path.join(self.folder.name, "segments.jsonl"), "w") as file:
                file.writelines(json.dumps(segment) + "\n" for segment in segments)
        return self.write("".join(json.dumps(line) + "\n" for line in lines).encode())

    def test_repeated_lines_are_left_out(self):
        r = kiln.read_record(self.write_lines([{"trajectory": n, "thermalization": n < 3, "x": i}
                                               for i, n in enumerate((11, 12, 13, 13, 11, 12, 14, 20))]))
        self.assertEqual((r.trajectory.tolist(), r["x"].tolist()), ([11, 12, 13, 14, 20], [0, 1, 2, 6, 7]))
        self.assertEqual((r.left_out, r.damaged), ([4, 5, 6], []))
        for part in (r.between(12, 13), r.after_thermalization(), r.with_settings("m", None)):
            self.assertEqual(part.left_out, [4, 5, 6])

    def test_lines_with_other_parameters_than_those_of_their_segment_are_left_out(self):
        def line(n, digest):
            return {"trajectory": n, "chain": "0x%d" % n, "input_digest": digest, "x": n}
        segments = [{"first_trajectory": 3, "input_digest": "0xa"}, {"first_trajectory": 6, "input_digest": "0xb"}]
        # 1 and 2: of a program without chains.  The second 4 repeats nothing, as the one before it is left out.
        lines = [{"trajectory": 1, "x": 1}, {"trajectory": 2, "x": 2}, line(3, "0xa"), line(4, "0xb"), line(4, "0xa"),
                 line(5, "0xa"), line(6, "0xa"), line(6, "0xb"), line(7, "0xc"), line(8, "0xb")]
        path = self.write_lines(lines, segments)
        r = kiln.read_record(path)
        self.assertEqual((r.trajectory.tolist(), r.left_out), ([1, 2, 3, 4, 5, 6, 8], [4, 7, 9]))
        os.remove(os.path.join(self.folder.name, "segments.jsonl"))
        r = kiln.read_record(path)                                       # no segment says what their digest is
        self.assertEqual((r.trajectory.tolist(), r.left_out), ([1, 2, 3, 4, 5, 6, 7, 8], [5, 8]))
        # Segments of a program that wrote no digest, and lines from before the first segment.
        for segments in ([{"first_trajectory": 1}], [{"first_trajectory": 9, "input_digest": "0xd"}]):
            r = kiln.read_record(self.write_lines(lines, segments))
            self.assertEqual((r.trajectory.tolist(), r.left_out), ([1, 2, 3, 4, 5, 6, 7, 8], [5, 8]))

        # Lines without chains, of earlier programs, say nothing of their parameters.
        r = kiln.read_record(self.write_lines([{"trajectory": n} for n in range(1, 10)], [
            {"first_trajectory": 1, "input_digest": "0xa"}]))
        self.assertEqual((len(r), r.left_out), (9, []))

    def test_ends_of_a_range(self):
        r = kiln.Record([{"trajectory": n} for n in range(1, 6)])
        for ends, expected in (((None, 3), [1, 2, 3]), ((4, None), [4, 5]), ((None, None), [1, 2, 3, 4, 5])):
            self.assertEqual(r.between(*ends).trajectory.tolist(), expected)


if __name__ == "__main__":
    unittest.main()
