#include "app/window/race_ground.h"

#include <algorithm>
#include <system_error>

#include "app/race/make_runner.h"

namespace tilereel {
namespace {

constexpr int kFoldersAbove = 4;  // build/release lies two below the root

std::vector<std::filesystem::path> races_in(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> races;
    std::error_code none;
    for (std::filesystem::directory_iterator at(folder / "assets/races", none), end;
         !none && at != end; at.increment(none))
        if (is_race_file(at->path())) races.push_back(at->path());
    std::ranges::sort(races);
    return races;
}

}  // namespace

bool is_race_file(const std::filesystem::path& path) { return path.extension() == ".json"; }

std::vector<std::filesystem::path> recorded_races(const std::filesystem::path& program) {
    std::filesystem::path folder = program.parent_path();
    for (int above = 0; above <= kFoldersAbove; ++above, folder = folder.parent_path())
        if (auto races = races_in(folder); !races.empty()) return races;
    return races_in(TILEREEL_SOURCE_FOLDER);
}

RaceBenchOptions race_ground(bool on_worker) {
    std::error_code unknown;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", unknown);
    // The window's own thread must not give way.
    return {.runner = [on_worker] { return make_runner({.give_way = on_worker}); },
            .recorded = recorded_races(program),
            .shown = {},
            .on_worker = on_worker};
}

}  // namespace tilereel
