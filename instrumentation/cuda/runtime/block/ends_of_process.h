#pragma once
// Device code that ends the process. nvcc refuses it in kernels and __device__ functions, and so
// does the plugin; in __host__ __device__ functions and in what they call, it is found when it
// runs.

namespace tilereel::runtime {

// If a thread of a kernel runs: reports that it calls `function`, and ends the launch.
void report_exit_in_thread(const char* function = "exit()");

}  // namespace tilereel::runtime
