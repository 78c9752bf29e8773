#pragma once
// Two replays side by side: what each side is of, and how the sides are named.
#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "instrumentation/trace/trace.h"
#include "kernels/catalog.h"

namespace tilereel {

class Workbench;

// One side of a comparison: a kernel of the ladder, or a file.
struct CompareSide {
    std::string kernel;  // of the catalogue
    KernelParameters parameters;
    std::uint32_t removed_barrier = 0;  // the line of the barrier that is left out; 0: none
    std::string generation = "9.0";     // Generation::id, whose rules count
    // A trace (.npz) or a CUDA program (.cu) in place of the kernel; empty: none.
    std::filesystem::path file{};
    std::shared_ptr<const Trace> trace{};  // or a trace that is there, such as of a lesson's scene
    bool operator==(const CompareSide&) const = default;
};

// What the workbench watches; of a program or a trace, only the generation says anything.
[[nodiscard]] CompareSide side_of(const Workbench& workbench);

// What tells two sides apart: "PAD 0" and "PAD 1", "08 tiled_b_transposed" and "09 tiled". Where
// nothing does: "left" and "right". Both must have a recording.
[[nodiscard]] std::array<std::string, 2> side_labels(const Workbench& left, const Workbench& right);

}  // namespace tilereel
