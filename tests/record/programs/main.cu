// Launches all kernels of this folder, one launch after another.
#include "branches.cu"
#include "copies.cu"
#include "orders.cu"
#include "races.cu"

int main() {
    make_arrays();
    launch_branches();
    launch_copies();
    launch_races();
    launch_orders();
    free_arrays();
}
