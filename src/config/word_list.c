/* word_list.c - find a word in a list of known words. */
#include "src/config/word_list.h"

#include "src/config/suggest.h"

#include <string.h>

int word_list_find(const char *word, word_at *at, const void *list, failure *f)
{
    near_miss near = { .word = word };
    for (int i = 0; at(list, i); i++) {
        if (strcmp(at(list, i), word) == 0)
            return i;
        suggest_try(&near, at(list, i));
    }
    text message = { 0 };
    for (int i = 0; at(list, i); i++)
        text_add(&message, "%s%s", i ? ", " : "", at(list, i));
    suggest_report(&message, &near);
    fail(f, "\"%s\" is not one of %s", word, text_string(&message));
    text_free(&message);
    return -1;
}

static const char *name_at(const void *list, int i)
{
    const char *const *names = list;
    return names[i];
}

int word_list_find_name(const char *word, const char *const *names, failure *f)
{
    return word_list_find(word, name_at, names, f);
}
