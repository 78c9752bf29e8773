#pragma once
// What races best here.
#include <memory>
#include <string>

#include "app/race/race.h"

namespace tilereel {

struct FoundRunner {
    std::unique_ptr<Runner> runner;
    std::string why_no_gpu;  // a sentence; empty: it is the GPU
};
struct RunnerOptions {
    bool reference = true;  // cuBLAS or OpenBLAS, where it is
    int threads = 0;        // of the CPU; 0: one a core
    bool give_way = false;  // on the CPU, to the window's thread; to be called on the race's own
};
// The GPU if there is one that can be used, else the CPU.
[[nodiscard]] FoundRunner make_runner(const RunnerOptions& options = {});

}  // namespace tilereel
