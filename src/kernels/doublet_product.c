/* doublet_product.c - the diagonal part of a doublet times a spinor of two flavors, in native format. */
#include "src/kernels/doublet_products.h"

DOUBLET_PRODUCT(doublet_product, VECTOR_NATIVE)
