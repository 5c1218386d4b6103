/* scidac_xml.h - what the XML records of SciDAC files (QIO) say, whatever the field is. */
#ifndef KILN_IO_SCIDAC_XML_H
#define KILN_IO_SCIDAC_XML_H

#include "src/base/checksum.h"
#include "src/io/links_source.h"

#define XML_HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"

#define SCIDAC_PRIVATE_FILE "scidac-private-file-xml"
#define SCIDAC_FILE "scidac-file-xml"
#define SCIDAC_PRIVATE_RECORD "scidac-private-record-xml"
#define SCIDAC_RECORD "scidac-record-xml"
#define SCIDAC_DATA "scidac-binary-data"
#define SCIDAC_CHECKSUM "scidac-checksum"

/* The extents in the text of scidac-private-file-xml; false with the reason, also if the field is spread over several
 * files. */
bool scidac_extents_read(long long extents[4], const links_source *s, const char *xml, failure *f);

/* The sums in the text of scidac-checksum; false with the reason. */
bool scidac_checksum_read(scidac_checksum *sum, const links_source *s, const char *xml, failure *f);

#endif
