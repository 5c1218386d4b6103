/* flow.h - the measurement "flow": the gradient flow of the links, the scales t0 and w0, the topological charge. */
#ifndef KILN_MEASURE_FLOW_H
#define KILN_MEASURE_FLOW_H

#include "src/measure/measurement.h"

extern const measurement_kind flow_measurement;

/* The measurements along the flow, at `count` ascending times. */
enum { FLOW_ROWS = 1024 };
typedef struct {
    int count;
    double t[FLOW_ROWS];
    double plaquette[FLOW_ROWS], clover[FLOW_ROWS];             /* t^2 E */
    double space[FLOW_ROWS], time[FLOW_ROWS];                   /* the two parts of `clover` */
    double charge[FLOW_ROWS];
    double polyakov_re[FLOW_ROWS], polyakov_im[FLOW_ROWS];      /* in the t direction */
} flow_table;

#endif
