#pragma once
// What a file is to Tilereel: the one answer of the command line, the window, lessons and saved
// views. The case of an ending does not matter.
//
//   .cu .cuh           a CUDA program
//   .cpp .cc .cxx      a CUDA program if CUDA is in it (has_cuda_code() in cuda_code.h)
//   .npz               a trace; also a file of another ending that begins as an archive
//   .toml, .json       a lesson, a race
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/base/result.h"

namespace tilereel {

enum class FileKind : std::uint8_t { kProgram, kTrace, kLesson, kRace };
[[nodiscard]] std::string words_of(FileKind kind);  // "a CUDA program"

// What belongs to a program beside its first file. C++ without CUDA is a program if another of its
// files is CUDA.
struct ProgramParts {
    std::vector<std::filesystem::path> more_files, include_folders;
};

// kWrongCall with one sentence if there is no such file, if it is no regular file, or if it is
// nothing that Tilereel opens. Reads C++ files and the first bytes of files of an unknown ending.
[[nodiscard]] Result<FileKind> kind_of_file(const std::filesystem::path& file,
                                            const ProgramParts& parts = {});
// The same. kWrongCall also if the file is of none of these kinds; `who` takes them: "a
// comparison".
[[nodiscard]] Result<FileKind> kind_of_file(const std::filesystem::path& file,
                                            const std::string& who,
                                            std::initializer_list<FileKind> kinds,
                                            const ProgramParts& parts = {});

// The error for a name that is no contender of a race: it may be a file, which cannot race.
[[nodiscard]] Error cannot_race(const std::string& name);

// By the ending alone, of a file that kind_of_file() has accepted: C++ counts as a program.
// nullopt: none of the endings above.
[[nodiscard]] std::optional<FileKind> kind_of_ending(const std::filesystem::path& file);
// .cpp .cc .cxx: only the text of the file tells whether it is a CUDA program.
[[nodiscard]] bool is_cpp(const std::filesystem::path& file);
[[nodiscard]] inline bool has_ending_of(const std::filesystem::path& file, FileKind kind) {
    return kind_of_ending(file) == kind;
}

}  // namespace tilereel
