#include "app/window/window_races.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "app/race/runners/make_runner.h"
#include "app/subject/file_kind.h"
#include "app/workbench/race/kept_races.h"
#include "app/workbench/view/kept_state.h"
#include "instrumentation/base/files/program_folder.h"

namespace tilereel {
namespace {

std::vector<std::filesystem::path> races_in(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> races;
    std::error_code none;
    for (std::filesystem::directory_iterator at(folder, none), end; !none && at != end;
         at.increment(none))
        if (has_ending_of(at->path(), FileKind::kRace)) races.push_back(at->path());
    std::ranges::sort(races);
    return races;
}

}  // namespace

std::vector<std::filesystem::path> recorded_races(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> races = races_in(folder / "assets/races");
    return races.empty() ? races_in(folder / TILEREEL_INSTALLED_RACES) : races;
}

RaceBenchOptions window_races(bool on_worker) {
    // Only a worker thread may lower its priority. The window's thread must not.
    std::vector<std::filesystem::path> races = recorded_races(program_folder());
    std::filesystem::path kept;
    if (const std::filesystem::path state = kept_state_file(); on_worker && !state.empty())
        kept = state.parent_path() / "races";
    for (std::filesystem::path& race : kept_races(kept)) races.push_back(std::move(race));
    return {.runner = [on_worker] { return make_runner({.lower_priority = on_worker}); },
            .own = usual_own_tools(),
            .recorded = std::move(races),
            .kept_folder = kept,
            .shown = {},
            .on_worker = on_worker};
}

}  // namespace tilereel
