// Launches as public courses and their students write them, of kinds that the model was not made
// by. They were written before anybody had estimated them, and the estimates were kept before
// anybody had measured them. Without an argument all run; with a number, only that one. --check
// compares what they compute with the CPU. tests/hardware/README.md says how they are measured.
#include "blind_grids.cuh"
#include "blind_launches.cuh"
#include "blind_linear.cuh"
#include "blind_numbers.cuh"
#include "blind_orders.cuh"
#include "blind_rows.cuh"

int main(int argc, char** argv) {
    return run_launches(argc, argv,
                        {linear_launches, picture_launches, stencil_launches, row_launches,
                         order_launches, number_launches});
}
