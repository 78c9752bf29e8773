#include "app/workbench/race/kept_races.h"

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/race/files/race_file.h"

namespace tilereel {
namespace {

constexpr std::string_view kPrefix = "kept_";

}  // namespace

std::string file_stem(const Race& race) {
    std::string stem = "race_" + race.machine.device + "_" + race.date;
    std::ranges::replace_if(
        stem,
        [](char c) {
            const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                               (c >= 'a' && c <= 'z') || c == '_' || c == '-' || c == '.';
            return !plain;
        },
        '-');
    return stem;
}

std::filesystem::path kept_file(const Race& race, const std::filesystem::path& folder) {
    return folder / (std::string(kPrefix) + file_stem(race) + ".json");
}

std::vector<std::filesystem::path> kept_races(const std::filesystem::path& folder) {
    std::vector<std::pair<std::filesystem::file_time_type, std::filesystem::path>> found;
    std::error_code none;
    for (std::filesystem::directory_iterator at(folder, none), end; !none && at != end;
         at.increment(none)) {
        std::error_code gone;
        const auto written = at->last_write_time(gone);
        if (!gone && at->symlink_status(gone).type() == std::filesystem::file_type::regular &&
            at->path().filename().string().starts_with(kPrefix))
            found.emplace_back(written, at->path());
    }
    std::ranges::sort(found, std::ranges::greater{});
    std::vector<std::filesystem::path> races;
    for (auto& [written, path] : found) races.push_back(std::move(path));
    return races;
}

Status keep_race(const Race& race, const std::filesystem::path& folder) {
    std::error_code none;
    std::filesystem::create_directories(folder, none);
    TRY(write_race(race, kept_file(race, folder)));
    const std::vector<std::filesystem::path> races = kept_races(folder);
    for (std::size_t i = kMostKeptRaces; i < races.size(); ++i) {
        const Result<Race> old = read_race(races[i]);
        if (old && kept_file(*old, folder) == races[i]) std::filesystem::remove(races[i], none);
    }
    return Done{};
}

}  // namespace tilereel
