/* test_state_memory.c - numbers that go with a state come back from its file to the last bit. */
#include "src/io/configuration.h"
#include "src/io/run_state.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <math.h>
#include <string.h>

static const int extents[4] = { 4, 4, 2, 4 };

int main(void)
{
    static const double odd[STATE_NUMBERS] = { 0.1, -0.0, 5e-324, 1.7976931348623157e308, 1 / 3.0, -1e-17, 3, 0 };
    scratch s = scratch_create();
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(77, 0, 0, RNG_START_LINKS));
    configuration_facts facts;
    failure why;
    run_state state = { .trajectory = 3, .plaquette = gauge_plaquette(u).average, .version = "a test" };
    configuration_label label = { .state = &state, .bits = 64, .replace = true };
    const char *path = scratch_path(&s, "state.lime");
    bool ok = configuration_save(u, path, &label, NULL, &why)
         && configuration_load(u, LINKS_AS_STORED, &facts, path, &why);
    require(ok, "%s", why.why);
    fact(facts.info.state.memory.count == 0, "a state without memory is read as before");

    fact(facts.info.state.xi_0 == 0, "one without xi_0 is that of an isotropic action");

    text content = { 0 };
    state.xi_0 = 1 / 0.3;
    ok = configuration_save(u, path, &label, NULL, &why)
         && configuration_load(u, LINKS_AS_STORED, &facts, path, &why);
    require(ok, "%s", why.why);
    fact(facts.info.state.xi_0 == state.xi_0, "xi_0 comes back to the last bit");
    run_state_to_text(&state, &content);
    char *digit = strstr(text_string(&content), "\"xi_0\": 3.");
    fact(digit && run_state_from_text(&facts.info.state, text_string(&content), "text", &why), "the same as a text");
    digit[strlen("\"xi_0\": ")] = '4';
    fact(!run_state_from_text(&facts.info.state, text_string(&content), "text", &why), "a changed xi_0 is refused: %s",
         why.why);
    text_free(&content);

    for (int i = 0; i < 2; i++) {
        state_list *list = &state.memory.list[state.memory.count++];
        snprintf(list->name, sizeof list->name, i ? "quotes \" and \\ and: colons" : "light");
        list->count = i ? 1 : STATE_NUMBERS;
        memcpy(list->value, odd, (size_t)list->count * sizeof *odd);
    }
    ok = configuration_save(u, path, &label, NULL, &why)
         && configuration_load(u, LINKS_AS_STORED, &facts, path, &why);
    require(ok, "%s", why.why);
    fact(memcmp(&facts.info.state.memory, &state.memory, sizeof state.memory) == 0,
         "a state gives back names and numbers of its memory to the last bit");
    facts.info.state.memory.list[0].value[2] = 0;
    fact(!state_memory_same(&facts.info.state.memory, &state.memory), "another number is another memory");

    state.memory.list[1].value[0] = INFINITY;
    ok = configuration_save(u, path, &label, NULL, &why)
         && configuration_load(u, LINKS_AS_STORED, &facts, path, &why);
    require(ok, "%s", why.why);
    fact(isnan(facts.info.state.memory.list[1].value[0]), "what is not finite comes back as not a number");
    gauge_free(u);
    lattice_free(l);
    scratch_remove(&s);
    return facts_end();
}
