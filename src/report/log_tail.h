/* log_tail.h - the end of the log of an ensemble. */
#ifndef KILN_REPORT_LOG_TAIL_H
#define KILN_REPORT_LOG_TAIL_H

#include "src/base/text.h"

/* The last `most` lines of DIRECTORY/run.log; "" without one.  To be freed with text_free. */
text log_tail_read(const char *directory, int most);

#endif
