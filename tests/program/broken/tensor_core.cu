// says: wmma has no such fragment
// ends: not compiled
#include <mma.h>
using namespace nvcuda;
__global__ void k(half* a) {
    wmma::fragment<wmma::matrix_a, 16, 16, 8, half, wmma::row_major> f;
    wmma::load_matrix_sync(f, a, 8);
}
int main() { k<<<1, 32>>>(nullptr); }
