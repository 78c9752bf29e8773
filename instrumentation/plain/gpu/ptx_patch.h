#pragma once
// Inserts a call of the recorder (recorder.cu) before every memory access, barrier and asynchronous
// copy in a program's PTX, and after every atomic and every multiply-add.
//
// Places in the source come from the PTX's .loc (nvcc -lineinfo). For inlined code of CUDA's
// headers the place is the user's line into which it is inlined. A function of CUDA's headers that
// is called and not inlined, such as atomicAdd() at -O1, gets its caller as an additional
// parameter.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/trace/site.h"

namespace tilereel::plain {

struct PtxPlace {
    std::uint32_t file = 0;  // index into PatchedPtx::files; 0: unknown
    std::uint32_t line = 0, column = 0;
    bool in_library = false;  // in a header of CUDA's: the caller's place is shown instead
};

// A place in the PTX that writes records. Numbered from PtxNumbers::site on.
struct PtxSite {
    Operation operation = Operation::kLoad;
    bool is_call = false;  // a call of a function of CUDA's headers, which writes no record
    std::uint8_t width_bytes = 0;
    std::uint8_t value_words = 0;  // 32-bit words of the value
    std::uint8_t variety = 0;      // AtomicKind
    std::uint8_t groups = 0;       // a wait for copies: number of groups that may stay pending
    std::uint8_t arguments = 0;    // rows after the record that are not a value: gpu/dump.h
    std::uint8_t rank = 0;         // bulk copy: rank of the tensor; 0: contiguous bytes
    bool in_register = false;      // the sum is in a register, not in an array
    std::uint32_t sum = 0;         // if in_register: DeviceRecord::high of its records
    PtxPlace place;
    // The first word of a sum is in the record's own row.
    [[nodiscard]] unsigned own_words() const {
        return operation == Operation::kMultiplyAdd ? 1 : 0;
    }
    [[nodiscard]] unsigned rows_behind() const { return value_words - own_words() + arguments; }
};

// A shared or constant array. Numbered from PtxNumbers::variable on.
struct PtxVariable {
    std::string symbol;  // mangled
    bool is_shared = true;
    std::uint64_t bytes = 0;  // 0: dynamic shared memory
};

// An instruction that accesses memory or synchronises threads, but is not recorded.
struct PtxLeftOut {
    std::string instruction;  // "ldmatrix"
    PtxPlace place;
    // Whether it synchronises threads. Without its record, the trace would seem to have races.
    [[nodiscard]] bool is_meeting() const {
        return instruction == "mbarrier" || instruction == "bar" || instruction == "barrier" ||
               instruction == "cp";
    }
};

// A loop of a function. It contains the sites [first, end).
struct PtxLoop {
    std::uint32_t first = 0, end = 0;
};

struct PtxKernel {
    std::string symbol;
    std::vector<std::uint32_t> parameter_bytes;
    // In the kernel and in all functions that it calls.
    std::vector<PtxLeftOut> left_out;
    bool uses_heap = false;  // calls malloc() or free(), and therefore cannot run twice
};

// The first numbers for the program's next PTX module.
struct PtxNumbers {
    std::uint32_t site = 0, variable = 0;
};

struct PatchedPtx {
    std::string text;
    std::vector<std::string> files;  // paths; the first is empty
    std::vector<PtxSite> sites;
    std::vector<PtxVariable> variables;
    std::vector<PtxKernel> kernels;
    std::vector<PtxLoop> loops;  // outer loops before inner ones
};

// `recorder`: the PTX of recorder.cu for the same architecture, which becomes part of the text.
// `libraries`: folders whose files are CUDA's own or the system's.
[[nodiscard]] PatchedPtx patch_ptx(std::string_view text, std::string_view recorder,
                                   const PtxNumbers& first,
                                   const std::vector<std::string>& libraries);

// The state space of an access, in the two lowest bits of a site number; recorder.cu reads it.
enum class PtxSpace : std::uint32_t { kGeneric = 0, kGlobal = 1, kShared = 2 };

}  // namespace tilereel::plain
