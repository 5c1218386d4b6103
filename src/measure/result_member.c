/* result_member.c - find a member by its path in a result; all members as JSON. */
#include "src/measure/result_member.h"

#include "src/measure/result_unit.h"

#include <ctype.h>
#include <string.h>

/* The rest of a path "masses.0.condensate" below the list; the path itself without a list, NULL for other lists. */
static const char *below_list(const char *path, const char *list)
{
    const size_t n = list ? strlen(list) : 0;
    if (!list)
        return path;
    if (strncmp(path, list, n) != 0 || path[n] != '.' || !isdigit((unsigned char)path[n + 1]))
        return NULL;
    path += n + 1;
    path += strspn(path, "0123456789");
    return *path == '.' ? path + 1 : NULL;
}

/* Whether a path belongs to a member, or to an item of its list: "loops.3". */
static bool names_member(const char *path, const result_member *m)
{
    const size_t n = strlen(m->key);
    return strncmp(path, m->key, n) == 0 && (path[n] == '\0' || (m->shape && path[n] == '.'));
}

const result_member *result_member_find(const result_group *results, const char *path)
{
    for (const result_group *g = results; g && g->members; g++) {
        const char *rest = below_list(path, g->list);
        for (const result_member *m = g->members; rest && m->key; m++)
            if (names_member(rest, m))
                return m;
    }
    return NULL;
}

void result_members_to_json(json *j, const result_group *results)
{
    for (const result_group *g = results; g && g->members; g++)
        for (const result_member *m = g->members; m->key; m++) {
            json_open(j, NULL, '{');
            json_text(j, "list", g->list);
            json_text(j, "member", m->key);
            json_text(j, "unit", m->unit ? result_unit_on(m->unit, false).s : NULL);
            json_text(j, "shape", m->shape);
            json_text(j, "definition", m->doc);
            json_close(j);
        }
}
