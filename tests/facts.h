/* facts.h - a test is a list of facts: sentences that hold for any correct program.
 *
 *     fact(ok, "sentence")                               a yes or no
 *     fact_close(got, want, tolerance, "sentence")       |got - want| <= tolerance
 *     skip("sentence", "why it cannot run here")
 *     return facts_end();                                from main
 *
 * The output is TAP, read by automake's driver.  The sentence may be a printf format with arguments. */
#ifndef KILN_TESTS_FACTS_H
#define KILN_TESTS_FACTS_H

#include <stdbool.h>

bool fact(bool ok, const char *sentence, ...) __attribute__((format(printf, 2, 3)));
bool fact_close(double got, double want, double tolerance, const char *sentence, ...)
    __attribute__((format(printf, 4, 5)));
void skip(const char *sentence, const char *why);

/* The larger one, for the largest of many deviations; NaN if one of them is NaN, which fmax would hide. */
double worse(double a, double b);

void note(const char *format, ...) __attribute__((format(printf, 1, 2)));   /* a comment in the output */
int  facts_end(void);                                                        /* prints the plan; exit status */

/* The folder of reference data beside the source tree (configurations, numbers of other codes):
 * $KILN_SHARED or `shared` beside the source tree; NULL where there is none.  Borrowed. */
const char *reference_folder(void);

#endif
