/* cmd_convert.c - kiln convert: the same links in another file format. */
#include "src/base/json.h"
#include "src/base/log.h"
#include "src/cli/subcommands.h"
#include "src/io/configuration.h"
#include "src/io/file_json.h"
#include "src/lattice/grid.h"
#include "src/options/options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    int format;
    int64_t precision, rows;
    bool json, reunitarize, keep_bits;
} convert_options;

static const usage convert_usage = {
    .name = "convert", .operands = "IN OUT", .least = 2, .most = 2,
    .about =
        "Writes the links of the configuration IN, in any format, to a new file OUT.  IN must pass kiln verify.\n"
        "Kiln reads OUT again and compares it before it gives OUT its name, and overwrites no file.\n"
        "The links keep every bit, except with --precision 32 or --rows 2, and where 32 bits become 64: links of\n"
        "32 bits are in SU(3) to single precision alone, so Kiln projects them to SU(3) in double precision and\n"
        "says by how much they change.  The state of the run (ILDG, SciDAC) and the logical file name (ILDG) are\n"
        "copied if the format can hold them; so are the ensemble's names and the sequence number (NERSC).  Free\n"
        "text of other programs is not copied.  The output lists what is lost.  With open boundaries in t, openqcd\n"
        "has zeros in place of inactive links, as openQCD itself; other formats without the state lose the boundary,\n"
        "and have unit matrices there.",
    .options = (const option[]){
        { .name = "format", .value = "FORMAT", .doc = "format of OUT; nersc: NERSC archive, milc: MILC v5,\n"
          "openqcd: as openQCD exports",
          .type = OPTION_CHOICE, .offset = offsetof(convert_options, format), .required = true,
          .choices = links_format_names },
        { .name = "precision", .value = "BITS", .doc = "32 or 64 (default: as IN); milc: 32 only; openqcd: 64 only",
          .type = OPTION_INT, .offset = offsetof(convert_options, precision), .min = 32, .max = 64,
          .choices = option_bits },
        { .name = "rows", .value = "N", .doc = "nersc: stored rows of a link, 3 (default) or 2",
          .type = OPTION_INT, .offset = offsetof(convert_options, rows), .min = 2, .max = 3,
          .choices = (const char *const[]){ "2", "3", NULL } },
        { .name = "reunitarize", .doc = "project the links to SU(3) in double precision, also those of a 64-bit file\n"
          "that are in SU(3) to single precision alone (default: where 32 bits become 64)",
          .type = OPTION_FLAG, .offset = offsetof(convert_options, reunitarize) },
        { .name = "keep-bits", .doc = "do not project links of 32 bits that become 64: kiln verify refuses OUT",
          .type = OPTION_FLAG, .offset = offsetof(convert_options, keep_bits) },
        JSON_OPTION(convert_options, json),
        { 0 }
    },
};

enum { LOSSES_MAX = 8 };
typedef struct { int count; const char *what[LOSSES_MAX]; } losses;

static void list_losses(losses *l, bool lost, const char *what)
{
    if (lost)
        l->what[l->count++] = what;
}

/* A plaquette or link trace in the metadata of IN is kept if it agrees with the links within this, as means in single
 * precision do. */
#define KEPT_WITHIN 1e-6

static void keep_or_measure(double *value, bool *has, double measured)
{
    if (!*has || fabs(*value - measured) > KEPT_WITHIN)
        *value = measured;
    *has = true;
}

/* Whether Kiln gave the file this name because it is in no archive. */
static bool is_own_name(const char *lfn)
{
    static const char local[] = "lfn://local/";
    return strncmp(lfn, local, sizeof local - 1) == 0;
}

/* A file written from another one. */
typedef struct {
    const char *from, *to;                 /* borrowed */
    configuration_facts facts;             /* of IN */
    links_info out;
    double change;                         /* the largest of a real of the links, by rounding */
    double projection;                     /* the same by the projection to SU(3) before; NAN: there was none */
    losses lost;
} conversion;

static int bits_of_out(const links_info *in, const convert_options *o)
{
    return o->precision ? (int)o->precision : in->bits;
}

static bool is_open(const configuration_facts *facts)
{
    return facts->ends_replaced || (facts->info.has_state && facts->info.state.open_in_time);
}

/* openQCD's links with open boundaries in t: inactive ones are 0. */
typedef struct { slice_source links; const int *extents; } open_links;

static void get_open_slice(double *slice, const void *from, int number)
{
    const open_links *o = from;
    o->links.get(slice, o->links.from, number);
    if (number < o->extents[3] - 1)
        return;
    for (size_t at = 3 * LINKS_MATRIX_REALS; at < o->links.reals; at += LINKS_SITE_REALS)
        memset(slice + at, 0, LINKS_MATRIX_REALS * sizeof *slice);
}

/* The metadata of OUT, and the list of those of IN that are lost. */
static links_info describe(const configuration_facts *facts, const convert_options *o, bool projected, losses *lost)
{
    const links_info *in = &facts->info;
    links_info out = *in;
    out.format = (links_format)o->format;
    out.bits = bits_of_out(in, o);
    out.rows = (int)o->rows;
    if (out.format == FORMAT_OPENQCD)
        out.has_plaquette = false;              /* measured anew with all digits: it is the only check in the header */
    keep_or_measure(&out.plaquette, &out.has_plaquette, facts->plaquette_of_all);
    if (out.format == FORMAT_OPENQCD && is_open(facts))
        out.plaquette = configuration_openqcd_plaquette(facts);
    keep_or_measure(&out.link_trace, &out.has_link_trace, facts->quality.link_trace);

    /* Rounded links widened to 64 bits, or projected ones, must not look like an exact state to continue from. */
    bool widened = in->bits == 32 && out.bits == 64, lime = out.format == FORMAT_ILDG || out.format == FORMAT_SCIDAC;
    bool labeled = in->label.ensemble_id[0] || in->label.ensemble_label[0] || in->label.has_sequence;
    if (in->has_state && (widened || projected))
        out.has_state = false;
    list_losses(lost, in->has_state && (widened || projected || !lime),
                widened ? "the state of the run: its links were rounded to 32 bits"
                : projected ? "the state of the run: its links were projected to SU(3)" : "the state of the run");
    list_losses(lost, is_open(facts) && !(lime && out.has_state) && out.format != FORMAT_OPENQCD,
                "the boundary: programs take these links for periodic ones, also in t");
    list_losses(lost, in->lfn[0] && !is_own_name(in->lfn) && out.format != FORMAT_ILDG, "the logical file name");
    list_losses(lost, in->has_plaquette && out.format == FORMAT_MILC, "plaquette and link trace");
    list_losses(lost, in->has_link_trace && out.format == FORMAT_OPENQCD, "the link trace");
    list_losses(lost, labeled && out.format != FORMAT_NERSC, "the ensemble's names and the sequence number");
    return out;
}

static void print_json(const conversion *c)
{
    const configuration_facts *facts = &c->facts;
    const links_info *out = &c->out;
    json j = { 0 };
    json_open(&j, NULL, '{');
    json_open(&j, "from", '{');
    file_to_json(&j, c->from, &facts->info);
    json_text(&j, "checksum", facts->info.has_checksum ? facts->info.checksum : NULL);
    json_close(&j);
    json_open(&j, "to", '{');
    file_to_json(&j, c->to, out);
    json_int(&j, "rows", out->rows);
    json_text(&j, "checksum", *out->checksum ? out->checksum : NULL);
    json_close(&j);
    json_bool(&j, "links_unchanged", c->change == 0 && !(c->projection > 0));
    json_real(&j, "largest_change", c->change);
    json_real(&j, "projection_change", c->projection);
    json_real(&j, "plaquette", facts->plaquette.average);
    json_real(&j, "link_trace", facts->quality.link_trace);
    json_open(&j, "lost", '[');
    for (int i = 0; i < c->lost.count; i++)
        json_text(&j, NULL, c->lost.what[i]);
    json_close(&j);
    json_close(&j);
    puts(json_string(&j));
    json_free(&j);
}

static void print_text(const conversion *c)
{
    const links_info *out = &c->out;
    printf("%s: %s, %s, %d bits%s, %s%s\n", c->to, extents_to_text(out->extents).s,
           links_format_name(out->format), out->bits, out->rows == 2 ? ", two rows" : "",
           *out->checksum ? "checksum " : "no checksum", out->checksum);
    if (!isnan(c->projection))
        printf("  links        projected to SU(3); largest change of a real number: %.3g\n", c->projection);
    if (c->change == 0 && isnan(c->projection))
        printf("  links        unchanged bit for bit\n");
    if (out->format == FORMAT_OPENQCD && is_open(&c->facts))
        printf("  inactive     links in t of the last time slice are 0, as in files of openQCD\n");
    if (c->change > 0)
        printf("  links        rounded; largest change of a real number: %.3g\n", c->change);
    for (int i = 0; i < c->lost.count; i++)
        printf("  lost         %s\n", c->lost.what[i]);
}

static bool convert_links(conversion *c, const convert_options *o, failure *f)
{
    links_info *in = &c->facts.info;
    const configuration_request request = { .hops = GRID_HOPS_LEAST, .open_if_zero_ends = true,
                                            .use = o->reunitarize ? LINKS_TO_PROJECT : LINKS_AS_STORED };
    gauge *u = configuration_open_for(PLACE_CPU, request, &c->facts, c->from, f);
    if (!u)
        return false;
    const bool widens = in->bits == 32 && bits_of_out(in, o) == 64;
    if (o->reunitarize || (widens && !o->keep_bits)) {
        c->projection = configuration_project(u, &c->facts);
        in->has_plaquette = in->has_link_trace = false;          /* those of the links before */
    } else if (widens) {
        log_line(LOG_WARNING, "%s: its links stay as they are, in SU(3) to single precision alone: kiln verify refuses "
                              "%s", c->from, c->to);
    }
    slice_source links = field_slices(&u->links);
    const open_links open = { links, in->extents };
    if (o->format == FORMAT_OPENQCD && is_open(&c->facts))
        links = (slice_source){ get_open_slice, &open, links.count, links.reals };
    c->out = describe(&c->facts, o, c->projection > 0, &c->lost);
    if (c->out.bits < in->bits || c->out.rows < in->rows)
        configuration_measure_stored(&c->out, u);
    bool ok = links_write(c->to, &links, &c->out, false, &c->change, f);
    configuration_close(u);
    return ok;
}

int cmd_convert(int argc, char **argv)
{
    convert_options o = { .rows = 3 };
    operands files;
    failure f;
    int status = options_read(&convert_usage, argc, argv, &o, &files);
    if (status != GO_ON)
        return status;
    conversion c = { .from = files.item[0], .to = files.item[1], .projection = NAN };
    if (o.precision != 0 && o.precision != 32 && o.precision != 64)
        return usage_error(&convert_usage, "--precision must be 32 or 64");
    if (o.reunitarize && o.keep_bits)
        return usage_error(&convert_usage, "--reunitarize and --keep-bits contradict each other");
    /* Before IN is read: whether the format has these rows in any precision, and this precision if one is given. */
    const links_format format = (links_format)o.format;
    const int any = links_can_be_written(format, 32, 3, c.to, NULL) ? 32 : 64;
    if (!links_can_be_written(format, any, (int)o.rows, c.to, &f)
        || !links_can_be_written(format, o.precision ? (int)o.precision : any, 3, c.to, &f))
        return usage_error(&convert_usage, "%s", f.why);

    if (!convert_links(&c, &o, &f)) {
        log_line(LOG_ERROR, "%s", f.why);
        return EXIT_FAILED;
    }
    if (o.json)
        print_json(&c);
    else
        print_text(&c);
    return EXIT_OK;
}
