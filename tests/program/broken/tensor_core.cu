// says: mma.h is not supported: Tilereel runs no tensor-core fragments; write the product with plain arrays instead
// ends: not compiled
#include <mma.h>
using namespace nvcuda;
__global__ void k(half* a) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> f;
    wmma::load_matrix_sync(f, a, 16);
}
int main() { k<<<1, 32>>>(nullptr); }
