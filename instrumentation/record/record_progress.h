#pragma once
// How far a recording is.
#include <atomic>
#include <cstdint>

namespace tilereel {

// Shared with a running recording: the caller can cancel it and read its progress.
struct RecordProgress {
    std::atomic<bool> cancel{false};
    std::atomic<std::uint32_t> blocks_done{0};
    std::atomic<std::uint32_t> blocks{0};
    std::atomic<bool> compiling{false};  // the kernel, with a TILE or PAD that is not built in
};

}  // namespace tilereel
