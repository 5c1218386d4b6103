/* lime.h - records in a file, as the SciDAC LIME format describes them, behind the interface of c-lime.
 *
 * A file is a sequence of messages, a message a sequence of records, a record is
 *     144 bytes of header    magic 0x456789ab (4), version 1 (2), flags (2: 0x8000 message begins,
 *                            0x4000 message ends), length of the data (8), type, ended by zeros (128);
 *                            all numbers big endian
 *     the data, and zeros up to a multiple of 8 bytes
 *
 * This folder is used where no c-lime is installed: same names, same types, same codes, so that either
 * can be linked.  It is stricter: an invalid header, a record that does not fit into the file, or a type
 * without a terminating zero is an error, never an end of file; and nothing is printed. */
#ifndef KILN_LIME_LIME_H
#define KILN_LIME_LIME_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LIME_MAGIC_NO 1164413355u     /* 0x456789ab */
#define LIME_VERSION  1u

#define LIME_SUCCESS              0
#define LIME_ERR_LAST_NOT_WRITTEN (-1)    /* the message was left without its last record */
#define LIME_ERR_PARAM            (-2)
#define LIME_ERR_HEADER_NEXT      (-3)    /* a header before the record is closed */
#define LIME_LAST_REC_WRITTEN     (-4)    /* never returned; kept for callers that name it */
#define LIME_ERR_WRITE            (-5)
#define LIME_EOR                  (-6)    /* no data left in the record */
#define LIME_EOF                  (-7)    /* no record left in the file */
#define LIME_ERR_READ             (-8)    /* the file is shorter than it says, or not LIME */
#define LIME_ERR_SEEK             (-9)
#define LIME_ERR_MBME             (-10)   /* begin and end of messages do not alternate */
#define LIME_ERR_CLOSE            (-11)

typedef uint16_t n_uint16_t;
typedef uint32_t n_uint32_t;
typedef uint64_t n_uint64_t;

typedef struct {
    unsigned int lime_version;
    int MB_flag, ME_flag;             /* first, last record of a message: 0 or 1 */
    char *type;                       /* at most 127 characters; owned */
    n_uint64_t data_length;
} LimeRecordHeader;

/* NULL without memory or without a type that fits.  Owned by the caller: limeDestroyHeader. */
LimeRecordHeader *limeCreateHeader(int MB_flag, int ME_flag, char *type, n_uint64_t reclen);
void limeDestroyHeader(LimeRecordHeader *h);

/* ---- reading ---- */

typedef struct {
    int first_read;                   /* a header has been read */
    int is_last;                      /* the current record ends its message */
    int header_nextP;                 /* no record is open */
    FILE *fp;                         /* borrowed; must be seekable */
    LimeRecordHeader *curr_header;    /* NULL before the first record; owned */
    n_uint64_t bytes_left;            /* data not yet read */
    n_uint64_t bytes_total;           /* data of the record */
    n_uint64_t rec_ptr;               /* next byte to read, from the start of the data */
    n_uint64_t rec_start;             /* where in the file the data start */
    size_t bytes_pad;                 /* zeros after the data, 0 to 7 */
} LimeReader;

LimeReader *limeCreateReader(FILE *fp);
void limeDestroyReader(LimeReader *r);

/* Go to the next record: LIME_SUCCESS, LIME_EOF behind the last one, or an error. */
int limeReaderNextRecord(LimeReader *r);

int        limeReaderMBFlag(LimeReader *r);       /* of the current record; -1 if there is none */
int        limeReaderMEFlag(LimeReader *r);
char      *limeReaderType(LimeReader *r);         /* borrowed until the next record; NULL if there is none */
n_uint64_t limeReaderBytes(LimeReader *r);
size_t     limeReaderPadBytes(LimeReader *r);

/* Read up to *nbytes of the record's data; *nbytes becomes the number read.  LIME_EOR when none are left. */
int limeReaderReadData(void *dest, n_uint64_t *nbytes, LimeReader *r);
/* Go to a byte of the current record's data; SEEK_SET or SEEK_CUR.  For an offset outside of the data it goes to their
 * nearer end and returns LIME_ERR_SEEK, as c-lime does. */
int limeReaderSeek(LimeReader *r, off_t offset, int whence);
int limeReaderCloseRecord(LimeReader *r);                          /* go behind the record and its padding */

off_t limeGetReaderPointer(LimeReader *r);                         /* offset of the next header in the file */
int   limeSetReaderPointer(LimeReader *r, off_t offset);           /* go to a header at this offset */
int   limeReaderSetState(LimeReader *rdest, LimeReader *rsrc);     /* same record, same place, own file */

/* ---- writing ---- */

typedef struct {
    int first_record;                 /* none has been written */
    int last_written;                 /* the last record written ended its message */
    FILE *fp;                         /* borrowed */
    int header_nextP;                 /* no record is open: a header must follow */
    n_uint64_t bytes_total, bytes_left, rec_ptr, rec_start;   /* as in LimeReader */
    size_t bytes_pad;
    int isLastP;                      /* the current record ends its message */
} LimeWriter;

LimeWriter *limeCreateWriter(FILE *fp);
int limeDestroyWriter(LimeWriter *w);             /* frees w always; LIME_ERR_LAST_NOT_WRITTEN inside a message */

int limeWriteRecordHeader(LimeRecordHeader *props, LimeWriter *w);
/* Write *nbytes of data, at most the rest of the length in the header; *nbytes becomes the number written. */
int limeWriteRecordData(void *source, n_uint64_t *nbytes, LimeWriter *w);
int limeWriterSeek(LimeWriter *w, off_t offset, int whence);       /* as limeReaderSeek */
int limeWriterCloseRecord(LimeWriter *w);                          /* pads; data not written are zeros in a new file */
off_t limeGetWriterPointer(LimeWriter *w);                         /* offset of the next header in the file */

#ifdef __cplusplus
}
#endif

#endif
