/* suggest.c - edit distance with transpositions (optimal string alignment).
 *
 *     d(i,j) = min( d(i-1,j) + 1, d(i,j-1) + 1, d(i-1,j-1) + [a_i != b_j], d(i-2,j-2) + 1 if swapped )
 */
#include "src/config/suggest.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

static char folded(char c)
{
    return c == '-' ? '_' : (char)tolower((unsigned char)c);
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

int suggest_edit_distance(const char *a, const char *b)
{
    int n = (int)strlen(a), m = (int)strlen(b);
    int d[SUGGEST_WORD_MAX + 1][SUGGEST_WORD_MAX + 1];
    assert(n <= SUGGEST_WORD_MAX && m <= SUGGEST_WORD_MAX);
    for (int i = 0; i <= n; i++)
        d[i][0] = i;
    for (int j = 0; j <= m; j++)
        d[0][j] = j;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            char ai = folded(a[i - 1]), bj = folded(b[j - 1]);
            int best = smaller(d[i - 1][j] + 1, d[i][j - 1] + 1);
            best = smaller(best, d[i - 1][j - 1] + (ai != bj));
            if (i > 1 && j > 1 && ai == folded(b[j - 2]) && folded(a[i - 2]) == bj)
                best = smaller(best, d[i - 2][j - 2] + 1);
            d[i][j] = best;
        }
    return d[n][m];
}

void suggest_try(near_miss *n, const char *candidate)
{
    size_t a = strlen(n->word), b = strlen(candidate), shorter = a < b ? a : b, longer = a < b ? b : a;
    /* One error per three letters of the shorter word, and at least one. */
    size_t allowed = shorter / 3 > 0 ? shorter / 3 : 1;
    if (longer > SUGGEST_WORD_MAX || longer - shorter > allowed || shorter <= 1)
        return;
    int distance = suggest_edit_distance(n->word, candidate);
    if (distance <= (int)allowed && (!n->best || distance < n->distance)) {
        n->best = candidate;
        n->distance = distance;
    }
}

void suggest_report(text *message, const near_miss *n)
{
    if (n->best)
        text_add(message, "; did you mean \"%s\"?", n->best);
}
