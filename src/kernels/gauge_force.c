/* gauge_force.c - the force of actions made of plaquettes, rectangles and parallelograms.
 *
 *     S = sum over loops c_loop (beta/3) (3 - Re Tr W_loop),   F_mu(x) = -[U_mu(x) A_mu(x)]_TA
 *     A_mu(x) = sum over loops through the link, walked along it, of (beta/3) c_loop W_loop without the link
 *
 * so that dS/dtau = -sum Re Tr P^+F along dU/dtau = P U.  A loop that contains a link twice (extents of
 * 2) appears once for each time.
 *
 * For a direction nu with either sign, with A B C the plaquette's other links in order
 *     a = hop(x+mu, nu)      b = hop(x+mu+nu, -mu)      c = hop(x+nu, -nu),
 * the rectangles replace one of the three by the three links around the next plaquette:
 *     long in nu:             a (nu -mu -nu) c
 *     long in mu, ahead:      (mu nu -mu) b c
 *     long in mu, behind:     a b (-mu -nu mu)
 * Eleven products for the four loops of one signed nu. */
#include "src/kernels/args.h"
#include "src/site/site.h"

/* The product of the transporters along three steps from x. */
SITE_PART su3 three_hops(const gauge_force_args *f, site x, int first, int second, int third)
{
    su3 path = load_hop(&f->l, &f->u, x, first);
    x = site_step(&f->l, x, first);
    path = su3_mul(path, load_hop(&f->l, &f->u, x, second));
    x = site_step(&f->l, x, second);
    return su3_mul(path, load_hop(&f->l, &f->u, x, third));
}

SITE_PART su3 plaquette_staple(const gauge_force_args *f, site x_mu, site x_nu, int mu, int nu)
{
    site corner = site_step(&f->l, x_mu, nu);
    su3 ab = su3_mul(load_hop(&f->l, &f->u, x_mu, nu), load_hop(&f->l, &f->u, corner, opposite(mu)));
    return su3_mul(ab, load_hop(&f->l, &f->u, x_nu, opposite(nu)));
}

/* Plaquette and rectangles of one signed nu, with their coefficients. */
SITE_PART su3 rectangle_staples(const gauge_force_args *f, site x_mu, site x_nu, int mu, int nu)
{
    const scalar cp = (scalar)f->plaquette, cr = (scalar)f->rectangle;
    site corner = site_step(&f->l, x_mu, nu);
    su3 b = load_hop(&f->l, &f->u, corner, opposite(mu)), c = load_hop(&f->l, &f->u, x_nu, opposite(nu));

    su3 bc = su3_mul(b, c);                                                        /* everything after a */
    su3 long_in_nu = su3_mul(three_hops(f, corner, nu, opposite(mu), opposite(nu)), c);
    su3 after = su3_axpy(cr, long_in_nu, su3_axpy(cp, bc, su3_zero()));
    after = su3_axpy(cr, su3_mul(b, three_hops(f, x_nu, opposite(mu), opposite(nu), mu)), after);
    su3 staples = su3_mul(load_hop(&f->l, &f->u, x_mu, nu), after);
    return su3_axpy(cr, su3_mul(three_hops(f, x_mu, mu, nu, opposite(mu)), bc), staples);
}

/* The four parallelograms (mu, nu, rho, -mu, -nu, -rho) of one signed nu. */
SITE_PART su3 parallelogram_staples(const gauge_force_args *f, site x, site x_mu, int mu, int nu)
{
    su3 after = su3_zero();
    site corner = site_step(&f->l, x_mu, nu);
    KEEP_LOOP
    for (int rho = 0; rho < 8; rho++) {
        if (rho % BACKWARD == mu || rho % BACKWARD == nu % BACKWARD)
            continue;
        su3 path = three_hops(f, corner, rho, opposite(mu), opposite(nu));
        site x_rho = site_step(&f->l, x, rho);
        after = su3_axpy(1, su3_mul(path, load_hop(&f->l, &f->u, x_rho, opposite(rho))), after);
    }
    return su3_mul(load_hop(&f->l, &f->u, x_mu, nu), after);
}

/* P <- P + weight F at one site; s0 = sum_mu Tr F^+F, s1 = the largest of the four.  The flags are
 * literals: each kernel below keeps only the branches that it takes. */
SITE_FN void add_force(const gauge_force_args *f, site x, real *s, bool rectangles, bool parallelograms)
{
    s[0] = s[1] = spread(0);
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        site x_mu = site_up(&f->l, x, mu);
        su3 staples = su3_zero();
        KEEP_LOOP
        for (int nu = 0; nu < 8; nu++) {
            if (nu % BACKWARD == mu)
                continue;
            site x_nu = site_step(&f->l, x, nu);
            if (rectangles)
                staples = su3_axpy(1, rectangle_staples(f, x_mu, x_nu, mu, nu), staples);
            else
                staples = su3_axpy((scalar)f->plaquette, plaquette_staple(f, x_mu, x_nu, mu, nu), staples);
            if (parallelograms)
                staples = su3_axpy((scalar)f->parallelogram, parallelogram_staples(f, x, x_mu, mu, nu), staples);
        }
        algebra minus_force = algebra_part(su3_mul(load_link(&f->u, x, mu), staples));
        real norm2 = algebra_norm2(minus_force);
        s[0] = s[0] + norm2;
        s[1] = choose(is_above(norm2, s[1]), norm2, s[1]);
        store_algebra(&f->p, x, mu, algebra_axpy((scalar)-f->weight, minus_force, load_algebra(&f->p, x, mu)));
    }
}

SITE_SUM(gauge_force_plaquette, 1, 1, gauge_force_args, a, x, s)     { add_force(a, x, s, false, false); }
SITE_SUM(gauge_force_rectangle, 1, 1, gauge_force_args, a, x, s)     { add_force(a, x, s, true, false); }
SITE_SUM(gauge_force_parallelogram, 1, 1, gauge_force_args, a, x, s) { add_force(a, x, s, true, true); }
