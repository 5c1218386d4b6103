/* run_state.c - the run's state to JSON and back. */
#include "src/io/run_state.h"

#include "src/base/json.h"
#include "src/config/yaml.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void json_word(json *j, const char *key, const char *format, uint64_t value)
{
    char word[32];
    snprintf(word, sizeof word, format, value);
    json_text(j, key, word);
}

/* The digest of every other value, so that no byte of the record can change unseen. */
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
    return state_memory_digest(digest, &state->memory);
}

void run_state_to_text(const run_state *state, text *t)
{
    json j = { 0 };
    json_open(&j, NULL, '{');
    json_int(&j, "trajectory", state->trajectory);
    json_word(&j, "seed", "%" PRIu64, state->seed);
    json_int(&j, "stream", state->stream);
    json_word(&j, "input_digest", "0x%016" PRIx64, state->input_digest);
    json_word(&j, "parent_digest", "0x%016" PRIx64, state->parent_digest);
    if (state->chained)
        json_word(&j, "chain", "0x%016" PRIx64, state->chain);
    json_real(&j, "plaquette", state->plaquette);
    json_text(&j, "version", state->version);
    state_memory_to_json(&j, &state->memory);
    json_word(&j, "digest", "0x%016" PRIx64, state_digest(state));
    json_close(&j);
    text_add(t, "%s", json_string(&j));
    json_free(&j);
}

/* The text under `key`; NULL, and the reason, if it is not there. */
static const char *scalar(const yaml_node *tree, const char *key, const char *name, failure *f)
{
    const yaml_node *node = yaml_get(tree, key);
    if (node && node->type == YAML_SCALAR)
        return node->scalar;
    fail(f, "%s: \"%s\" is missing", name, key);
    return NULL;
}

static bool read_word(uint64_t *value, uint64_t largest, const yaml_node *tree, const char *key, const char *name,
                      failure *f)
{
    const char *s = scalar(tree, key, name, f);
    if (!s)
        return false;
    char *end;
    errno = 0;
    *value = strtoull(s, &end, s[0] == '0' && s[1] == 'x' ? 16 : 10);
    if (!isdigit((unsigned char)s[0]) || *end || errno || *value > largest)
        return fail(f, "%s: \"%s\" is \"%.40s\", not a number from 0 to %" PRIu64, name, key, s, largest);
    return true;
}

/* null is a number that JSON could not hold. */
static bool read_real(double *value, const yaml_node *tree, const char *key, const char *name, failure *f)
{
    const char *s = scalar(tree, key, name, f);
    if (!s)
        return false;
    char *end;
    *value = strcmp(s, "null") == 0 ? NAN : strtod(s, &end);
    if (!isnan(*value) && (end == s || *end))
        return fail(f, "%s: \"%s\" is \"%.40s\", not a number", name, key, s);
    return true;
}

bool run_state_from_text(run_state *state, const char *content, const char *name, failure *f)
{
    yaml_node *tree = yaml_read_string(content, name, f);
    if (!tree)
        return false;
    *state = (run_state){ 0 };
    uint64_t trajectory = 0, stream = 0, digest = 0;
    const char *version = NULL;
    bool ok = tree->type == YAML_MAPPING || fail(f, "%s: not an object of JSON", name);
    ok = ok && read_word(&trajectory, INT64_MAX, tree, "trajectory", name, f)
         && read_word(&state->seed, UINT64_MAX, tree, "seed", name, f)
         && read_word(&stream, UINT32_MAX, tree, "stream", name, f)
         && read_word(&state->input_digest, UINT64_MAX, tree, "input_digest", name, f)
         && read_word(&state->parent_digest, UINT64_MAX, tree, "parent_digest", name, f)
         && (!(state->chained = yaml_get(tree, "chain") != NULL)
             || read_word(&state->chain, UINT64_MAX, tree, "chain", name, f))
         && read_real(&state->plaquette, tree, "plaquette", name, f)
         && read_word(&digest, UINT64_MAX, tree, "digest", name, f)
         && (version = scalar(tree, "version", name, f)) != NULL
         && state_memory_from_tree(&state->memory, tree, name, f);
    if (ok) {
        state->trajectory = (int64_t)trajectory;
        state->stream = (uint32_t)stream;
        snprintf(state->version, sizeof state->version, "%s", version);
        ok = state_digest(state) == digest || fail(f, "%s: the digest is not that of the other values", name);
    }
    yaml_tree_free(tree);
    return ok;
}
