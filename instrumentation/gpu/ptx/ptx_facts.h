#pragma once
// What patched PTX (ptx_patch.h) contains: sites, arrays, loops and kernels.
#include <cstdint>
#include <string>
#include <vector>

#include "instrumentation/trace/site.h"

namespace tilereel::gpu {

struct PtxPlace {
    std::uint32_t file = 0;  // index into PatchedPtx::files; 0: unknown
    std::uint32_t line = 0, column = 0;
    bool in_library = false;  // in a header of CUDA's: the caller's place is shown instead
};

// What the records with one site number mean. Sites are numbered from PtxNumbers::site on.
struct PtxSite {
    Operation operation = Operation::kLoad;
    bool is_call = false;  // no record: where a function is called that has callers
    std::uint8_t width_bytes = 0;
    std::uint8_t value_words = 0;  // 32-bit words of the value
    std::uint8_t variety = 0;      // AtomicKind
    std::uint32_t base = 0;        // Records::base of a record without addresses
    std::uint8_t arguments = 0;    // rows after its record that are not values: gpu/dump.h
    std::uint8_t rank = 0;         // bulk copy: rank of the tensor; 0: contiguous bytes
    bool is_box = false;           // a bulk copy: its record has the rows of BoxRow
    bool in_register = false;      // a sum that is in a register, not in an array
    std::uint32_t sum = 0;         // if in_register: DeviceRecord::high of its records
    PtxPlace place;
    // The first word of a sum, and of a product's registers, is in its record's own row.
    [[nodiscard]] unsigned own_words() const {
        const bool has_own =
            operation == Operation::kMultiplyAdd || operation == Operation::kMatrixProduct;
        return has_own && value_words != 0 ? 1 : 0;
    }
    // Whether the record is one of GpuPhases: of a barrier in shared memory, or of a bulk copy.
    [[nodiscard]] bool is_of_phases() const { return is_box || is_mbarrier_operation(operation); }
    [[nodiscard]] unsigned following_rows() const { return value_words - own_words() + arguments; }
};

// A shared or constant array. Arrays are numbered from PtxNumbers::variable on.
struct PtxVariable {
    std::string symbol;  // mangled
    bool is_shared = true;
    std::uint64_t bytes = 0;  // 0: dynamic shared memory
};

// An instruction that touches memory or makes threads wait, and is not recorded.
struct PtxLeftOut {
    std::string instruction;  // "tex"; a bulk store is "cp.async.bulk"
    PtxPlace place;
    // Whether threads synchronize there. A recording without it would seem to have races.
    [[nodiscard]] bool synchronizes() const {
        return instruction == "mbarrier" || instruction == "bar" || instruction == "barrier" ||
               instruction == "cp";
    }
};

// A loop of a function: the sites from `first` to before `end` are in it.
struct PtxLoop {
    std::uint32_t first = 0, end = 0;
};

// A call of a function: the caller that it passes (ptx_calls.h) is that of its own function, from 1
// on, plus `offset`; in a function without callers 1 plus `offset`.
struct PtxCallSite {
    std::uint32_t offset = 0, site = 0;
};
// A function: the sites from `first` to before `end`.
struct PtxFunction {
    std::uint32_t first = 0, end = 0;
    std::vector<PtxCallSite> callers;  // by offset
};

struct PtxKernel {
    std::string symbol;
    std::vector<std::uint32_t> parameter_bytes;
    // Of the kernel and of all functions that it calls.
    std::vector<PtxLeftOut> left_out;
    bool uses_heap = false;  // calls malloc() or free(): it cannot run twice
};

// The first numbers of a PTX file's sites and variables, if a program has several PTX files.
struct PtxNumbers {
    std::uint32_t site = 0, variable = 0;
};

struct PatchedPtx {
    std::string text;
    std::vector<std::string> files;  // paths; the first is empty
    std::vector<PtxSite> sites;
    std::vector<PtxVariable> variables;
    std::vector<PtxKernel> kernels;
    std::vector<PtxFunction> functions;  // by their sites
    std::vector<PtxLoop> loops;          // inner ones after outer ones
};

}  // namespace tilereel::gpu
