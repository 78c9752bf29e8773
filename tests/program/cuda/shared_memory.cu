// Shared memory: static, multi-dimensional, structures, dynamic; several arrays in one extern one.
#include "check.h"

struct Particle {
    float x, y;
    int id;
};
template <int N>
__global__ void turn(const int* in, int* out) {
    __shared__ int tile[N][N + 1], last;
    const int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[y * N + x];
    if (x == 0 && y == 0) last = in[N * N - 1];
    __syncthreads();
    out[y * N + x] = tile[x][y] + last;
}
__global__ void structures(Particle* out) {
    __shared__ Particle particles[32];
    const int i = threadIdx.x;
    particles[i] = {float(i), float(2 * i), i};
    __syncthreads();
    Particle& other = particles[31 - i];
    out[i] = other;
    out[i].y += particles[i].y;
}
// Eight bytes that lie at an address that four divides, as four bytes are their alignment.
struct Pair {
    float a, b;
};
__global__ void pairs(Pair* out) {
    __shared__ int before[5];
    __shared__ Pair pairs[32];
    const int i = threadIdx.x;
    if (i < 5) before[i] = i;
    pairs[i] = Pair{float(i), float(-i)};
    __syncthreads();
    Pair other = pairs[31 - i];
    other.b += float(before[i % 5]);
    out[i] = other;
}
__global__ void carved(int* out, int n) {
    extern __shared__ unsigned char memory[];
    double* sums = reinterpret_cast<double*>(memory);
    int* keys = (int*)&sums[n];
    char* marks = (char*)(keys + n);
    const int i = threadIdx.x;
    sums[i] = i * 0.5;
    keys[i] = n - i;
    marks[i] = char(i % 3);
    __syncthreads();
    const int j = (i + 1) % n;
    out[i] = int(2 * sums[j]) + 1000 * keys[j] + 100000 * marks[j];
}
extern __shared__ float whole[];
__device__ float sum_of_two(int i, int n) { return whole[i] + whole[(i + 1) % n]; }
__global__ void file_scope_array(float* out, int n) {
    whole[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = sum_of_two(threadIdx.x, n);
}

// Arrays of narrow elements, accessed in words of 16 bytes.
__global__ void narrow(const short* in, short* out) {
    __shared__ short first[16][16], second[8][16];
    const int row = threadIdx.x / 2, half = threadIdx.x % 2;
    ((int4*)first[row])[half] = ((const int4*)in)[threadIdx.x];
    if (row < 8) ((int4*)second[row])[half] = ((const int4*)in)[threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 8; ++i)
        out[8 * threadIdx.x + i] = first[15 - row][8 * half + i] + second[row % 8][8 * half + i];
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&out, 64 * sizeof(int));
    for (int i = 0; i < 64; ++i) in[i] = i;
    turn<8><<<1, dim3(8, 8)>>>(in, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i) CHECK(out[i] == i % 8 * 8 + i / 8 + 63);

    Pair* found;
    cudaMallocManaged(&found, 32 * sizeof *found);
    pairs<<<1, 32>>>(found);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i) CHECK(found[i].a == 31 - i && found[i].b == i - 31 + i % 5);
    cudaFree(found);

    Particle* particles;
    cudaMallocManaged(&particles, 32 * sizeof *particles);
    structures<<<1, 32>>>(particles);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        CHECK(particles[i].id == 31 - i && particles[i].y == 2 * (31 - i) + 2 * i);

    carved<<<1, 32, 32 * (sizeof(double) + sizeof(int) + 1)>>>(out, 32);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i) {
        const int j = (i + 1) % 32;
        CHECK(out[i] == j + 1000 * (32 - j) + 100000 * (j % 3));
    }
    float* sums;
    cudaMallocManaged(&sums, 32 * sizeof *sums);
    file_scope_array<<<1, 32, 32 * sizeof(float)>>>(sums, 32);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i) CHECK(sums[i] == i + (i + 1) % 32);
    short *shorts, *added;
    cudaMallocManaged(&shorts, 512), cudaMallocManaged(&added, 512);
    for (int i = 0; i < 256; ++i) shorts[i] = i;
    narrow<<<1, 32>>>(shorts, added);
    cudaDeviceSynchronize();
    for (int i = 0; i < 256; ++i) CHECK(added[i] == (15 - i / 16) * 16 + i % 16 + i % 128);
    cudaFree(shorts), cudaFree(added);
    for (void* pointer : {(void*)in, (void*)out, (void*)particles, (void*)sums}) cudaFree(pointer);
    return failures;
}
