// Structures and bytes that are moved at once, to and from local variables, too.
#include <cstring>

#include "check.h"

struct Pair {
    float x, y;
};
struct alignas(8) AlignedPair {
    float x, y;
};
struct Four {
    float x, y, z, w;
};

__global__ void move(const Four* from, Four* to, const char* bytes, unsigned* words, float* sums) {
    const int i = threadIdx.x;
    float part[4];
    memcpy(part, from + i, sizeof part);
    part[0] += 1;
    memcpy(to + i, part, sizeof part);
    unsigned word;
    memcpy(&word, bytes + 1 + 4 * i, sizeof word);
    words[i] = word;
    const __int128 wide = static_cast<__int128>(word) << 64;
    sums[i] = part[0] + part[3] + static_cast<float>(wide >> 64);
}
__global__ void pairs(const Pair* from, Pair* to, const AlignedPair* in, AlignedPair* out) {
    to[threadIdx.x] = from[threadIdx.x];
    out[threadIdx.x] = in[threadIdx.x];
}

int main() {
    Four *from, *to, host[32];
    char *bytes, letters[129];
    unsigned *words, read[32];
    float* sums;
    for (int i = 0; i < 32; ++i) host[i] = {1.f * i, 2, 3, 4.f * i};
    for (int i = 0; i < 129; ++i) letters[i] = static_cast<char>(i);
    cudaMalloc(&from, sizeof host);
    cudaMalloc(&to, sizeof host);
    cudaMalloc(&bytes, sizeof letters);
    cudaMalloc(&words, sizeof read);
    cudaMalloc(&sums, sizeof read);
    cudaMemcpy(from, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(bytes, letters, sizeof letters, cudaMemcpyHostToDevice);
    move<<<1, 32>>>(from, to, bytes, words, sums);
    cudaMemcpy(host, to, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(read, words, sizeof read, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; ++i) {
        CHECK(host[i].x == i + 1 && host[i].w == 4 * i);
        CHECK(memcmp(&read[i], letters + 1 + 4 * i, 4) == 0);
    }
    pairs<<<1, 8>>>(reinterpret_cast<Pair*>(from), reinterpret_cast<Pair*>(to),
                    reinterpret_cast<AlignedPair*>(from), reinterpret_cast<AlignedPair*>(words));
    for (void* each : {(void*)from, (void*)to, (void*)bytes, (void*)words, (void*)sums})
        cudaFree(each);
    return failures;
}
