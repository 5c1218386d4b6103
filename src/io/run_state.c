/* run_state.c - the state of a run as JSON, and back. */
#include "src/io/run_state.h"

#include "src/base/checksum.h"
#include "src/base/json.h"
#include "src/base/json_members.h"
#include "src/io/state_memory_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define OPEN "open"

/* The digest of all other values: it detects every change of the record. */
static uint64_t state_digest(const run_state *state)
{
    const int64_t words[] = { state->trajectory, (int64_t)state->seed, state->stream,
                              (int64_t)state->input_digest, (int64_t)state->parent_digest };
    uint64_t digest = digest64(DIGEST64_START, words, sizeof words);
    double plaquette = isnan(state->plaquette) ? NAN : state->plaquette;      /* one NaN out of many */
    digest = digest64(digest, &plaquette, sizeof plaquette);
    digest = digest64(digest, state->version, strlen(state->version));
    if (state->chained)
        digest = digest64(digest, &state->chain, sizeof state->chain);
    if (state->open_in_time)
        digest = digest64(digest, OPEN, strlen(OPEN));
    if (state->xi_0 != 0)
        digest = digest64(digest, &state->xi_0, sizeof state->xi_0);
    if (state->has_fields)
        digest = digest64(digest, &state->fields, sizeof state->fields);
    if (state->lacks_fields)
        digest = digest64(digest, &state->lacks_fields, sizeof state->lacks_fields);
    return state_memory_digest(digest, &state->memory);
}

void run_state_to_text(const run_state *state, text *t)
{
    json j = { 0 };
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRIu64, state->seed);
    json_open(&j, NULL, '{');
    json_int(&j, "trajectory", state->trajectory);
    json_text(&j, "seed", seed);
    json_int(&j, "stream", state->stream);
    json_hex(&j, "input_digest", state->input_digest);
    json_hex(&j, "parent_digest", state->parent_digest);
    if (state->chained)
        json_hex(&j, "chain", state->chain);
    json_real(&j, "plaquette", state->plaquette);
    json_text(&j, "version", state->version);
    if (state->open_in_time)
        json_text(&j, "boundary_time", OPEN);
    if (state->xi_0 != 0)
        json_real(&j, "xi_0", state->xi_0);
    state_memory_to_json(&j, &state->memory);
    if (state->has_fields)
        json_hex(&j, "fields", state->fields);
    if (state->lacks_fields)
        json_bool(&j, "lacks_fields", true);
    json_hex(&j, "digest", state_digest(state));
    json_close(&j);
    text_add(t, "%s", json_string(&j));
    json_free(&j);
}

/* Without the key the state is that of an isotropic action. */
static bool read_anisotropy(double *xi_0, const members *m)
{
    if (!yyjson_obj_get(m->object, "xi_0"))
        return true;
    return json_members_real(xi_0, m, "xi_0")
           && ((isfinite(*xi_0) && *xi_0 > 0) || fail(m->f, "%s: xi_0 is not above 0", m->where));
}

bool run_state_from_text(run_state *state, const char *content, const char *name, failure *f)
{
    yyjson_doc *doc = json_read_string(content, name, f);
    if (!doc)
        return false;
    *state = (run_state){ 0 };
    uint64_t trajectory = 0, stream = 0, digest = 0;
    const members m = { yyjson_doc_get_root(doc), name, f };
    const char *version = NULL;
    state->chained = yyjson_obj_get(m.object, "chain") != NULL;
    const bool has_boundary = yyjson_obj_get(m.object, "boundary_time") != NULL;
    const char *boundary = NULL;
    state->has_fields = yyjson_obj_get(m.object, "fields") != NULL;
    state->lacks_fields = yyjson_is_true(yyjson_obj_get(m.object, "lacks_fields"));
    bool ok = json_members_count(&trajectory, INT64_MAX, &m, "trajectory")
              && json_members_count(&state->seed, UINT64_MAX, &m, "seed")
              && json_members_count(&stream, UINT32_MAX, &m, "stream")
              && json_members_count(&state->input_digest, UINT64_MAX, &m, "input_digest")
              && json_members_count(&state->parent_digest, UINT64_MAX, &m, "parent_digest")
              && (!state->chained || json_members_count(&state->chain, UINT64_MAX, &m, "chain"))
              && (!state->has_fields || json_members_count(&state->fields, UINT64_MAX, &m, "fields"))
              && json_members_real(&state->plaquette, &m, "plaquette")
              && json_members_count(&digest, UINT64_MAX, &m, "digest")
              && (version = json_members_text(&m, "version")) != NULL
              && (!has_boundary || (boundary = json_members_text(&m, "boundary_time")) != NULL)
              && read_anisotropy(&state->xi_0, &m) && state_memory_from_json(&state->memory, &m);
    if (ok) {
        state->trajectory = (int64_t)trajectory;
        state->stream = (uint32_t)stream;
        snprintf(state->version, sizeof state->version, "%s", version);
        state->open_in_time = boundary && strcmp(boundary, OPEN) == 0;
        ok = state_digest(state) == digest || fail(f, "%s: the digest does not agree with the other values", name);
    }
    yyjson_doc_free(doc);
    return ok;
}
