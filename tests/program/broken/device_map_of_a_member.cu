// The destructor that the compiler makes for the class is host code, too.
// says: kernel k calls ~Counts(), which is host code
// ends: not compiled
#include <map>
struct Counts {
    std::map<int, int> of[2];
    int all = 0;
};
__global__ void k(int* x) {
    Counts counts;
    x[threadIdx.x] = counts.all;
}
int main() {
    int* x;
    cudaMalloc(&x, 128);
    k<<<1, 32>>>(x);
    cudaFree(x);
}
