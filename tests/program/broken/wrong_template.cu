// says: no matching function for call
// ends: not compiled
template <class T, int N>
__global__ void k(T* x) {
    x[threadIdx.x] = N;
}
int main() { k<float, float><<<1, 1>>>(nullptr); }
