/* ensemble_state.c - is a file a state of this stream, damaged, unreadable, or a file of another stream?
 *
 * A file counts as damaged only if every byte of it could be read: a missing permission, a disk that does not answer,
 * or too many open files are no property of the file. */
#include "src/ensemble/ensemble_state.h"

#include "src/base/memory.h"
#include "src/comm/comm.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether every byte of a file can be read; true for a folder, which has none. */
static bool can_read_bytes(const char *path, failure *f)
{
    enum { CHUNK = 1 << 20 };
    struct stat what;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), reason = 0;
    if (descriptor < 0 || fstat(descriptor, &what) != 0)
        reason = errno;
    if (reason == 0 && S_ISREG(what.st_mode)) {
        char *bytes = memory_alloc(CHUNK, "bytes of a file");
        ssize_t n;
        while ((n = read(descriptor, bytes, CHUNK)) > 0)
            continue;
        reason = n < 0 ? errno : 0;
        memory_free(bytes);
    }
    if (descriptor >= 0)
        close(descriptor);
    return reason == 0 || fail_system(f, reason, "%s: cannot be read: %s; Kiln did not touch it", path,
                                      strerror(reason));
}

/* The same for all ranks. */
static bool can_be_read(const char *path, failure *f)
{
    const comm *world = comm_world();
    return comm_agree(world, !comm_is_root(world) || can_read_bytes(path, f), f);
}

state_verdict state_file_verdict(const char *path, failure *f)
{
    return can_be_read(path, f) ? STATE_DAMAGED : STATE_UNTOUCHABLE;
}

static bool same_stream(const run_state *a, const run_state *b)
{
    return a->seed == b->seed && a->stream == b->stream && a->input_digest == b->input_digest;
}

/* Whether a file with valid metadata belongs to another ensemble. */
static bool is_foreign(const links_info *info, const int global[4], const run_state *wanted, const char *path,
                       failure *f)
{
    if (memcmp(info->extents, global, sizeof info->extents) != 0)
        return !fail(f, "%s: its lattice is %s, but this ensemble has %s; Kiln did not touch it; move it away and run "
                        "again", path, extents_to_text(info->extents).s, extents_to_text(global).s);
    if (info->has_state && !same_stream(&info->state, wanted))
        return !fail(f, "%s: belongs to another stream or other parameters; Kiln did not touch it; move it away and "
                        "run again", path);
    return false;
}

state_verdict state_file_load(gauge *u, configuration_facts *facts, const state_file *file, const run_state *wanted,
                              failure *f)
{
    links_info info;
    const char *path = file->path;
    if (!links_read_info(path, &info, f))
        return state_file_verdict(path, f);
    if (is_foreign(&info, lattice_global(u->links.lattice), wanted, path, f))
        return STATE_UNTOUCHABLE;
    if (!info.has_state) {
        fail(f, "%s: no run can continue from this file: it has no valid record kiln-run-state", path);
        return STATE_DAMAGED;
    }
    if (info.state.trajectory != file->trajectory) {
        fail(f, "%s: is the state after trajectory %" PRId64 ", but its name has trajectory %" PRId64, path,
             info.state.trajectory, file->trajectory);
        return STATE_DAMAGED;
    }
    return configuration_load(u, LINKS_AS_STORED, facts, path, f) ? STATE_VALID : state_file_verdict(path, f);
}

static bool same_fields(const run_state *a, const run_state *b)
{
    return a->has_fields == b->has_fields && a->lacks_fields == b->lacks_fields && a->fields == b->fields;
}

/* Whether two states have the same past: the same chain, or, without chains, the same beginning of the stream. */
static bool same_past(const run_state *a, const run_state *b)
{
    return a->chained == b->chained
           && (a->chained ? a->chain == b->chain : a->parent_digest == b->parent_digest);
}

/* Compares more than links: the same configuration can be a state of two streams. */
state_verdict state_file_compare(const gauge *u, const char *path, const run_state *state, uint64_t *digest,
                                 failure *f)
{
    links_info info;
    bool same_links = false;
    links_file *file = links_file_open(path, &info, f);
    const bool readable = file && configuration_compare(&same_links, digest, file, &info, u, f);
    links_file_close(file);
    if (!readable)
        return state_file_verdict(path, f);
    if (same_links && info.has_state && same_stream(&info.state, state) && info.state.trajectory == state->trajectory
        && same_past(&info.state, state) && same_fields(&info.state, state)
        && state_memory_same(&info.state.memory, &state->memory))
        return STATE_VALID;
    fail_system(f, EEXIST, "%s: exists already with other links or another state; Kiln does not overwrite it; a run "
                           "with the parameters (parameters*.yaml) and the program (run.log) that made the file "
                           "generates it again", path);
    return STATE_UNTOUCHABLE;
}
