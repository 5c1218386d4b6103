/* staggered_channels.h - the correlators of "staggered_mesons", by the definition of their operators. */
#ifndef KILN_TESTS_MEASURE_STAGGERED_CHANNELS_H
#define KILN_TESTS_MEASURE_STAGGERED_CHANNELS_H

enum { CHANNELS = 4, COLORS = 3 };
extern const char *const channels[CHANNELS];             /* members of the record */

/* Number t of a channel, from the density Re Tr G'^+ G of a source, [t][z][y][x]. */
double channel_at(int channel, int t, const double *density, const int n[4], const int source[4]);

#endif
