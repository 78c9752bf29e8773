#include "instrumentation/program/build/cuda_code.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "instrumentation/base/files/text_file.h"
#include "instrumentation/cuda/text/includes.h"
#include "instrumentation/cuda/text/launch_text.h"
#include "instrumentation/program/build/compile_commands.h"

namespace tilereel::program {
namespace {

// A search that takes no noticeable time. A program with more text than that is left to the
// compiler.
constexpr std::uint64_t kMostBytesRead = std::uint64_t{16} << 20;

// Reads a file and the files that it includes until one of them is CUDA.
class CudaSearch {
  public:
    CudaSearch(const std::filesystem::path& file, std::vector<std::filesystem::path> folders)
        : file_(file), folders_(std::move(folders)) {}

    Result<bool> run() {
        const std::string text = TRY(read_source(file_));
        if (look_at(file_, text)) return true;
        for (const std::filesystem::path& folder : flags_in_database(file_).include_folders)
            folders_.push_back(folder);
        add_included(file_, text);
        while (!waiting_.empty()) {
            const std::filesystem::path next = std::move(waiting_.back());
            waiting_.pop_back();
            const Result<std::string> included = read_source(next);
            if (!included) continue;
            if (look_at(next, *included)) return true;
            add_included(next, *included);
        }
        return false;
    }

  private:
    bool look_at(const std::filesystem::path& file, const std::string& text) {
        bytes_ += text.size();
        if (bytes_ > kMostBytesRead) return true;
        std::error_code error;
        seen_.insert(std::filesystem::weakly_canonical(file, error));
        const std::string masked = masked_text(text);
        return has_device_words(masked) ||
               std::ranges::any_of(find_includes(text, masked), is_cuda_header, &Include::name);
    }
    void add_included(const std::filesystem::path& from, const std::string& text) {
        for (const Include& include : find_includes(text, masked_text(text)))
            if (const auto file = find(from.parent_path(), include.name)) waiting_.push_back(*file);
    }
    // An included file that has not been read yet.
    std::optional<std::filesystem::path> find(const std::filesystem::path& beside,
                                              std::string_view name) {
        std::vector<std::filesystem::path> places = {beside};
        places.insert(places.end(), folders_.begin(), folders_.end());
        for (const std::filesystem::path& place : places) {
            std::error_code error;
            const std::filesystem::path file =
                std::filesystem::weakly_canonical(place / name, error);
            if (error || !std::filesystem::is_regular_file(file, error)) continue;
            return seen_.insert(file).second ? std::optional(file) : std::nullopt;
        }
        return std::nullopt;
    }

    const std::filesystem::path& file_;
    std::vector<std::filesystem::path> folders_, waiting_;
    std::set<std::filesystem::path> seen_;
    std::uint64_t bytes_ = 0;
};

}  // namespace

bool has_device_words(std::string_view masked) {
    constexpr std::array<std::string_view, 3> kWords = {"__global__", "__device__", "<<<"};
    return std::ranges::any_of(
        kWords, [&](std::string_view word) { return masked.find(word) != std::string_view::npos; });
}

bool is_cuda_header(std::string_view name) {
    constexpr std::array<std::string_view, 8> kBeginnings = {
        "cuda", "cublas", "curand", "cooperative_groups", "thrust/", "cub/", "mma.h", "helper_"};
    return std::ranges::any_of(
        kBeginnings, [&](std::string_view beginning) { return name.starts_with(beginning); });
}

Result<bool> has_cuda_code(const std::filesystem::path& file,
                           const std::vector<std::filesystem::path>& include_folders) {
    return CudaSearch(file, include_folders).run();
}

}  // namespace tilereel::program
