/* lab_params.c - the part of an input that trials use, and its digest. */
#include "src/tune/lab_params.h"

#include "src/base/checksum.h"
#include "src/comm/comm.h"
#include "src/io/disk.h"

#include <inttypes.h>
#include <string.h>

run_params lab_params(const run_params *p)
{
    static char none[] = "";
    run_params used = *p;
    used.file = none;
    used.start.file = none;
    used.measurements = (param_list){ .count = 0 };
    used.hmc.trajectories = 0;
    used.hmc.tuning = none;
    used.sdc_check.rate = 0;
    memset(&used.output, 0, sizeof used.output);
    used.output.directory = used.output.name = used.output.lfn = none;
    return used;
}

/* Append the digest of the content of a file; that of no bytes if it cannot be read. */
static bool add_file(const char *key, const param_spec *spec, const void *value, void *context)
{
    text *words = context, content = { 0 };
    const char *path = schema_path_of(spec, value);
    failure why;
    if (path) {
        disk_add_file(&content, path, &why);
        text_add(words, "%s: content %016" PRIx64 "\n", key,
                 digest64(DIGEST64_START, text_string(&content), content.length));
        text_free(&content);
    }
    return true;
}

uint64_t lab_params_digest(const run_params *p, const lattice *l)
{
    const run_params used = lab_params(p);
    text words = { 0 };
    schema_echo(&words, run_param_specs, &used, false);
    schema_each(run_param_specs, &used, add_file, &words);
    text_add(&words, "ghosts: %d\n", lattice_shape_of(l)->ghosts);
    const uint64_t digest = digest64(DIGEST64_START, text_string(&words), words.length);
    text_free(&words);
    return digest;
}
