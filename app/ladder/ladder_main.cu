// Launches one kernel of the ladder once, with matrices from files, and writes C to a file.
//   program KERNEL TILE PAD M N K BARRIER ORDER A B C AFTER
// BARRIER, ORDER: the arguments of leave_out_barrier(). A, B, C: files of the kernel's types with
// the matrices before the launch. AFTER: the file to which C is written after the launch.
// ladder_code.h includes the kernels' files; ladder_rows.h lists the kernels with TILE and PAD.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "ladder_code.h"
#ifdef __TILEREEL_ARCH__
#include "tilereel/left_out_barrier.h"
#endif

template <class Element>
static Element* device_matrix(const char* path, std::size_t elements) {
    std::vector<char> values(elements * sizeof(Element));
    std::FILE* file = std::fopen(path, "rb");
    if (file == nullptr) std::exit(3);
    if (std::fread(values.data(), 1, values.size(), file) != values.size()) std::exit(3);
    std::fclose(file);
    Element* matrix = nullptr;
    cudaMalloc(&matrix, values.size());
    cudaMemcpy(matrix, values.data(), values.size(), cudaMemcpyHostToDevice);
    return matrix;
}

template <class Element>
static int run(void (*launch)(const Element*, const Element*, float*, int, int, int),
               char** argument) {
    const int M = std::atoi(argument[4]), N = std::atoi(argument[5]), K = std::atoi(argument[6]);
    const std::size_t elements = std::size_t(M) * N;
    Element* A = device_matrix<Element>(argument[9], std::size_t(M) * K);
    Element* B = device_matrix<Element>(argument[10], std::size_t(K) * N);
    float* C = device_matrix<float>(argument[11], elements);
#ifdef __TILEREEL_ARCH__  // a GPU chooses the order of the threads itself
    tilereel::runtime::leave_out_barrier(unsigned(std::atoi(argument[7])),
                                         unsigned(std::atoi(argument[8])));
#endif
    launch(A, B, C, M, N, K);
    if (cudaDeviceSynchronize() != cudaSuccess) return 4;
    std::vector<float> values(elements);
    cudaMemcpy(values.data(), C, elements * sizeof(float), cudaMemcpyDeviceToHost);
    std::FILE* file = std::fopen(argument[12], "wb");
    if (file == nullptr) return 3;
    const bool whole = std::fwrite(values.data(), sizeof(float), elements, file) == elements;
    cudaFree(A), cudaFree(B), cudaFree(C);
    return std::fclose(file) == 0 && whole ? 0 : 3;
}

int main(int count, char** argument) {
    if (count != 13) return 2;
    const int tile = std::atoi(argument[2]), pad = std::atoi(argument[3]);
#define LADDER_KERNEL(stem, tile_of_row, pad_of_row, kernel, launch)                         \
    if (std::strcmp(argument[1], stem) == 0 && tile == (tile_of_row) && pad == (pad_of_row)) \
        return run(launch, argument);
#include "ladder_rows.h"
#undef LADDER_KERNEL
    return 5;  // kNoSuchKernel in ladder.cpp
}
