#include "app/subject/trust.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "instrumentation/base/files/regular_file.h"
#include "instrumentation/base/files/replacing_file.h"
#include "instrumentation/base/files/state_folder.h"
#include "instrumentation/base/format/json_text.h"
#include "instrumentation/program/stranger.h"

namespace tilereel {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;
constexpr std::size_t kMostFolders = 1000;

std::atomic<bool> all_trusted{false};

struct Trusted {
    std::vector<std::string> folders;  // absolute, without links; the latest last
    bool told = false;                 // sandbox_notice()
};

std::filesystem::path list_file() {
    const std::filesystem::path folder = state_folder();
    return folder.empty() ? folder : folder / "trusted.json";
}

// Invalid parts of the file are ignored.
Trusted read_list() {
    Trusted list;
    const Result<std::string> text = read_regular_file(list_file(), kMostBytes);
    if (!text) return list;
    const nlohmann::json json = read_json(*text);
    if (!json.is_object()) return list;
    if (const auto told = json.find("told"); told != json.end() && told->is_boolean())
        list.told = told->get<bool>();
    if (const auto folders = json.find("folders"); folders != json.end() && folders->is_array())
        for (const auto& each : *folders)
            if (each.is_string() && list.folders.size() < kMostFolders)
                list.folders.push_back(each.get<std::string>());
    return list;
}

Status write_list(const Trusted& list) {
    const std::filesystem::path file = list_file();
    if (file.empty()) return failed("There is no folder to keep the state in: set XDG_STATE_HOME");
    std::error_code problem;
    std::filesystem::create_directories(file.parent_path(), problem);
    if (problem) return failed("The folder " + file.parent_path().string() + " cannot be made");
    const nlohmann::ordered_json json = {{"folders", list.folders}, {"told", list.told}};
    const std::string text = json_text(json, 2) + "\n";
    return replace_file(file, std::as_bytes(std::span(text)));
}

std::string folder_of(const std::filesystem::path& file) {
    std::error_code unknown;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file, unknown), unknown)
        .parent_path()
        .string();
}

// What programs print about what a sandbox does not have.
bool speaks_of_files(std::string_view output) {
    constexpr std::array<std::string_view, 8> kWords = {
        "No such file", "Permission denied", "Read-only file system", "cannot open",
        "Cannot open",  "could not open",    "failed to open",        "Network is unreachable"};
    return std::ranges::any_of(kWords, [output](std::string_view words) {
        return output.find(words) != std::string_view::npos;
    });
}

}  // namespace

void trust_all_programs() { all_trusted = true; }

bool is_trusted(const std::filesystem::path& file) {
    if (all_trusted) return true;
    const std::string folder = folder_of(file);
    return !folder.empty() && std::ranges::count(read_list().folders, folder) > 0;
}

Status trust_folder_of(const std::filesystem::path& file) {
    Trusted list = read_list();
    const std::string folder = folder_of(file);
    std::erase(list.folders, folder);
    list.folders.push_back(folder);
    if (list.folders.size() > kMostFolders) list.folders.erase(list.folders.begin());
    return write_list(list);
}

void choose_sandbox(program::ProgramRequest& request) {
    request.in_sandbox =
        !request.on_gpu && !is_trusted(request.file) && program::why_no_sandbox().empty();
}

std::string sandbox_notice() {
    const std::string& why = program::why_no_sandbox();
    if (why.empty() || all_trusted) return {};
    Trusted list = read_list();
    if (list.told) return {};
    list.told = true;
    // A folder that cannot be written only repeats the sentence at the next start.
    static_cast<void>(write_list(list));
    return "programs run with your rights: " + why;
}

bool lacks_headers_in_sandbox(const std::vector<program::CompileError>& errors) {
    return std::ranges::any_of(errors, [](const program::CompileError& error) {
        return error.message.starts_with(program::kIncludesInSandbox);
    });
}

std::string sandbox_hint(const program::ProgramRequest& request, const program::ProgramRun& run) {
    using program::ProgramEnd;
    if (!request.in_sandbox || !run.compile_errors.empty()) return {};
    const bool failed =
        run.end == ProgramEnd::kSignal || (run.end == ProgramEnd::kExit && run.exit_code != 0);
    if (!failed && !speaks_of_files(run.output)) return {};
    return "It ran in a sandbox: it reads files beside it and of the system alone, writes none, "
           "and has no network.";
}

}  // namespace tilereel
