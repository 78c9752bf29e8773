// Launches as public courses and their students write them, of kinds that the model was not made
// by. They were written before anybody had estimated them, and the estimates were kept before
// anybody had measured them. Without an argument all run; with a number, only that one. --check
// compares what they compute with the CPU. tests/hardware/README.md says how they are measured.
#include <cstdlib>
#include <cstring>

#include "blind_grids.cuh"
#include "blind_launches.cuh"
#include "blind_linear.cuh"
#include "blind_numbers.cuh"
#include "blind_orders.cuh"
#include "blind_rows.cuh"

int main(int argc, char** argv) {
    const bool check = argc > 1 && std::strcmp(argv[1], "--check") == 0;
    const int given = check ? 2 : 1;
    Launches run(check, argc > given ? std::atoi(argv[given]) : -1);
    linear_launches(run);
    picture_launches(run);
    stencil_launches(run);
    row_launches(run);
    order_launches(run);
    number_launches(run);
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorString(error));
    return error == cudaSuccess && run.right ? 0 : 1;
}
