/* qcdml.c - the documents of QCDml 2.0, except the action (qcdml_action.c). */
#include "src/publish/qcdml.h"

#include "src/measure/reweighting_action.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool has_rational_functions(const run_params *p)
{
    for (int m = 0; m < run_monomial_count(p); m++) {
        const qcdml_term *term = run_monomial_kind(p, m)->qcdml;
        if (term && term->is_rational && term->is_rational(run_monomial_params(p, m)))
            return true;
    }
    return false;
}

const char *qcdml_algorithm_name(const run_params *p)
{
    return run_is_pure_gauge(p) ? "heatbath" : run_is_smd(p) ? "SMD" : has_rational_functions(p) ? "RHMC" : "HMC";
}

static const char *algorithm_reference(const run_params *p)
{
    return run_is_pure_gauge(p)          ? "Phys. Lett. B 119 (1982) 387; Phys. Lett. B 156 (1985) 393"
           : run_is_smd(p)             ? "Comput. Phys. Commun. 255 (2020) 107355"
           : has_rational_functions(p) ? "Phys. Rev. Lett. 98 (2007) 051601"
                                       : "Phys. Lett. B 195 (1987) 216";
}

static void put_parameter(xml_document *x, const char *name, const char *value)
{
    xml_open(x, "parameter");
    xml_put_text(x, "name", name);
    xml_put_text(x, "value", value);
    xml_close(x);
}

static void add_names(text *out, const text_list *names)
{
    for (int i = 0; i < names->count; i++)
        text_add(out, " %s", names->item[i]);
}

static const char *const direction_names[] = { "x", "y", "z", "t" };

static void put_tempering(xml_document *x, const tempering_params *p)
{
    text value = { 0 };
    for (int r = 0; r < (int)p->replicas; r++)
        text_add(&value, "%s%.17g", r ? " " : "", tempering_factor(p, r));
    put_parameter(x, "boundaryTemperingFactors", text_string(&value));
    text_clear(&value);
    text_add(&value, "%" PRId64, p->defect.size);
    put_parameter(x, "boundaryTemperingDefect", text_string(&value));
    put_parameter(x, "boundaryTemperingDirection", direction_names[p->defect.direction]);
    text_clear(&value);
    text_add(&value, "%" PRId64, p->swap_every);
    put_parameter(x, "boundaryTemperingSwapEvery", text_string(&value));
    put_parameter(x, "boundaryTemperingTranslate", p->translate ? "true" : "false");
    put_parameter(x, "boundaryTemperingReference", "arXiv:1706.04443, arXiv:2012.14000");
    text_free(&value);
}

void qcdml_algorithm_parameters(xml_document *x, const run_params *p)
{
    const level_params *levels = p->hmc.levels.item;
    text value = { 0 };
    xml_open(x, "parameters");
    if (run_is_pure_gauge(p)) {
        text_add(&value, "%" PRId64, p->heatbath.sweeps);
        put_parameter(x, "heatbathSweeps", text_string(&value));
        text_clear(&value);
        text_add(&value, "%" PRId64, p->heatbath.overrelaxation);
        put_parameter(x, "overrelaxationSweeps", text_string(&value));
    } else {
        text_add(&value, "%.17g", p->hmc.length);
        put_parameter(x, "trajectoryLength", text_string(&value));
        if (run_is_smd(p)) {
            text_clear(&value);
            text_add(&value, "%.17g", p->smd.gamma);
            put_parameter(x, "gamma", text_string(&value));
        }
    }
    if (run_is_tempered(p))
        put_tempering(x, &p->tempering);
    for (int l = 0; l < p->hmc.levels.count; l++) {
        char name[32];
        snprintf(name, sizeof name, "level%d", l + 1);
        text_clear(&value);
        text_add(&value, "%s, %" PRId64 " steps:", scheme_names[levels[l].integrator], levels[l].steps);
        add_names(&value, &levels[l].monomials);
        add_names(&value, &levels[l].gauge_monomials);
        put_parameter(x, name, text_string(&value));
    }
    text_clear(&value);
    text_add(&value, "%" PRId64, p->hmc.thermalization);
    put_parameter(x, "thermalizationTrajectories", text_string(&value));
    text_clear(&value);
    text_add(&value, "%" PRId64, p->random.seed);
    put_parameter(x, "seed", text_string(&value));
    text_clear(&value);
    text_add(&value, "%" PRId64, p->random.stream);
    put_parameter(x, "stream", text_string(&value));
    xml_close(x);
    text_free(&value);
}

static void put_participant(xml_document *x, const publish_about *about)
{
    xml_open(x, "participant");
    if (about->participant.orcid[0])
        xml_put_text(x, "orcid", about->participant.orcid);
    xml_put_text(x, "name", about->participant.name);
    xml_put_text(x, "institution", about->participant.institution);
    xml_close(x);
}

static void put_event(xml_document *x, const publish_about *about, int revision, const char *action, const char *date)
{
    xml_open(x, "archiveEvent");
    xml_put_int(x, "revision", revision);
    xml_put_text(x, "revisionAction", action);
    put_participant(x, about);
    xml_put_text(x, "date", date);
    xml_close(x);
}

static void put_chain_uri(xml_document *x, const publish_about *about)
{
    text uri = { 0 };
    publish_chain_uri(&uri, about);
    xml_put_text(x, "markovChainURI", text_string(&uri));
    text_free(&uri);
}

static void put_unless_empty(xml_document *x, const char *tag, const char *value)
{
    if (value[0])
        xml_put_text(x, tag, value);
}

static void put_ensemble_management(xml_document *x, const publish_about *about, int configurations)
{
    xml_open(x, "management");
    xml_put_format(x, "annotation", "%d configurations", configurations);
    if (about->archived[0])
        xml_put_int(x, "revisions", 1);
    xml_put_text(x, "collaboration", about->collaboration);
    xml_put_text(x, "projectName", about->project);
    xml_put_text(x, "ensembleLabel", about->ensemble);
    put_unless_empty(x, "publishedAlias", about->alias);
    put_unless_empty(x, "reference", about->reference);
    xml_open(x, "archiveHistory");
    if (about->archived[0])
        put_event(x, about, 1, "add", about->archived);
    xml_close(x);
    xml_close(x);
}

static void put_size(xml_document *x, const int extents[4])
{
    xml_open(x, "size");
    for (int mu = 0; mu < 4; mu++)
        xml_put_int(x, direction_names[mu], extents[mu]);
    xml_close(x);
}

static void put_algorithm(xml_document *x, const publish_about *about, const run_params *p)
{
    const char *name = qcdml_algorithm_name(p);
    xml_open(x, "algorithm");
    xml_put_text(x, "name", name);
    if (about->algorithm.glossary[0])
        xml_put_text(x, "glossary", about->algorithm.glossary);
    else
        xml_put_format(x, "glossary", "http://www.lqcd.org/ildg/algorithmGlossaries/%s.pdf", name);
    xml_put_text(x, "reference", about->algorithm.reference[0] ? about->algorithm.reference : algorithm_reference(p));
    xml_put_text(x, "exact", "true");
    xml_put_text(x, "reweightingNeeded", reweighting_is_needed(&p->monomials) ? "true" : "false");
    qcdml_algorithm_parameters(x, p);
    xml_close(x);
}

bool qcdml_ensemble(text *out, const qcdml_ensemble_facts *e, failure *f)
{
    xml_document x = { 0 };
    xml_begin(&x, "markovChain", "http://www.lqcd.org/ildg/QCDml/ensemble2.0");
    put_chain_uri(&x, e->about);
    put_ensemble_management(&x, e->about, e->configurations);
    xml_open(&x, "license");
    put_unless_empty(&x, "licenseName", e->about->license.name);
    xml_put_text(&x, "licenseURI", e->about->license.uri);
    xml_close(&x);
    xml_open(&x, "physics");
    put_size(&x, e->p->extents);
    bool ok = qcdml_action(&x, e->p, f);
    if (ok) {
        xml_close(&x);
        put_algorithm(&x, e->about, e->p);
        xml_open(&x, "additionalInfo");
        text words = { 0 };
        text_add(&words, "The input of the run:\n%s", e->parameters);
        xml_put_text(&x, "annotation", text_string(&words));
        text_free(&words);
        xml_close(&x);
        xml_close(&x);
        text_add_bytes(out, text_string(&x.out), x.out.length);
    }
    text_free(&x.out);
    return ok;
}

/* "kiln 0.1.0 (1a2b3c4)" split into the name and the version. */
static void put_implementation(xml_document *x, const qcdml_configuration_facts *c)
{
    const publish_about *about = c->about;
    const char *blank = strchr(c->version, ' ');
    xml_open(x, "implementation");
    xml_open(x, "machine");
    xml_put_text(x, "name", about->machine.name);
    xml_put_text(x, "institution", about->machine.institution);
    xml_put_text(x, "machineType", about->machine.type);
    xml_close(x);
    xml_open(x, "code");
    xml_put_text(x, "name", "kiln");
    xml_put_text(x, "version", blank ? blank + 1 : c->version);
    xml_put_text(x, "date", about->code.date);
    xml_close(x);
    xml_close(x);
}

void qcdml_configuration(text *out, const qcdml_configuration_facts *c)
{
    xml_document x = { 0 };
    text lfn = { 0 };
    publish_lfn(&lfn, c->about, c->file);
    xml_begin(&x, "gaugeConfiguration", "http://www.lqcd.org/ildg/QCDml/config2.0");
    xml_put_text(&x, "dataLFN", text_string(&lfn));
    xml_open(&x, "management");
    if (c->about->archived[0])
        xml_put_int(&x, "revisions", 1);
    put_unless_empty(&x, "reference", c->about->reference);
    xml_open(&x, "archiveHistory");
    put_event(&x, c->about, 0, "generate", c->time);
    if (c->about->archived[0])
        put_event(&x, c->about, 1, "add", c->about->archived);
    xml_close(&x);
    xml_close(&x);
    put_implementation(&x, c);
    xml_open(&x, "algorithm");
    qcdml_algorithm_parameters(&x, c->p);
    xml_close(&x);
    xml_put_text(&x, "precision", "double");
    xml_open(&x, "markovSequence");
    xml_put_format(&x, "annotation", "generated in double precision, stored in %d bits", c->bits);
    put_chain_uri(&x, c->about);
    xml_put_text(&x, "series", c->about->series);
    xml_open(&x, "markovStep");
    xml_put_int(&x, "update", c->trajectory);
    xml_open(&x, "record");
    xml_put_text(&x, "field", "su3gauge");
    xml_put_format(&x, "crcCheckSum", "%" PRIu32, c->cksum);
    xml_put_real(&x, "avePlaquette", c->plaquette);
    xml_close(&x);
    xml_close(&x);
    xml_close(&x);
    xml_close(&x);
    text_add_bytes(out, text_string(&x.out), x.out.length);
    text_free(&x.out);
    text_free(&lfn);
}
