/* record_continuity.c - compare a line of the record with the last line that continues, and with its segment. */
#include "src/ensemble/record_continuity.h"

continuity_rules continuity_rules_make(const segments *s, const run_params *p)
{
    continuity_rules rules = { .segments = s };
    if (s->count == 0)
        return rules;
    rules.newest = s->item[s->count - 1].input_digest;
    rules.seeded = p && run_params_digest(p) == rules.newest;
    if (rules.seeded) {
        rules.seed = (uint64_t)p->random.seed;
        rules.stream = (uint32_t)p->random.stream;
    }
    return rules;
}

static bool has_its_parameters(const continuity_rules *rules, const record_line *l)
{
    const int64_t n = l->link.trajectory;
    return !l->chain.begun || n < segments_chain_begins(rules->segments)
           || l->link.input_digest == rules->segments->item[segments_at(rules->segments, n)].input_digest;
}

static bool follows(const record_continuity *c, const continuity_rules *rules, const record_line *l)
{
    const int64_t n = l->link.trajectory;
    chain_link link = l->link;
    link.seed = rules->seed;
    link.stream = rules->stream;
    if (!l->chain.begun)
        return !c->chain.begun;
    if (!rules->seeded)
        return true;
    if (n == segments_chain_begins(rules->segments))
        return chain_next(rules->segments->item[0].chain, &link) == l->chain.value;
    if (c->chain.begun && n == c->trajectory + 1)
        return chain_next(c->chain.value, &link) == l->chain.value;
    return !c->strayed;
}

line_verdict record_continuity_judge(record_continuity *c, const continuity_rules *rules, const record_line *l,
                                     checksum_state checksum)
{
    const bool changed = checksum == CHECKSUM_DIFFERS;
    const line_verdict verdict = l->link.trajectory <= c->trajectory ? LINE_IS_REPEATED
                                 : !has_its_parameters(rules, l) ? LINE_HAS_OTHER_PARAMETERS
                                 : !changed && !follows(c, rules, l) ? LINE_HAS_ANOTHER_PAST : LINE_CONTINUES;
    if (!changed && verdict == LINE_CONTINUES)
        *c = (record_continuity){ l->link.trajectory, l->chain, false };
    else if (!changed)
        c->strayed = true;
    return verdict;
}
