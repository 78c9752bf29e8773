#include "app/workbench/kept_state.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "instrumentation/base/replacing_file.h"

namespace tilereel {
namespace {

constexpr std::size_t kMostFiles = 20, kMostPrograms = 200, kMostArrays = 200;
constexpr std::uint32_t kLongestRow = 1u << 20;

std::string key_of(const std::filesystem::path& file) {
    std::error_code unknown;
    const std::filesystem::path whole = std::filesystem::absolute(file, unknown);
    return (unknown ? file : whole).lexically_normal().string();
}

KeptRows rows_from(const nlohmann::json& json) {
    KeptRows rows;
    if (!json.is_object()) return rows;
    for (const auto& [array, length] : json.items())
        if (length.is_number_unsigned() && rows.size() < kMostArrays)
            if (const auto value = length.get<std::uint64_t>(); value >= 1 && value <= kLongestRow)
                rows[array] = static_cast<std::uint32_t>(value);
    return rows;
}

}  // namespace

void KeptState::note_opened(const std::filesystem::path& file) {
    const std::filesystem::path whole = key_of(file);
    std::erase(recent_files, whole);
    recent_files.insert(recent_files.begin(), whole);
    if (recent_files.size() > kMostFiles) recent_files.resize(kMostFiles);
}

KeptRows KeptState::rows_of(const std::filesystem::path& file) const {
    const auto found = rows.find(key_of(file));
    return found == rows.end() ? KeptRows{} : found->second;
}

void KeptState::keep_rows(const std::filesystem::path& file, const KeptRows& of_file) {
    if (of_file.empty())
        rows.erase(key_of(file));
    else
        rows[key_of(file)] = of_file;
    // Programs that were opened lately are worth more than the others.
    for (auto at = rows.begin(); at != rows.end() && rows.size() > kMostPrograms;)
        at = std::ranges::find(recent_files, std::filesystem::path(at->first)) == recent_files.end()
                 ? rows.erase(at)
                 : std::next(at);
}

std::filesystem::path kept_state_file() {
    const char* const state = std::getenv("XDG_STATE_HOME");
    // The specification: a path that is not absolute is to be ignored.
    if (state != nullptr && std::filesystem::path(state).is_absolute())
        return std::filesystem::path(state) / "tilereel" / "state.json";
    const char* const home = std::getenv("HOME");
    if (home == nullptr || *home == '\0') return {};
    return std::filesystem::path(home) / ".local" / "state" / "tilereel" / "state.json";
}

KeptState read_kept_state(const std::filesystem::path& file) {
    KeptState state;
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object()) return state;
    if (const auto recent = json.find("recent_files"); recent != json.end() && recent->is_array())
        for (const auto& each : *recent)
            if (each.is_string() && state.recent_files.size() < kMostFiles)
                state.recent_files.emplace_back(each.get<std::string>());
    if (const auto rows = json.find("rows"); rows != json.end() && rows->is_object())
        for (const auto& [program, of_program] : rows->items())
            if (KeptRows its = rows_from(of_program);
                !its.empty() && state.rows.size() < kMostPrograms)
                state.rows[program] = std::move(its);
    return state;
}

Status write_kept_state(const KeptState& state, const std::filesystem::path& file) {
    if (file.empty()) return failed("There is no folder to keep the state in: set XDG_STATE_HOME");
    std::error_code problem;
    std::filesystem::create_directories(file.parent_path(), problem);
    if (problem) return failed("The folder " + file.parent_path().string() + " cannot be made");
    nlohmann::ordered_json json;
    json["recent_files"] = nlohmann::ordered_json::array();
    for (const std::filesystem::path& recent : state.recent_files)
        json["recent_files"].push_back(recent.string());
    json["rows"] = state.rows;
    const std::string text =
        json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    Result<ReplacingFile> target = ReplacingFile::open(file);
    if (!target) return target.error();
    if (Status written = target->write(std::as_bytes(std::span(text))); !written) return written;
    return target->commit();
}

}  // namespace tilereel
