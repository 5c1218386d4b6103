/* loop_weights.c - factors of the coefficients of loops: all 1, and with open boundaries. */
#include "src/gauge/loop_weights.h"

time_weights time_weights_isotropic(void)
{
    return (time_weights)ISOTROPIC_WEIGHTS;
}

time_weights time_weights_open(double ends)
{
    time_weights w = time_weights_isotropic();
    w.ends = ends;
    w.open = 1;
    return w;
}

bool time_weights_are_equal(const time_weights *w)
{
    return !w->open && w->plaquette[0] == 1 && w->plaquette[1] == 1 && w->rectangle[0] == 1 && w->rectangle[1] == 1
           && w->rectangle[2] == 1 && w->parallelogram[0] == 1 && w->parallelogram[1] == 1;
}
