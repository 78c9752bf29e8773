#include "app/subject/file_kind.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <utility>

#include "instrumentation/base/files/file_ending.h"
#include "instrumentation/program/build/cuda_code.h"
#include "kernels/kernel_name.h"

namespace tilereel {
namespace {

constexpr std::string_view kOpens =
    "CUDA programs (.cu, or .cpp with CUDA in it), traces (.npz), lessons (.toml) and races "
    "(.json)";

template <std::size_t kCount>
bool is_one_of(const std::string& ending, const std::array<std::string_view, kCount>& endings) {
    return std::ranges::find(endings, ending) != endings.end();
}

bool is_cuda_ending(const std::string& ending) { return ending == ".cu" || ending == ".cuh"; }

// Source files that are not named as programs.
bool is_other_code(const std::string& ending) {
    return is_one_of(ending, std::array<std::string_view, 5>{".c", ".h", ".hpp", ".hh", ".hxx"});
}

std::string in_quotes(const std::filesystem::path& file) { return "'" + file.string() + "'"; }

// A trace is a ZIP archive. The file is a regular one, so reading it does not wait.
bool begins_as_archive(const std::filesystem::path& file) {
    constexpr std::string_view kMark = "PK\x03\x04";
    std::array<char, kMark.size()> bytes{};
    std::ifstream in(file, std::ios::binary);
    return in.read(bytes.data(), bytes.size()) &&
           std::string_view(bytes.data(), bytes.size()) == kMark;
}

// C++ is a program if one of its files is CUDA.
Result<FileKind> kind_of_cpp(const std::filesystem::path& file, const ProgramParts& parts) {
    const Result<bool> cuda = program::has_cuda_code(file, parts.include_folders);
    if (!cuda) return wrong_call(cuda.error().message);
    if (*cuda) return FileKind::kProgram;
    for (const std::filesystem::path& other : parts.more_files) {
        if (is_cuda_ending(ending_of(other))) return FileKind::kProgram;
        const Result<bool> in_other = program::has_cuda_code(other, parts.include_folders);
        // A file that cannot be read is for the compilation to refuse.
        if (!in_other || *in_other) return FileKind::kProgram;
    }
    return wrong_call(in_quotes(file) +
                      " has no CUDA in it: no kernel, no launch, no header of CUDA. If it is part "
                      "of a program, open the program's .cu file, with this one as --with");
}

// `words`: of at least two kinds.
std::string joined(const std::vector<std::string>& words) {
    std::string text = words.front();
    for (std::size_t i = 1; i < words.size(); ++i)
        text += (i + 1 < words.size() ? ", " : " or ") + words[i];
    return text;
}

}  // namespace

std::string words_of(FileKind kind) {
    constexpr std::array kWords = {"a CUDA program", "a trace", "a lesson", "a race"};
    return kWords[static_cast<std::size_t>(kind)];
}

bool is_cpp(const std::filesystem::path& file) {
    return is_one_of(ending_of(file), std::array<std::string_view, 3>{".cpp", ".cc", ".cxx"});
}

std::optional<FileKind> kind_of_ending(const std::filesystem::path& file) {
    const std::string ending = ending_of(file);
    if (is_cuda_ending(ending) || is_cpp(file)) return FileKind::kProgram;
    if (ending == ".npz") return FileKind::kTrace;
    if (ending == ".toml") return FileKind::kLesson;
    if (ending == ".json") return FileKind::kRace;
    return std::nullopt;
}

Result<FileKind> kind_of_file(const std::filesystem::path& file, const ProgramParts& parts) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(file, error);
    if (!std::filesystem::exists(status)) return wrong_call("there is no file " + in_quotes(file));
    if (std::filesystem::is_directory(status))
        return wrong_call(in_quotes(file) + " is a folder; name a file in it. Tilereel opens " +
                          std::string(kOpens));
    if (!std::filesystem::is_regular_file(status))
        return wrong_call(in_quotes(file) + " is not a regular file. Tilereel opens " +
                          std::string(kOpens));
    const std::string ending = ending_of(file);
    if (is_cpp(file)) return kind_of_cpp(file, parts);
    if (const std::optional<FileKind> kind = kind_of_ending(file)) return *kind;
    if (begins_as_archive(file)) return FileKind::kTrace;
    if (is_other_code(ending))
        return wrong_call(in_quotes(file) +
                          " is not named as a CUDA program. If it is one, rename it to end in .cu");
    return wrong_call(in_quotes(file) + " is a file of another kind. Tilereel opens " +
                      std::string(kOpens));
}

Error cannot_race(const std::string& name) {
    std::error_code unknown;
    if (!kind_of_ending(name) && !std::filesystem::exists(name, unknown))
        return no_such_kernel(name);
    const FileKind kind = TRY(kind_of_file(name));
    return wrong_call(in_quotes(name) + " is " + words_of(kind) +
                      "; a race is between kernels of the ladder, such as 09_tiled, and cublas");
}

Result<FileKind> kind_of_file(const std::filesystem::path& file, const std::string& who,
                              std::initializer_list<FileKind> kinds, const ProgramParts& parts) {
    const Result<FileKind> kind = kind_of_file(file, parts);
    if (!kind || std::ranges::find(kinds, *kind) != kinds.end()) return kind;
    std::vector<std::string> words;
    for (const FileKind each : kinds) words.push_back(words_of(each));
    return wrong_call(in_quotes(file) + " is " + words_of(*kind) + "; " + who + " takes " +
                      joined(words));
}

}  // namespace tilereel
