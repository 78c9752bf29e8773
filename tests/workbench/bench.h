#pragma once
// Workbenches for tests.
#include <chrono>
#include <string>
#include <thread>

#include "app/workbench/workbench.h"

namespace tilereel {

inline RecordRequest request(const std::string& kernel, int extent, int tile, int pad = 0) {
    return {.kernel = kernel,
            .parameters = {.m = extent, .n = extent, .k = extent, .tile = tile, .pad = pad},
            .inputs = {}};
}

inline WorkbenchOptions paused(RecordRequest first, bool on_worker = false) {
    return {
        .request = std::move(first), .trace = {}, .playing = false, .record_on_worker = on_worker};
}

// Advances without playing until recording has ended; false after half a minute.
inline bool wait_until_recorded(Workbench& workbench) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (workbench.recording_progress() != nullptr) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        workbench.advance(0);
    }
    return true;
}

}  // namespace tilereel
