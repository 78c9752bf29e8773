// says: kernel k calls area(), which is host code: device code cannot call it; mark it __device__
// ends: not compiled
struct Shape {
    virtual float area() const = 0;
    __host__ __device__ virtual float length() const { return 1; }
};
__global__ void k(const Shape* shape, float* x) { x[0] = shape->area() + shape->length(); }
int main() {
    float* x;
    cudaMalloc(&x, 4);
    k<<<1, 1>>>(nullptr, x);
    cudaFree(x);
}
