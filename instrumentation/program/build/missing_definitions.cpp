#include "instrumentation/program/build/missing_definitions.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "instrumentation/base/files/file_ending.h"
#include "instrumentation/base/files/text_file.h"
#include "instrumentation/cuda/text/host_functions.h"
#include "instrumentation/cuda/text/launch_line_text.h"
#include "instrumentation/cuda/text/launch_text.h"

namespace tilereel::program {
namespace {

// A search that takes no noticeable time.
constexpr std::size_t kMostFiles = 400, kMostEntries = 10'000;
constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;
constexpr std::size_t kMostNamed = 3;

bool is_source(const std::filesystem::path& file) {
    constexpr std::array<std::string_view, 5> kEndings = {".cu", ".cpp", ".cc", ".cxx", ".c"};
    return std::ranges::find(kEndings, ending_of(file)) != kEndings.end();
}

// The source files near the program, those of the nearest folders first.
class NearFiles {
  public:
    NearFiles(const ProgramRequest& request, const std::vector<std::filesystem::path>& folders) {
        see_file(request.file);
        for (const std::filesystem::path& file : request.more_files) see_file(file);
        std::vector<std::filesystem::path> first = {folder_of(request.file)};
        for (const std::filesystem::path& file : request.more_files)
            first.push_back(folder_of(file));
        first.insert(first.end(), request.include_folders.begin(), request.include_folders.end());
        first.insert(first.end(), folders.begin(), folders.end());
        std::vector<std::filesystem::path> below;
        for (const std::filesystem::path& folder : first) add(folder, &below);
        std::ranges::sort(below);
        for (const std::filesystem::path& folder : below) add(folder, nullptr);
    }
    [[nodiscard]] const std::vector<std::filesystem::path>& files() const { return files_; }

  private:
    static std::filesystem::path folder_of(const std::filesystem::path& file) {
        return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
    }
    bool see_file(const std::filesystem::path& file) {
        std::error_code error;
        return seen_.insert(std::filesystem::weakly_canonical(file, error)).second;
    }
    void add(const std::filesystem::path& folder, std::vector<std::filesystem::path>* below) {
        if (!see_file(folder)) return;
        std::vector<std::filesystem::path> files;
        std::error_code error;
        for (std::filesystem::directory_iterator entry(folder, error), end; entry != end;
             entry.increment(error)) {
            if (error || ++entries_ > kMostEntries) break;
            const std::string name = entry->path().filename().string();
            if (entry->is_directory(error) && !entry->is_symlink(error)) {
                if (below != nullptr && !name.starts_with(".")) below->push_back(entry->path());
            } else if (is_source(entry->path())) {
                files.push_back(entry->path());
            }
        }
        std::ranges::sort(files);
        for (const std::filesystem::path& file : files)
            if (files_.size() < kMostFiles && see_file(file))
                files_.push_back(file.lexically_normal());
    }

    std::set<std::filesystem::path> seen_;
    std::vector<std::filesystem::path> files_;
    std::size_t entries_ = 0;
};

// For each name the files that define it, in the folder where the first one was found.
std::map<std::string, std::vector<std::filesystem::path>> definitions(
    const std::set<std::string>& names, const std::vector<std::filesystem::path>& files) {
    std::map<std::string, std::vector<std::filesystem::path>> found;
    std::uint64_t bytes = 0;
    for (const std::filesystem::path& file : files) {
        std::error_code error;
        const std::uintmax_t size = std::filesystem::file_size(file, error);
        if (error || bytes + size > kMostBytes) continue;
        bytes += size;
        const Result<std::string> text = read_source(file);
        if (!text) continue;
        const std::string masked = masked_text(*text);
        if (has_main(masked)) continue;
        for (const DefinedFunction& function : find_defined_functions(masked)) {
            if (function.is_static || !names.contains(function.name)) continue;
            std::vector<std::filesystem::path>& in = found[function.name];
            const bool same_folder = in.empty() || in.front().parent_path() == file.parent_path();
            if (same_folder && std::ranges::find(in, file) == in.end()) in.push_back(file);
        }
    }
    return found;
}

}  // namespace

std::string plain_name(std::string symbol) {
    symbol = symbol.substr(0, symbol.find('('));
    symbol = symbol.substr(0, symbol.find('<'));
    if (const std::size_t colon = symbol.rfind(':'); colon != std::string::npos)
        symbol.erase(0, colon + 1);
    if (const std::size_t blank = symbol.rfind(' '); blank != std::string::npos)
        symbol.erase(0, blank + 1);  // a template's message begins with the returned type
    return symbol;
}

void find_definitions(std::vector<CompileError>& errors, const ProgramRequest& request,
                      const std::vector<std::filesystem::path>& folders) {
    std::set<std::string> names;
    for (const CompileError& error : errors)
        if (!error.missing.empty()) names.insert(plain_name(error.missing));
    if (names.empty()) return;
    const auto found = definitions(names, NearFiles(request, folders).files());
    for (CompileError& error : errors) {
        const auto at = found.find(plain_name(error.missing));
        if (error.missing.empty() || at == found.end()) continue;
        error.defined_in = at->second.front();
        std::string files;
        for (std::size_t i = 0; i < std::min(at->second.size(), kMostNamed); ++i)
            files += (i == 0 ? "" : " and ") + at->second[i].filename().string();
        error.message = "no file of the program defines " + error.missing + "; " + files +
                        (at->second.size() == 1 ? " does" : " do") + ": add it with --with " +
                        error.defined_in.string();
    }
}

}  // namespace tilereel::program
