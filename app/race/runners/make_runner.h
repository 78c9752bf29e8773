#pragma once
// Chooses the device of this computer for races.
#include <memory>
#include <string>

#include "app/race/race.h"

namespace tilereel {

struct FoundRunner {
    std::unique_ptr<Runner> runner;
    std::string why_no_gpu;  // a sentence; empty if the runner uses a GPU
};
struct RunnerOptions {
    bool reference = true;  // with cuBLAS or OpenBLAS, if it is installed
    int threads = 0;        // on the CPU; 0: one for each core
    // CpuRunnerOptions::lower_priority; then call make_runner() on the thread that races.
    bool lower_priority = false;
};
// The GPU if there is a usable one, else the CPU.
[[nodiscard]] FoundRunner make_runner(const RunnerOptions& options = {});

}  // namespace tilereel
