#pragma once
// Facts about a program that are needed to read its GPU recordings: the meaning of the numbers in
// the records, and the program's names and types.
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/base/result.h"
#include "instrumentation/gpu/convert/debug_types.h"
#include "instrumentation/gpu/ptx/ptx_facts.h"

namespace tilereel::gpu {

struct GpuVariable {
    std::string name;  // in the source
    DebugType type;
};
struct GpuParameter {
    std::string name;
    DebugType type;
    bool is_pointer = false;
    DebugType target;  // the type that a pointer points to
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
    std::vector<PtxFunction> functions;  // by their sites
    std::vector<PtxLoop> loops;
    std::vector<PtxVariable> variables;
    std::map<std::string, std::vector<PtxLeftOut>> left_out;  // by kernel
    // By symbol. A variable without an entry is named by its symbol.
    std::map<std::string, GpuVariable> names;
    std::map<std::string, GpuKernel> kernels;
};

// Adds the sites, loops and variables of another PTX module of the program.
void add_ptx(const PatchedPtx& patched, GpuFacts& facts);

// Adds names and types from the debug information of a cubin that was compiled with -G. Entries
// that cannot be read are left out.
void add_names(const std::filesystem::path& cubin, GpuFacts& facts);

// The function of the site; null if that is not known.
[[nodiscard]] const PtxFunction* function_of(const GpuFacts& facts, std::uint32_t site);
// A place in the program: a site, and the caller of the function in which it stands.
struct GpuCall {
    std::uint32_t site = 0, caller = 0;
};
// The call that led to the function of `site`; nullopt if that is not known. `caller`: see
// ptx_calls.h.
[[nodiscard]] std::optional<GpuCall> call_of(const GpuFacts& facts, std::uint32_t site,
                                             std::uint32_t caller);
// Whether two instructions are one in the source, and the calls that led to them, too.
[[nodiscard]] bool is_same_place(const GpuFacts& facts, GpuCall one, GpuCall other);
// The place of the site in the source. If the site is in a function of CUDA's headers, the place of
// the innermost call outside of them.
[[nodiscard]] PtxPlace place_of(const GpuFacts& facts, std::uint32_t site, std::uint32_t caller);

// The mangled symbol of "void tiled<8, 0>(float const*)" -> "tiled<8, 0>". A symbol that is not
// mangled stays as it is.
[[nodiscard]] std::string kernel_name(const std::string& symbol);

}  // namespace tilereel::gpu
