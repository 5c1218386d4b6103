/* scratch.h - for tests of files: a temporary folder, random links, and simple writers of the formats that Kiln only
 * reads.  Links are doubles, [t][z][y][x][mu][row][col][re,im]. */
#ifndef KILN_TESTS_IO_SCRATCH_H
#define KILN_TESTS_IO_SCRATCH_H

#include <complex.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A temporary folder in $TMPDIR or /tmp; `path` is the buffer of scratch_path. */
typedef struct { char folder[256], path[600]; } scratch;

static inline scratch scratch_create(void)
{
    scratch s;
    const char *where = getenv("TMPDIR");
    snprintf(s.folder, sizeof s.folder, "%s/kiln-test-XXXXXX", where ? where : "/tmp");
    if (!mkdtemp(s.folder)) {
        perror(s.folder);
        exit(1);
    }
    return s;
}

/* The path of a file in the folder; borrowed until the next call. */
static inline const char *scratch_path(scratch *s, const char *name)
{
    snprintf(s->path, sizeof s->path, "%s/%s", s->folder, name);
    return s->path;
}

/* The number of entries whose names do not begin with a dot. */
static inline int scratch_count(const scratch *s)
{
    int n = 0;
    DIR *d = opendir(s->folder);
    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

/* Remove the folder, and the files in it whose names do not begin with a dot. */
static inline void scratch_remove(scratch *s)
{
    DIR *d = opendir(s->folder);
    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        if (e->d_name[0] != '.')
            unlink(scratch_path(s, e->d_name));
    closedir(d);
    rmdir(s->folder);
}

typedef struct { unsigned char *bytes; size_t n; } blob;       /* the caller frees `bytes` with free() */

/* The contents of a file; bytes = NULL if it cannot be opened. */
static inline blob blob_read(const char *path)
{
    blob b = { NULL, 0 };
    FILE *file = fopen(path, "rb");
    if (!file)
        return b;
    fseek(file, 0, SEEK_END);
    b.n = (size_t)ftell(file);
    rewind(file);
    b.bytes = malloc(b.n + 1);
    b.n = fread(b.bytes, 1, b.n, file);
    fclose(file);
    return b;
}

static inline void blob_write(const char *path, const void *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, n, file) != n || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

/* Uniform in [0, 1), by a linear congruential generator modulo 2^64. */
static inline double scratch_uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* Rows made orthonormal as MILC does it after reading: row0, row1, and row2 = (row0 x row1)^*. */
static inline void reunitarize(double *reals)
{
    double complex u[3][3];
    memcpy(u, reals, sizeof u);
    for (int row = 0; row < 2; row++) {
        double complex overlap = 0;
        double norm = 0;
        for (int i = 0; row == 1 && i < 3; i++)
            overlap += conj(u[0][i]) * u[1][i];
        for (int i = 0; row == 1 && i < 3; i++)
            u[1][i] -= overlap * u[0][i];
        for (int i = 0; i < 3; i++)
            norm += creal(u[row][i] * conj(u[row][i]));
        for (int i = 0; i < 3; i++)
            u[row][i] /= csqrt(norm);
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        u[2][i] = conj(u[0][j] * u[1][k] - u[0][k] * u[1][j]);
    }
    memcpy(reals, u, sizeof u);
}

static inline size_t volume(const int n[4])
{
    return (size_t)n[0] * (size_t)n[1] * (size_t)n[2] * (size_t)n[3];
}

/* Random SU(3) links; release with free(). */
static inline double *random_links(const int n[4], uint64_t seed)
{
    double *links = malloc(volume(n) * 72 * sizeof *links);
    for (size_t i = 0; i < volume(n) * 72; i++)
        links[i] = 2 * scratch_uniform(&seed) - 1;
    for (size_t i = 0; i < volume(n) * 72; i += 18)
        reunitarize(links + i);
    return links;
}

/* U_mu(at)[i][j]; coordinates past the end wrap around. */
static inline double complex link_element(const double *links, const int n[4], const int at[4], int mu, int i, int j)
{
    size_t site = 0;
    for (int nu = 3; nu >= 0; nu--)
        site = site * (size_t)n[nu] + (size_t)(at[nu] % n[nu]);
    const double *u = links + ((site * 4 + (size_t)mu) * 9 + (size_t)(3 * i + j)) * 2;
    return u[0] + I * u[1];
}

/* Mean over sites and planes of Re Tr U_mu(x) U_nu(x+mu) U_mu(x+nu)^+ U_nu(x)^+ / 3. */
static inline double plain_plaquette(const double *links, const int n[4])
{
    double sum = 0;
    for (size_t site = 0; site < volume(n); site++)
        for (int mu = 1; mu < 4; mu++)
            for (int nu = 0; nu < mu; nu++) {
                int x[4], xm[4], xn[4];
                size_t rest = site;
                for (int d = 0; d < 4; d++) {
                    x[d] = xm[d] = xn[d] = (int)(rest % (size_t)n[d]);
                    rest /= (size_t)n[d];
                }
                xm[mu]++;
                xn[nu]++;
                for (int a = 0; a < 3; a++)
                    for (int b = 0; b < 3; b++) {
                        double complex up = 0, down = 0;
                        for (int c = 0; c < 3; c++) {
                            up += link_element(links, n, x, mu, a, c) * link_element(links, n, xm, nu, c, b);
                            down += link_element(links, n, x, nu, a, c) * link_element(links, n, xn, mu, c, b);
                        }
                        sum += creal(up * conj(down));
                    }
            }
    return sum / (18.0 * (double)volume(n));
}

/* Mean over links of Re Tr U / 3. */
static inline double plain_link_trace(const double *links, const int n[4])
{
    double sum = 0;
    for (size_t i = 0; i < volume(n) * 72; i += 18)
        sum += links[i] + links[i + 8] + links[i + 16];
    return sum / (12.0 * (double)volume(n));
}

/* Write a real with `bits` bits (32 or 64), big endian if `big`.  Assumes a little-endian host. */
static inline void put_real(unsigned char *to, double real, int bits, bool big)
{
    float single = (float)real;
    unsigned char native[8];
    memcpy(native, bits == 32 ? (void *)&single : (void *)&real, (size_t)bits / 8);
    for (int i = 0; i < bits / 8; i++)
        to[i] = native[big ? bits / 8 - 1 - i : i];
}

static inline void put_word(unsigned char *to, uint32_t word, bool big)
{
    for (int i = 0; i < 4; i++)
        to[big ? 3 - i : i] = (unsigned char)(word >> 8 * i);
}

static inline uint32_t get_word(const unsigned char *from, bool big)
{
    uint32_t word = 0;
    for (int i = 0; i < 4; i++)
        word |= (uint32_t)from[big ? 3 - i : i] << 8 * i;
    return word;
}

/* `skip` zero bytes for a header, then the first `rows` rows of every link. */
static inline blob put_links(const double *links, const int n[4], int rows, int bits, bool big, size_t skip)
{
    size_t width = (size_t)bits / 8, row = 6 * (size_t)rows;
    blob b = { NULL, skip + volume(n) * 4 * row * width };
    b.bytes = calloc(b.n, 1);
    unsigned char *to = b.bytes + skip;
    for (size_t link = 0; link < volume(n) * 4; link++)
        for (size_t i = 0; i < row; i++, to += width)
            put_real(to, links[link * 18 + i], bits, big);
    return b;
}

/* A MILC configuration (version 5, 32 bits): a header of 96 bytes, which ends with two checksums. */
static inline blob milc_file(const double *links, const int n[4], bool big)
{
    blob b = put_links(links, n, 3, 32, big, 96);
    uint32_t sum[2] = { 0, 0 };
    for (size_t k = 0; k < (b.n - 96) / 4; k++) {
        uint32_t w = get_word(b.bytes + 96 + 4 * k, big);
        for (int i = 0; i < 2; i++) {
            unsigned by = (unsigned)(k % (i ? 31 : 29));
            sum[i] ^= by ? w << by | w >> (32 - by) : w;
        }
    }
    put_word(b.bytes, 20103, big);
    for (int mu = 0; mu < 4; mu++)
        put_word(b.bytes + 4 + 4 * mu, (uint32_t)n[mu], big);
    strcpy((char *)b.bytes + 20, "Thu Jan  1 00:00:00 1970");
    put_word(b.bytes + 88, sum[0], big);
    put_word(b.bytes + 92, sum[1], big);
    return b;
}

/* The mean as the header states it: 0 if it is not finite. */
static inline double stated_mean(double mean)
{
    return mean - mean == 0 ? mean : 0;
}

/* A NERSC configuration with 2 or 3 rows per link; `numbers` is the value of FLOATING_POINT. */
static inline blob nersc_file(const double *links, const int n[4], int rows, int bits, bool big, const char *numbers)
{
    char header[1024];
    blob data = put_links(links, n, rows, bits, big, 0);
    uint32_t sum = 0;
    for (size_t k = 0; k < data.n / 4; k++)
        sum += get_word(data.bytes + 4 * k, big);
    snprintf(header, sizeof header,
             "BEGIN_HEADER\nHDR_VERSION = 1.0\nDATATYPE = 4D_SU3_GAUGE%s\nDIMENSION_1 = %d\nDIMENSION_2 = %d\n"
             "DIMENSION_3 = %d\nDIMENSION_4 = %d\nLINK_TRACE = %.12g\nPLAQUETTE = %.12g\nBOUNDARY_4 = PERIODIC\n"
             "CHECKSUM = %" PRIx32 "\nENSEMBLE_ID = test\nFLOATING_POINT = %s\nEND_HEADER\n",
             rows == 3 ? "_3x3" : "", n[0], n[1], n[2], n[3], stated_mean(plain_link_trace(links, n)),
             stated_mean(plain_plaquette(links, n)), sum, numbers);
    blob b = { malloc(strlen(header) + data.n), strlen(header) + data.n };
    memcpy(b.bytes, header, strlen(header));
    memcpy(b.bytes + strlen(header), data.bytes, data.n);
    free(data.bytes);
    return b;
}

/* max |a[i] - b[i]|; NaN if one of the differences is NaN. */
static inline double largest_difference(const double *a, const double *b, size_t n)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        double off = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
        if (!(off <= largest))
            largest = off;
        if (off != off)
            break;
    }
    return largest;
}

#endif
