/* targets.h - everything that reads bytes from outside, as functions of arbitrary bytes.
 *
 * A target must return: if the reader refuses, with a reason that names the file; if it accepts, with valid results;
 * anything else ends the program (expect).  Targets touch no file system and keep nothing between calls,
 * so that millions of inputs a minute can be tried, and any input alone shows its fault again.
 *
 *     make fuzz                       one program a target: clang's libFuzzer with AddressSanitizer and UBSan
 *     fuzz/fuzz_lime -max_total_time=600 -dict=lime.dict NEW tests/fuzz/corpus/lime
 *     tests/fuzz/test_corpus          the kept inputs alone, with any compiler: a part of make check */
#ifndef KILN_TESTS_FUZZ_TARGETS_H
#define KILN_TESTS_FUZZ_TARGETS_H

#include "src/io/links_file.h"
#include "src/io/links_formats.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Whether the reader accepts these bytes. */
typedef bool fuzz_target(const uint8_t *bytes, size_t n);

fuzz_target fuzz_input;         /* the input of a run against its tables: YAML, with a --set before it */
fuzz_target fuzz_check;         /* the same, with all that is asked before a run begins */
fuzz_target fuzz_state;         /* the state of a stream: JSON */
fuzz_target fuzz_xml;           /* a tag in a record */
fuzz_target fuzz_metadata;      /* the records around the links, as texts */
fuzz_target fuzz_lime;          /* a whole LIME file */
fuzz_target fuzz_nersc;         /* a NERSC archive */
fuzz_target fuzz_milc;          /* a MILC v5 file */
fuzz_target fuzz_openqcd;       /* a configuration of openQCD */
fuzz_target fuzz_propagator;    /* a SciDAC file of propagators */
fuzz_target fuzz_npy;           /* an array of NumPy's */
fuzz_target fuzz_rational;      /* rational functions in MILC's format */
fuzz_target fuzz_record;        /* run.jsonl */

/* The name that stands for the file in reasons. */
#define FUZZ_NAME "outside"

/* abort, with the sentence, unless `condition` holds. */
void expect(bool condition, const char *sentence);

/* A reader that refuses must give a reason that begins with the name of the file. */
void expect_reason(const char *why, const char *name);

/* A file in memory with these bytes, for readers that ask for a path; valid until the next call. */
const char *fuzz_file(const uint8_t *bytes, size_t n);

/* The bytes as a text (free): up to the first zero. */
char *fuzz_text(const uint8_t *bytes, size_t n);

/* The reader of a format (ILDG: also of SciDAC) on these bytes, if they begin as the format does; what it takes must be
 * links: believable extents, finite numbers of 32 or 64 bits.  Whether it takes them. */
bool fuzz_links(links_format format, const uint8_t *bytes, size_t n);

#endif
