#pragma once
// Races kernels of the user's own, beside others, in a process of its own: this program, called as
// on the command line. A kernel that crashes the GPU or its process, or that does not end, takes
// nothing else with it, and is ended with the process.
#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/race/race.h"

namespace tilereel {

struct RaceProcess {
    std::filesystem::path program{};                 // tilereel; empty: this one
    std::vector<std::filesystem::path> libraries{};  // of the contenders that are is_own()
    std::function<void(const Race&)> begun{};        // called once, before any event
    RaceListener listener{};
};

// The command line. Contenders keep their order, but for the user's own, which come last.
[[nodiscard]] std::vector<std::string> race_command(const RaceRequest& request,
                                                    const RaceProcess& process);
// Returns when the process has ended. The race that `begun` gets has the contenders in the
// process's own order. kCancelled; kFailed with the process's last words.
Status race_in_process(const RaceRequest& request, const RaceProcess& process,
                       const std::atomic<bool>& cancel);

}  // namespace tilereel
