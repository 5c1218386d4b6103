/* literature.h - bare parameters from the literature, for `kiln new`.
 *
 * A family is an action with its quarks.  A coupling is one bare coupling of a family: its lattice spacing, and masses
 * of quarks with the pion mass that was measured there.  Families whose parameters are published as functions of beta
 * make a coupling for each beta of a range (`fit`); the others have a table.  Each number has its source beside it.
 *
 * Each number was compared with a second public source: tables of other papers, or inputs and names of published
 * configurations.  `unconfirmed` lists the numbers for which there is none.
 *
 * Spacings are in fm, pion masses in MeV, both as published (statistical errors of a percent, errors of the scale of a
 * few percent).  Quark masses are in lattice units, in the normalization of the input; Wilson quarks have kappa.  On
 * anisotropic lattices spacings are those in space, and Wilson quarks have masses in units of 1/a_t. */
#ifndef KILN_LITERATURE_LITERATURE_H
#define KILN_LITERATURE_LITERATURE_H

#include <stdbool.h>

typedef enum { QUARKS_NONE, QUARKS_STAGGERED, QUARKS_DOMAIN_WALL, QUARKS_WILSON } quark_kind;

/* pion: MeV.  light: up and down quark; with a twisted mass, mu.  0: there is no such quark. */
typedef struct { double pion, light, strange, charm; } mass_point;

enum { MASS_POINTS = 8 };

/* An anisotropic lattice in the normalization of the input (docs/anisotropy.md); xi_0 = 0: it is isotropic. */
typedef struct {
    double xi_0, xi;                    /* bare and measured anisotropy a_s/a_t */
    double u_s, u_t;                    /* tadpole factors of the gauge action */
    double nu, c_s, c_t;
} anisotropy;

typedef struct {
    double beta, spacing;               /* beta in the normalization of the source; fm */
    const char *gauge;                  /* monomials: action */
    double input_factor;                /* beta of the input / beta of the source; 0 means 1 */
    double u0;                          /* staggered with symanzik_1loop */
    double c_sw, kappa;                 /* Wilson; c_sw = 0: family.c_sw, or none; kappa: of a twisted mass */
    int stout_levels;                   /* Wilson: of the links of the operator, of anisotropic ones those in space */
    double stout_rho;
    double mu_sigma, mu_delta;          /* of strange and charm quarks as a doublet */
    const char *action;                 /* domain wall */
    double b, c, M5, residual_mass;     /* domain wall; b = 0: the action has no such key */
    int Ls;
    anisotropy aniso;
    double smd_gamma, smd_length;       /* friction and trajectory length in the unit of the input; 0: HMC */
    bool mostly_open;                   /* most ensembles of the source have open boundaries in time */
    double start_beta;                  /* pure gauge of about this spacing, for start.heatbath; 0: not known */
    const char *source;                 /* "MILC (...)" */
    const char *unconfirmed;            /* numbers that no second public source confirms, in words; NULL: none */
    mass_point points[MASS_POINTS];     /* lightest pion first; pion = 0 ends the list */
    double kappas[MASS_POINTS];         /* where a twisted mass has a kappa for each of the points; 0: kappa */
    double spacings[MASS_POINTS];       /* where the source has a scale for each of the points; 0: spacing */
} coupling;

/* Couplings as a function of beta. */
typedef struct {
    double least, most;                 /* beta; the spacing falls from `least` to `most` */
    void (*make)(coupling *c, double beta);
} coupling_fit;

typedef struct {
    const char *name, *summary;
    quark_kind quarks;
    int flavors;                        /* dynamical: 0, 2, 3, 4 */
    bool clover, twisted, anisotropic;
    bool exponential, thin;             /* the clover term: its form, and its links under stout hops */
    bool doublet;                       /* strange and charm: mu_sigma, mu_delta; kappa is known for the points only */
    const coupling *table;              /* NULL: only `fit` */
    int count;
    const coupling_fit *fit;            /* NULL: the couplings of the table and no other */
    /* The clover coefficient with the gauge action c_sw_gauge, and where that is valid; NULL: none. */
    double (*c_sw)(double beta);
    double c_sw_least, c_sw_most;       /* beta */
    const char *c_sw_source, *c_sw_gauge;
} family;

extern const family literature_families[];     /* the last has no name */

/* The normalization of beta, "10/g^2, c_plaq = 1": as the source has it, and of the input, where the coefficients of
 * the loops are those of docs/conventions.md.  Constant texts. */
const char *coupling_convention(const coupling *c);
const char *coupling_convention_of_input(const coupling *c);
double coupling_beta_of_input(const coupling *c);
int coupling_points(const coupling *c);             /* number of mass points */
double coupling_spacing(const coupling *c, int i);  /* at mass point i */
double coupling_kappa(const coupling *c, int i);
void coupling_spacings(const coupling *c, double *least, double *most);

/* What to do with a number that is not confirmed. */
#define UNCONFIRMED_ADVICE "approximate; compare with the paper before production"

/* The coupling with the spacing `a` on the fit; `a` is within fit_spacing. */
void fit_at_spacing(coupling *c, const coupling_fit *fit, double a);
void fit_spacing(const coupling_fit *fit, double *least, double *most);

/* S. Necco and R. Sommer, Nucl. Phys. B 622 (2002) 328 (hep-lat/0108008), eq. (2.6): ln(a/r0) of the plaquette action
 * for 5.7 <= beta <= 6.92, with r0 = 0.5 fm. */
extern const coupling_fit quenched_fit;

/* HotQCD, A. Bazavov et al., Phys. Rev. D 90 (2014) 094503 (arXiv:1407.6387), appendix: a/r1 and the strange mass on
 * the line of constant physics, r1 = 0.3106 fm. */
extern const coupling_fit hotqcd_fit;

/* Between neighboring couplings of MILC, ln a, u0, the pion masses and the logarithms of the quark masses are linear in
 * beta, for ensembles with about the same ratio of the light to the strange mass. */
extern const coupling_fit milc_fit;

extern const coupling milc_couplings[], dwf_2_couplings[], dwf_3_couplings[];
extern const coupling wilson_2_couplings[], clover_2_couplings[], clover_3_couplings[], aniclover_couplings[];
extern const coupling slinc_couplings[], expclover_couplings[];
extern const coupling tmclover_couplings[], tm_4_couplings[], tmclover_4_couplings[];
enum { MILC_COUPLINGS = 5, DWF_2_COUPLINGS = 1, DWF_3_COUPLINGS = 5, WILSON_2_COUPLINGS = 1, CLOVER_2_COUPLINGS = 3,
       CLOVER_3_COUPLINGS = 5, ANICLOVER_COUPLINGS = 1, SLINC_COUPLINGS = 1, EXPCLOVER_COUPLINGS = 1,
       TMCLOVER_COUPLINGS = 2, TM_4_COUPLINGS = 3, TMCLOVER_4_COUPLINGS = 3 };

/* ALPHA, K. Jansen and R. Sommer, Nucl. Phys. B 530 (1998) 185 (hep-lat/9803017), eq. (4.3): two flavors with the
 * plaquette action, beta >= 5.2. */
double c_sw_two_flavors(double beta);
/* J. Bulava and S. Schaefer, Nucl. Phys. B 874 (2013) 188 (arXiv:1304.7093), eq. (4.4): three flavors with the
 * tree-level Symanzik action. */
double c_sw_three_flavors(double beta);

#endif
