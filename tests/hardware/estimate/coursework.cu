// Launches as homework has them, good and bad versions, small and large. They were written before
// anybody had estimated one of them. Without an argument all run; with a number, only that one.
// --check compares what they compute with the CPU. tests/hardware/README.md says how they are
// measured.
#include <cstdlib>
#include <cstring>

#include "blind_launches.cuh"
#include "coursework_grids.cuh"
#include "coursework_matrices.cuh"
#include "coursework_number_launches.cuh"
#include "coursework_orders.cuh"
#include "coursework_vectors.cuh"

int main(int argc, char** argv) {
    const bool check = argc > 1 && std::strcmp(argv[1], "--check") == 0;
    const int given = check ? 2 : 1;
    Launches run(check, argc > given ? std::atoi(argv[given]) : -1);
    vector_launches(run);
    matrix_launches(run);
    grid_launches(run);
    order_launches(run);
    number_launches(run);
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorString(error));
    return error == cudaSuccess && run.right ? 0 : 1;
}
