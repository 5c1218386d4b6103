/* qcdml_model.c - the content models of QCDml 2.0, as far as Kiln's documents can need them, and a check against them.
 *
 * Written from the description of the ILDG's Metadata Working Group (schemas QCDmlEnsemble2.0.0, QCDmlConfig2.0.0).
 *     "a:type b:type? c:type*"     elements in this order: once, at most once, any number (+: at least one)
 *     "... | ..."                  one of several such sequences
 *     "{ a:type b:type }"          any number but none of these, in any order
 * A type without a model is a kind of value. */
#include "tests/publish/qcdml_model.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GLUON "annotation:text? glossary:uri gluonField:gluonField beta:real"
#define SIX_LINKS GLUON " normalisation:norm c0:real c1:real c2:real c3:real"
#define QUARK "annotation:text? glossary:uri quarkField:quarkField numberOfFlavours:integer mass:real"
#define HOPPING "annotation:text? glossary:uri quarkField:quarkField numberOfFlavours:integer kappa:real"
#define WALL QUARK " kernelMass:real N5:positive"
#define ASQTAD "cNaik:real c1Link:real c3Link:real c5LinkChair:real c7LinkTwist:real cLepage:real u0:real"
#define EVENT "annotation:text? revision:count? revisionAction:action participant:participant date:date"

static const struct { const char *type, *model; } models[] = {
    { "markovChain", "markovChainURI:uri management:chainManagement license:license fundingReferences:text? "
                     "physics:physics algorithm:chainAlgorithm cLibrary:uri? additionalInfo:info?" },
    { "chainManagement", "annotation:text? revisions:count? collaboration:text projectName:text ensembleLabel:text? "
                         "publishedAlias:text? reference:text? archiveHistory:chainHistory" },
    { "chainHistory", "archiveEvent:event*" },
    { "event", EVENT },
    { "participant", "orcid:orcid name:text? institution:text? | name:text institution:text" },
    { "license", "annotation:text? licenseName:text? licenseURI:uri embargoEndDate:text? acknowledgments:text?" },
    { "physics", "annotation:text? size:size action:physicsAction observables:text?" },
    { "size", "annotation:text? x:positive y:positive? z:positive? t:positive" },
    { "physicsAction", "annotation:text? gluon:gluons quark:quarks?" },
    { "gluons", "{ plaquetteGluonAction:plaquette treelevelSymanzikGluonAction:sixLinks iwasakiRGGluonAction:sixLinks "
                "DBW2GluonAction:sixLinks LuescherWeiszGluonAction:sixLinks tpLuescherWeiszGluonAction:tadpole }" },
    { "plaquette", GLUON },
    { "sixLinks", SIX_LINKS },
    { "tadpole", SIX_LINKS " u0:real" },
    { "gluonField", "annotation:text? gaugeGroup:group representation:representation boundaryCondition:boundary" },
    { "boundary", "x:periodicity y:periodicity? z:periodicity? t:periodicity" },
    { "quarks", "{ asqTadQuarkAction:asqtad hisqQuarkAction:hisq domainWallQuarkAction:shamir "
                "moebiusDomainWallQuarkAction:moebius wilsonQuarkAction:wilson cloverQuarkAction:clover }" },
    { "quarkField", "annotation:text? normalisation:text boundaryCondition:boundary" },
    { "asqtad", QUARK " " ASQTAD },
    { "hisq", QUARK " LinkTreatment:treatment" },
    { "treatment", "fat7QuarkLinkTreatment:fat7 projectGroupLinkTreatment:project "
                   "asqTadQuarkLinkTreatment:asqtadLink" },
    { "fat7", "glossary:uri c1Link:real c3Link:real c5LinkChair:real c7LinkTwist:real u0:real" },
    { "project", "glossary:uri group:group?" },
    { "asqtadLink", "glossary:uri epsilon:epsilon? " ASQTAD },
    { "epsilon", "method:text value:real" },
    { "shamir", WALL },
    { "moebius", WALL " b5:real c5:real" },
    { "wilson", HOPPING },
    { "clover", HOPPING " cSW:real" },
    { "chainAlgorithm", "annotation:text? name:name glossary:uri reference:text exact:boolean "
                        "reweightingNeeded:boolean parameters:someParameters?" },
    { "someParameters", "parameter:parameter+" },
    { "parameter", "annotation:text? name:name value:text" },
    { "info", "annotation:text" },

    { "gaugeConfiguration", "dataLFN:uri management:management implementation:implementation algorithm:algorithm "
                            "precision:precision markovSequence:sequence additionalInfo:info?" },
    { "management", "annotation:text? revisions:count? reference:text? archiveHistory:history" },
    { "history", "archiveEvent:event+" },
    { "implementation", "annotation:text? machine:machine code:code" },
    { "machine", "annotation:text? name:text institution:text machineType:text" },
    { "code", "annotation:text? name:text version:text date:date" },
    { "algorithm", "annotation:text? parameters:parameters?" },
    { "parameters", "parameter:parameter*" },
    { "sequence", "annotation:text? markovChainURI:uri series:text markovStep:step+" },
    { "step", "annotation:text? update:count record:record+" },
    { "record", "field:field crcCheckSum:name avePlaquette:real" },
};
enum { MODELS = sizeof models / sizeof *models };

/* Kinds of values that are lists of words; others are known to is_value. */
static const struct { const char *type, *words[9]; } choices[] = {
    { "action", { "generate", "add", "replace", "remove" } },
    { "norm", { "cs_sum_to_one", "c0_is_one" } },
    { "group", { "SU(3)", "U(3)" } },
    { "representation", { "fundamental", "adjoint" } },
    { "periodicity", { "antiperiodic", "cstar", "dirichlet", "periodic", "open", "openSF" } },
    { "boolean", { "true", "false", "0", "1" } },
    { "precision", { "single", "double", "mixed" } },
    { "field", { "su3gauge" } },
};
enum { CHOICES = sizeof choices / sizeof *choices };

/* d: a digit; anything else: itself. */
static bool has_form(const char *s, const char *form)
{
    for (; *form; form++, s++)
        if (*form == 'd' ? !isdigit((unsigned char)*s) : *s != *form)
            return false;
    return *s == '\0';
}

static bool is_value(const char *s, const char *type)
{
    char *end;
    for (int i = 0; i < CHOICES; i++)
        if (strcmp(choices[i].type, type) == 0) {
            for (int w = 0; choices[i].words[w]; w++)
                if (strcmp(choices[i].words[w], s) == 0)
                    return true;
            return false;
        }
    if (strcmp(type, "real") == 0)
        return *s && (strtod(s, &end), *end == '\0') && !strpbrk(s, "xXnN");
    if (strcmp(type, "integer") == 0 || strcmp(type, "count") == 0 || strcmp(type, "positive") == 0) {
        long value = strtol(s, &end, 10);
        return *s && *end == '\0' && value >= (*type == 'p' ? 1 : *type == 'c' ? 0 : -1000);
    }
    if (strcmp(type, "uri") == 0)
        return strstr(s, "://") && !strpbrk(s, " <>\"");
    if (strcmp(type, "date") == 0)
        return has_form(s, "dddd-dd-ddTdd:dd:ddZ") || has_form(s, "dddd-dd-ddTdd:dd:dd+dd:dd");
    if (strcmp(type, "orcid") == 0)
        return has_form(s, "dddd-dddd-dddd-dddd");
    if (strcmp(type, "name") == 0)
        return *s && !strpbrk(s, " /:<>");
    return strcmp(type, "text") == 0 && *s;
}

static bool holds(const xml_element *e, const char *type, char *why, size_t size);

/* One "name:type?" of a model. */
typedef struct { char name[64], type[64], how_often; } particle;

static const char *next_particle(const char *model, particle *p)
{
    int used = 0;
    model += strspn(model, " ");
    p->how_often = '1';
    if (sscanf(model, "%63[^: ]:%63[^?*+ ]%n", p->name, p->type, &used) < 2)
        return NULL;
    if (strchr("?*+", model[used]) && model[used])
        p->how_often = model[used++];
    return model + used;
}

static bool sequence_holds(const xml_element *e, const char *model, const char *end, char *why, size_t size)
{
    particle p;
    int at = 0;
    while (model && model < end && (model = next_particle(model, &p))) {
        int n = 0, most = p.how_often == '*' || p.how_often == '+' ? e->count : 1;
        for (; at < e->count && n < most && strcmp(e->child[at]->name, p.name) == 0; at++, n++)
            if (!holds(e->child[at], p.type, why, size))
                return false;
        if (n == 0 && (p.how_often == '1' || p.how_often == '+')) {
            snprintf(why, size, "%s: %s expected, %s found", e->name, p.name,
                     at < e->count ? e->child[at]->name : "nothing");
            return false;
        }
        model += strspn(model, " ");
    }
    if (at == e->count)
        return true;
    snprintf(why, size, "%s: %s has no place there", e->name, e->child[at]->name);
    return false;
}

static bool any_holds(const xml_element *e, const char *model, char *why, size_t size)
{
    for (int i = 0; i < e->count; i++) {
        particle p;
        const char *at = model;
        while ((at = next_particle(at, &p)) && strcmp(p.name, e->child[i]->name) != 0)
            continue;
        if (!at) {
            snprintf(why, size, "%s: %s is none of its elements", e->name, e->child[i]->name);
            return false;
        }
        if (!holds(e->child[i], p.type, why, size))
            return false;
    }
    snprintf(why, size, "%s: empty", e->name);
    return e->count > 0;
}

static bool holds(const xml_element *e, const char *type, char *why, size_t size)
{
    const char *model = NULL;
    for (int i = 0; i < MODELS && !model; i++)
        if (strcmp(models[i].type, type) == 0)
            model = models[i].model;
    if (!model) {
        snprintf(why, size, "%s: \"%s\" is no %s", e->name, e->text, type);
        return e->count == 0 && is_value(e->text, type);
    }
    if (*model == '{')
        return any_holds(e, model + 1, why, size);
    for (const char *end; model; model = *end ? end + 1 : NULL) {
        end = model + strcspn(model, "|");
        if (sequence_holds(e, model, end, why, size))
            return true;
    }
    return false;
}

bool qcdml_holds(const xml_element *root, char *why, size_t size)
{
    bool chain = strcmp(root->name, "markovChain") == 0;
    const char *space = chain ? "http://www.lqcd.org/ildg/QCDml/ensemble2.0"
                              : "http://www.lqcd.org/ildg/QCDml/config2.0";
    snprintf(why, size, "namespace %s", root->name_space);
    return strcmp(root->name_space, space) == 0 && holds(root, root->name, why, size);
}
