#pragma once
// What the kernels of a table access, as text.
#include <map>
#include <string>

#include "tests/program/program_fixture.h"

namespace tilereel::program {

// A kernel of one warp; i is threadIdx.x.
struct KernelCase {
    const char* name;
    const char* body;
    const char* requests;  // "array operation bytes" of each request, in the order of the alphabet
};

// "a load 4, o store 1 x 3": three requests of one byte a lane.
inline std::string requests_of(const Trace& trace) {
    std::map<std::string, std::uint64_t> counts;
    for (const SiteCounts& counted : count_sites(trace)) {
        const tilereel::Site& site = trace.sites[counted.site];
        const bool loads = site.operation == Operation::kLoad;
        if (!loads && site.operation != Operation::kStore) continue;
        counts[trace.arrays[site.array].name + (loads ? " load " : " store ") +
               std::to_string(site.width_bytes)] += counted.counts.requests;
    }
    std::string text;
    for (const auto& [what, count] : counts)
        text +=
            (text.empty() ? "" : ", ") + what + (count == 1 ? "" : " x " + std::to_string(count));
    return text;
}

// The program of a table: `declarations`, a kernel for each case with `parameters`, and a launch of
// each with `arguments`, of which make<T>() is a cleared array.
template <std::size_t kCount>
std::string program_of(const KernelCase (&cases)[kCount], const std::string& declarations,
                       const std::string& parameters, const std::string& arguments) {
    std::string text = declarations, calls;
    for (const KernelCase& each : cases) {
        text += std::string("__global__ void ") + each.name + "(" + parameters +
                ") { int i = threadIdx.x; " + each.body + " }\n";
        calls += std::string(each.name) + "<<<1, 32>>>(" + arguments + ");\n";
    }
    return text +
           "template <class T> T* make() { static T* x = nullptr; if (x) return x; "
           "cudaMalloc(&x, 128 * sizeof(T)); cudaMemset(x, 0, 128 * sizeof(T)); return x; }\n"
           "int main() {\n" +
           calls + "return cudaDeviceSynchronize();\n}\n";
}

}  // namespace tilereel::program
