#pragma once
// What reading a recorded launch of a GPU takes, besides the launch: what the records' numbers
// mean, and the program's names and types.
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "instrumentation/base/result.h"
#include "instrumentation/plain/debug_types.h"
#include "instrumentation/plain/gpu/ptx_patch.h"

namespace tilereel::plain {

struct GpuVariable {
    std::string name;  // as the source has it
    DebugType type;
};
struct GpuParameter {
    std::string name;
    DebugType type;
    bool is_pointer = false;
    DebugType target;  // of a pointer
};
struct GpuKernel {
    std::string name;  // "tiled<8,0>"
    std::string file;
    std::uint32_t line = 0;
    std::vector<GpuParameter> parameters;
};

struct GpuFacts {
    std::string compiler;            // "nvcc 13.0"
    std::vector<std::string> files;  // the first is empty
    std::vector<PtxSite> sites;
    std::vector<PtxLoop> loops;
    std::vector<PtxVariable> variables;
    std::map<std::string, std::vector<PtxLeftOut>> left_out;  // by kernel
    // By symbol. What is not there has no name but its symbol.
    std::map<std::string, GpuVariable> names;
    std::map<std::string, GpuKernel> kernels;
};

// Adds what the numbers of a program's next PTX mean.
void add_ptx(const PatchedPtx& patched, GpuFacts& facts);

// Adds the names and types that the debug information of a compilation with -G has: a cubin. What
// cannot be read is left out.
void add_names(const std::filesystem::path& cubin, GpuFacts& facts);

// "void tiled<8, 0>(float const*)" -> "tiled<8, 0>"; what is not mangled stays.
[[nodiscard]] std::string kernel_name(const std::string& symbol);

}  // namespace tilereel::plain
