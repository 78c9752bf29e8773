// says: C would be A times B if the 8 x 8 matrices of A were transposed
// ends: exit 0
#include <mma.h>

#include "products.h"

// A fragment that was filled as one of B holds its elements in other lanes than one of A.
__global__ void k(const half* a, const half* b, float* c) {
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, half, row_major> fa;
    fragment<matrix_b, 16, 16, 16, half, row_major> fb;
    fragment<accumulator, 16, 16, 16, float> sums;
    fill_fragment(sums, 0.0f);
#ifdef FIXED
    load_matrix_sync(fa, a, kTile);
#else
    load_matrix_sync(reinterpret_cast<fragment<matrix_b, 16, 16, 16, half, row_major>&>(fa), a,
                     kTile);
#endif
    load_matrix_sync(fb, b, kTile);
    mma_sync(sums, fa, fb, sums);
    store_matrix_sync(c, sums, kTile, mem_row_major);
}
int main() { return run_product(k); }
