/* plan_disk.c - the disk space that a run needs until its end. */
#include "src/tune/plan.h"

#include "src/ensemble/ensemble_files.h"
#include "src/comm/comm.h"
#include "src/ensemble/latest_links.h"
#include "src/hmc/smd.h"
#include "src/io/links_file.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

/* Bytes of a file in addition to the links: XML, headers, the state of the stream. */
#define FILE_HEADERS 8192.0

/* Bytes of a line if there is no record yet: a line with a few terms, timers and residuals. */
#define LINE_BYTES 4096.0

/* Two states are kept, and a third one is written before the oldest is removed. */
enum { CHECKPOINTS = 3 };

static double file_bytes(const run_params *p, int64_t bits)
{
    return (double)links_count(p->extents) * (double)bits / 8 + FILE_HEADERS;
}

/* Momenta and pseudofermions, or replicas, beside a checkpoint.  Pseudofermions are on one parity, their arrays on all
 * sites. */
static double field_files_bytes(const run_params *p)
{
    const lattice_shape shape = run_shape(p);
    const double all = (double)smd_bytes(p, &shape), momenta = (double)momentum_bytes(&shape, PRECISION_DOUBLE);
    if (run_is_tempered(p))
        return (double)(p->tempering.replicas - 1) * file_bytes(p, 64);
    return run_is_smd(p) ? (momenta + 2 * (all - momenta)) * comm_size(comm_world()) : 0;
}

/* Bytes of a line in the existing record. */
static double line_bytes(const run_params *p, int64_t trajectories)
{
    struct stat what;
    text path = path_in_folder(p->output.directory, "run.jsonl");
    bool there = stat(text_string(&path), &what) == 0;
    text_free(&path);
    return there && trajectories > 0 && what.st_size > 0 ? (double)what.st_size / (double)trajectories : LINE_BYTES;
}

/* Remove the last part of a path; false if there is none. */
static bool parent(text *path)
{
    while (path->length > 1 && path->s[path->length - 1] == '/')
        path->s[--path->length] = '\0';
    char *slash = strrchr(path->s, '/');
    if (!slash) {
        bool here = strcmp(path->s, ".") == 0;
        text_clear(path);
        text_add(path, ".");
        return !here;
    }
    if (slash == path->s && path->length == 1)
        return false;
    path->length = slash == path->s ? 1 : (size_t)(slash - path->s);
    path->s[path->length] = '\0';
    return true;
}

static double bytes_available(text *folder)
{
    struct statvfs what;
    while (statvfs(text_string(folder), &what) != 0)
        if (!parent(folder))
            return NAN;
    return (double)what.f_bavail * (double)what.f_frsize;
}

void plan_disk_make(plan_disk *d, const run_params *p)
{
    const int64_t done = latest_links_trajectories(p), every = p->output.configuration_every;
    *d = (plan_disk){ .trajectories = p->hmc.trajectories > done ? p->hmc.trajectories - done : 0 };
    if (d->trajectories > 0)
        d->configurations = run_last_trajectory(p) / every - (p->start.trajectory + done) / every;
    d->configuration = file_bytes(p, p->output.bits);
    d->checkpoint = file_bytes(p, 64) + field_files_bytes(p);
    d->checkpoints = d->trajectories > 0 ? CHECKPOINTS * d->checkpoint : 0;
    d->record = (double)d->trajectories * line_bytes(p, done);
    d->total = (double)d->configurations * d->configuration + d->checkpoints + d->record;
    text_add(&d->folder, "%s", p->output.directory);
    d->available = bytes_available(&d->folder);
}
