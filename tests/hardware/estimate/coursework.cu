// Launches as homework has them, good and bad versions, small and large. They were written before
// anybody had estimated one of them. Without an argument all run; with a number, only that one.
// --check compares what they compute with the CPU. tests/hardware/README.md says how they are
// measured.
#include "blind_launches.cuh"
#include "coursework_grids.cuh"
#include "coursework_matrices.cuh"
#include "coursework_number_launches.cuh"
#include "coursework_orders.cuh"
#include "coursework_vectors.cuh"

int main(int argc, char** argv) {
    return run_launches(
        argc, argv,
        {vector_launches, matrix_launches, grid_launches, order_launches, number_launches});
}
