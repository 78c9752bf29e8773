#pragma once
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "instrumentation/base/result.h"
#include "instrumentation/cuda/text/host_functions.h"
#include "instrumentation/cuda/text/launch_line_text.h"
#include "instrumentation/cuda/text/specifier_macros.h"
#include "instrumentation/program/program_run.h"

namespace tilereel::program {

// Without links; the path itself if the system cannot tell.
[[nodiscard]] std::filesystem::path real_path(const std::filesystem::path& file);

// Writes the rewritten files of the program and its headers into a folder that mirrors their real
// paths.
class MirroredSources {
  public:
    MirroredSources(std::filesystem::path folder, const ProgramRequest& request)
        : folder_(std::move(folder)), request_(request) {
        for (const std::string& define : request.defines) macros_.add_option(define);
        for (const std::string& flag : request.compiler_flags)
            if (flag.starts_with("-D")) macros_.add_option(std::string_view(flag).substr(2));
    }

    // Adds a file of the program and all that it includes. Returns its rewritten file, which
    // write() makes.
    Result<std::filesystem::path> add(const std::filesystem::path& file);
    // Writes all files, once they have all been read: a header can define a macro that stands for
    // __device__.
    Status write();
    // The include folders: the mirrored ones before the real ones.
    [[nodiscard]] std::vector<std::string> flags() const;
    // Included files that are not read, such as pipes, and texts that g++ needs too long for. The
    // compiler must not read them either.
    [[nodiscard]] const std::vector<CompileError>& refused() const { return refused_; }
    // What explains the errors. A library that the compiler has found needs no explanation.
    [[nodiscard]] std::vector<CompileError> explanations(
        const std::vector<CompileError>& errors) const;
    // Whether the program's file at `path` is host code: it is C++ by its extension and has no
    // device code.
    [[nodiscard]] bool is_host_file(const std::filesystem::path& path) const;
    // Whether it is C. Our headers for CUDA are C++, so a file that includes them is compiled as
    // that.
    [[nodiscard]] bool is_c_file(const std::filesystem::path& path) const;
    [[nodiscard]] std::vector<std::filesystem::path> folders() const;
    // The compiler's output with the names of files in one line each. g++ writes a line end in a
    // name as it is.
    [[nodiscard]] std::string in_lines(std::string output) const;
    // Gives the files of the errors in such an output their real names.
    void set_real_names(std::vector<CompileError>& errors) const;
    [[nodiscard]] bool uses_openmp() const { return openmp_; }
    [[nodiscard]] bool uses_special_functions() const { return special_functions_; }
    [[nodiscard]] bool has_own_main() const { return has_main_; }
    [[nodiscard]] const std::vector<DeviceFunction>& functions() const { return functions_; }
    // Of host and device code.
    [[nodiscard]] const std::vector<DefinedFunction>& defined() const { return defined_; }
    // The launch lines of the command, or else those in the files' comments.
    [[nodiscard]] std::vector<LaunchLine> launch_lines() const;

  private:
    struct Included {
        std::filesystem::path file, from;
        unsigned line = 0;  // in `from`; 0: a file of the command
    };
    [[nodiscard]] std::filesystem::path mirrored(const std::filesystem::path& real) const;
    static std::string one_line(const std::filesystem::path& file);
    static void replace_all(std::string& text, std::string_view from, std::string_view to);
    Status add_text(const std::filesystem::path& real, const std::string& text);
    Status write_file(const std::filesystem::path& real, const std::string& text);
    // The last include comes first off the list of those that wait.
    void add_included(const std::string& text, const std::string& masked,
                      const std::filesystem::path& from);

    std::filesystem::path folder_;
    const ProgramRequest& request_;
    std::set<std::filesystem::path> seen_, folders_, with_device_code_, with_cuda_headers_;
    std::multimap<std::filesystem::path, std::filesystem::path> included_;  // by each file
    std::vector<Included> waiting_;
    struct Read {
        std::filesystem::path path;
        std::string text;
    };
    std::vector<Read> read_;
    SpecifierMacros macros_;
    std::uint64_t bytes_ = 0;
    std::vector<std::pair<CompileError, std::string>>
        unsupported_;  // and UnsupportedFeature::header
    std::vector<CompileError> refused_;
    bool openmp_ = false, special_functions_ = false, has_main_ = false;
    std::vector<DeviceFunction> functions_;
    std::vector<DefinedFunction> defined_;
    std::vector<LaunchLine> launch_lines_;
};

}  // namespace tilereel::program
