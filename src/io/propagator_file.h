/* propagator_file.h - propagators of quarks with spin in SciDAC's format: the propagator files of USQCD (QIO).
 *
 *     message 1        scidac-private-file-xml, scidac-file-xml: usqcdPropFile with the type of the file
 *     a message for each field: scidac-private-record-xml, scidac-record-xml (usqcdSourceInfo of a source; of a quark
 *                      usqcdPropInfo with spin and color of its source), scidac-binary-data, scidac-checksum
 *     last message     kiln-propagator: lines "key: value" that say what the quarks are; other codes do not read it
 *
 *     USQCD_DiracFermion_ScalarSource_TwelveSink     one source, a number a site, and 12 quarks: C1D12 of QIO
 *     USQCD_DiracFermion_ScalarSource_Sink_Pairs     such a source before each quark: CD_PAIRS
 *     USQCD_DiracFermion_Source_Sink_Pairs           a spinor as source before each quark: DD_PAIRS
 *
 * QIO declares XML and types in its header with the guard QIOXML_USQCD_PROP_H.
 *
 * The color of the source changes fastest from quark to quark.  A quark at a site is a spinor [spin][color][re, im]
 * in the basis of DeGrand and Rossi, which is that of the format and of Kiln; sites are in lexicographic order; reals
 * are big endian, of 32 or 64 bits.  Each field has its own checksum.  The calls are collective (comm/comm.h). */
#ifndef KILN_IO_PROPAGATOR_FILE_H
#define KILN_IO_PROPAGATOR_FILE_H

#include "src/base/error.h"
#include "src/base/text.h"
#include "src/lattice/slices.h"
#include "src/lattice/vec.h"

typedef enum {
    PROPAGATOR_ONE_SOURCE, PROPAGATOR_SCALAR_PAIRS, PROPAGATOR_PAIRS, PROPAGATOR_TYPES
} propagator_type;
extern const char *const propagator_type_names[];       /* USQCD's */
extern const char *const propagator_basis;              /* the only one of files that Kiln reads and writes */

enum { PROPAGATOR_COLUMNS = 12, PROPAGATOR_SPINOR_REALS = 24 };
enum { PROPAGATOR_BITS_SINGLE = 32, PROPAGATOR_BITS_DOUBLE = 64 };

/* The record of the description. */
#define PROPAGATOR_DESCRIPTION "kiln-propagator"

/* A spinor field on all sites: native vectors of one slice in double precision; borrowed. */
typedef struct { vec *even, *odd; } propagator_field;

/* ---- reading */

typedef struct {
    propagator_type type;
    int extents[4];
    int bits;                       /* of the reals of all quarks */
    int quarks, sources;            /* fields in the file */
    char basis[32];                 /* as the file says; else that of the format */
    text description;               /* lines "key: value"; empty in files of other codes */
} propagator_info;
void propagator_info_free(propagator_info *info);

/* Reads and checks all records but the numbers.  NULL with the reason; then info needs no free. */
typedef struct propagator_file propagator_file;
propagator_file *propagator_file_open(const char *path, propagator_info *info, failure *f);
void propagator_file_close(propagator_file *file);

/* The quark of a column, 3 spin + color, into q: false with the reason if the file has none, its checksum is wrong, or
 * a number is not finite.  Use q only after true. */
bool propagator_file_read(propagator_file *file, int column, propagator_field q, failure *f);

/* The same checks for all fields of the file, without a lattice. */
bool propagator_file_check(propagator_file *file, failure *f);

/* Whether the path is a LIME file with propagators of USQCD. */
bool propagator_file_is_one(const char *path);

/* ---- writing */

typedef struct {
    const lattice *lattice;         /* of the fields */
    propagator_type type;           /* ONE_SOURCE (stores spin 0, color 0 of the source of column 0) or PAIRS */
    int bits;
    const char *about;              /* XML for human readers, in usqcdPropFile; short, because QIO limits it */
    const char *description;        /* lines "key: value"; each ends with a line feed */
} propagator_label;

/* Begin a file under a temporary name.  NULL with the reason; *taken: a file is there that may not be replaced, because
 * it is not a propagator with the same description and bits.  The strings of the label are borrowed for this call, its
 * lattice until the end; commit and abandon free the writer.  Collective. */
typedef struct propagator_writer propagator_writer;
propagator_writer *propagator_writer_open(bool *taken, const char *path, const propagator_label *label, failure *f);

/* Columns in order.  After false, which has the reason, abandon the file. */
bool propagator_writer_put(propagator_writer *w, int column, propagator_field source, propagator_field quark,
                           failure *f);
/* The name, in the same folder, of a new file if another one has appeared under its own (safe_file.h). */
void propagator_writer_set_other_name(propagator_writer *w, const char *path);
/* After the last column.  `description`: that of the label, to which lines "residual: " may have been added. */
bool propagator_writer_commit(propagator_writer *w, const char *description, failure *f);
void propagator_writer_abandon(propagator_writer *w);                   /* NULL is allowed */

/* ---- descriptions */

/* False, with the first line that differs, unless a file has this description; lines that begin with "residual: " are
 * not compared. */
bool propagator_description_check(const propagator_info *info, const char *wanted, const char *path, failure *f);

/* Append the text behind "key: " in the first line with this key; false if there is none. */
bool propagator_description_text(text *value, const propagator_info *info, const char *key);

/* The number in the line "key: number"; false if there is none. */
bool propagator_description_number(double *number, const propagator_info *info, const char *key);

#endif
