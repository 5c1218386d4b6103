/* test_xml.c - the text inside a tag, as different codes write it. */
#include "src/io/xml.h"
#include "tests/facts.h"

#include <string.h>

static const struct { const char *xml, *value; } cases[] = {        /* value NULL: there is none */
    { "<lx>4</lx>", "4" },
    { "<?xml version=\"1.0\"?><a><lx>\n 4 \t</lx></a>", "4" },
    { "<i:a xmlns:i=\"x\"><i:lx unit=\"a\">4</i:lx></i:a>", "4" },
    { "<lx2>5</lx2><xlx>6</xlx><lx>4</lx>", "4" },
    { "<!-- <lx>5</lx> --><lx>4</lx>", "4" },
    { "<lx/><lx>4</lx>", "4" },
    { "<lx><deep>5</deep></lx><lx>4</lx>", "4" },
    { "<lx>4</lx><lx>5</lx>", "4" },
    { "<lx></lx>", "" },
    { "<lx >4</lx >", "4" },
    { "<lx>                    4                    </lx>", "4" },
    { "<lx> 1 2 3 4 5 6 7 8                         </lx>", "1 2 3 4 5 6 7 8" },
    { "<lx> 1 2 3 4 5 6 7 8                       9 </lx>", NULL },
    { "<lx unit=\"a > b\">4</lx>", "4" },
    { "<lx unit='a > \"b\"'>4</lx>", "4" },
    { "<a unit='<lx>5</lx>'/><lx>4</lx>", "4" },
    { "<lx><![CDATA[ 4 ]]></lx>", "4" },
    { "<![CDATA[<lx>5</lx>]]><lx>4</lx>", "4" },
    { "<lx>4<!-- 5 --></lx>", "4" },
    { "<?x <lx>5</lx> ?><lx>4</lx>", "4" },
    { "<lx><![CDATA[4</lx>", NULL },
    { "<lx unit=\"4</lx>", NULL },
    { "<lx>123456789012345678901234567890</lx>", NULL },
    { "<lx>4", NULL },
    { "<lx>4</ly>", NULL },
    { "<lx", NULL },
    { "<", NULL },
    { "<!-- <lx>4</lx>", NULL },
    { "", NULL },
    { "lx 4", NULL },
};

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char value[16];
        bool found = xml_text(cases[i].xml, "lx", value, sizeof value);
        fact(cases[i].value ? found && strcmp(value, cases[i].value) == 0 : !found, "lx in \"%s\" is %s",
             strchr(cases[i].xml, '\n') ? "one with blanks" : cases[i].xml, cases[i].value ? cases[i].value : "none");
    }
    long long n = 0;
    double x = 0;
    fact(xml_integer("<n>-12</n>", "n", &n) && n == -12, "whole numbers are read");
    fact(!xml_integer("<n>12a</n>", "n", &n) && !xml_integer("<n>99999999999999999999</n>", "n", &n)
         && !xml_integer("<n></n>", "n", &n), "and nothing else as one");
    fact(xml_real("<x>5.9e-01</x>", "x", &x) && x == 0.59, "reals are read");
    fact(!xml_real("<x>nan</x>", "x", &x) && !xml_real("<x>0.5 0.6</x>", "x", &x), "and nothing else as one");
    return facts_end();
}
