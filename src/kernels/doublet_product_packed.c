/* doublet_product_packed.c - the diagonal part of a doublet times a spinor of two flavors, in the formats of this
 * precision. */
#include "src/kernels/doublet_products.h"

#ifdef SINGLE
DOUBLET_PRODUCT(doublet_product_half, VECTOR_HALF)
DOUBLET_PRODUCT(doublet_product_int20, VECTOR_INT20)
#else
DOUBLET_PRODUCT(doublet_product_int30, VECTOR_INT30)
#endif
