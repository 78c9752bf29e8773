#pragma once
// Programs with kernels that are no products, recorded once for all tests of a process.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>

#include "app/cli/options/program_options.h"
#include "app/cli/program/program_report.h"
#include "instrumentation/program/program_run.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel {

// main() of a program with arrays x and y of `elements` floats, x[i] = i % 17 - 4, y[i] = i % 5.
inline std::string program_with(const std::string& kernel, int elements,
                                const std::string& launch) {
    return kernel +
           "\n#include <vector>\nint main() {\n    const int count = " + std::to_string(elements) +
           ";\n    std::vector<float> a(count), b(count);\n    for (int i = 0; i < count; ++i) "
           "a[i] "
           "= i % 17 - 4, b[i] = i % 5;\n    float *x, *y;\n    cudaMalloc(&x, count * 4);\n    "
           "cudaMalloc(&y, count * 4);\n    cudaMemcpy(x, a.data(), count * 4, "
           "cudaMemcpyHostToDevice);\n    cudaMemcpy(y, b.data(), count * 4, "
           "cudaMemcpyHostToDevice);\n    " +
           launch + ";\n    return cudaDeviceSynchronize();\n}\n";
}

inline constexpr const char* kSaxpy =
    "__global__ void saxpy(int n, float a, const float* x, float* y) {\n    const int i = "
    "blockIdx.x "
    "* blockDim.x + threadIdx.x;\n    if (i < n) y[i] = a * x[i] + y[i];\n}\n";

struct OwnProgram {
    tests::ScratchFolder folder;
    std::filesystem::path file = folder / "own.cu";
    Result<Trace> trace = failed("not recorded");
    program::ProgramRequest request;

    explicit OwnProgram(const std::string& text) {
        std::ofstream(file) << text;
        ProgramOptions options;
        options.trusted = true;  // the sandbox is tested elsewhere
        request = request_of_program(file.string(), options, std::string(default_generation().id));
        trace = trace_of_launch(file.string(), options, default_generation());
        EXPECT_TRUE(trace) << trace.error().message;
    }
};

}  // namespace tilereel
