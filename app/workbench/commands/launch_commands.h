#pragma once
// Commands that choose the launch that is recorded, the one beside it, and the block that is
// watched.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>

#include "app/ladder/record_request.h"
#include "app/subject/subject.h"
#include "kernels/kernel_parameters.h"

namespace tilereel {

// If the block was not recorded, the open program runs again to record it.
struct WatchBlock {
    std::uint32_t x = 0, y = 0;
};
struct SetKernel {
    std::string id;
};
struct SetParameters {
    KernelParameters parameters;  // any of M, N, K, TILE, PAD
};
struct WatchKernel {  // sets kernel and parameters together, and shows the replay
    std::string id;
    KernelParameters parameters;
};
struct SetTileByOccupancy {};  // on the chosen generation, for a block size set at launch
struct TakeSuggestion {
    std::size_t number = 0;  // of Workbench::size_suggestions()
};
struct SetGeneration {  // counts and replay are computed again, nothing is recorded
    std::string id;     // Generation::id
};
struct SetRecorder {  // records again; if no GPU works, the CPU records, and a message says why
    Recorder recorder = Recorder::kCpu;
};
struct RemoveBarrier {
    int line = 0;  // of one of KernelInfo::barriers; 0 restores the barrier
};
struct SetThreadOrder {  // with a removed barrier
    ThreadOrder order = ThreadOrder::kRoundRobin;
};
struct FindFailingOrder {};  // with a removed barrier: finds an order that makes C wrong
struct TogglePad {};         // between the first two built-in PADs of the kernel
struct BackToOpening {};     // the kernel, parameters and generation that the program opened with
struct CancelRecording {};   // cancels a recording and the run of a program
struct Compare {             // shows two replays in lock-step
    std::optional<Subject> left;  // nullopt: the watched launch
    Subject right;                // without a kernel and a file: the watched recording
};
struct CloseComparison {};
struct OpenTrace {  // in place of the watched launch
    std::filesystem::path file;
};

using LaunchCommand =
    std::variant<WatchBlock, SetKernel, SetParameters, WatchKernel, SetTileByOccupancy,
                 TakeSuggestion, SetGeneration, SetRecorder, RemoveBarrier, SetThreadOrder,
                 FindFailingOrder, TogglePad, BackToOpening, CancelRecording, Compare,
                 CloseComparison, OpenTrace>;

}  // namespace tilereel
