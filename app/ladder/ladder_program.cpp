#include "app/ladder/ladder_program.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <optional>
#include <string_view>

#include "instrumentation/base/files/program_folder.h"
#include "instrumentation/base/files/text_file.h"
#include "instrumentation/program/toolchain.h"
#include "kernels/instance_text.h"
#include "kernels/kernel_text.h"
#include "kernels/ladder_file.h"
#include "kernels/variants.h"

namespace tilereel {
namespace {

// The path of the built-in program: the installed one, or else the one in the build folder. Empty
// if Tilereel was built without g++'s headers for plugins.
std::filesystem::path built_in_program() {
    const std::filesystem::path built = TILEREEL_LADDER_PROGRAM;
    const std::filesystem::path installed =
        (program_folder() / TILEREEL_INSTALLED_LIBRARIES / built.filename()).lexically_normal();
    for (const std::filesystem::path& path : {installed, built}) {
        std::error_code error;
        const std::uintmax_t bytes = std::filesystem::file_size(path, error);
        if (!error && bytes > 0) return path;
    }
    return {};
}

// The text of ladder_rows.h for one kernel.
std::string row_of(const KernelInfo& kernel, const KernelParameters& p) {
    return "LADDER_KERNEL(\"" + std::string(kernel.id) + "\", " + std::to_string(p.tile) + ", " +
           std::to_string(p.pad) + ", , (" +
           instance_text(std::string(kernel.file->launch_function), p.tile, p.pad) + "))\n";
}

// Compiled kernels, the newest last.
class CompiledKernels {
  public:
    std::optional<LadderProgram> find(const std::string& name) {
        const std::lock_guard lock(mutex_);
        const auto found = std::ranges::find(programs_, name, &Named::first);
        return found == programs_.end() ? std::nullopt : std::optional(found->second);
    }
    void add(const std::string& name, const LadderProgram& program) {
        const std::lock_guard lock(mutex_);
        if (programs_.size() >= kMost) programs_.pop_front();
        programs_.emplace_back(name, program);
    }

  private:
    using Named = std::pair<std::string, LadderProgram>;
    static constexpr std::size_t kMost =
        32;  // each takes some MB in the folder for temporary files
    std::mutex mutex_;
    std::deque<Named> programs_;
};

CompiledKernels& compiled_kernels() {
    static CompiledKernels programs;
    return programs;
}

Error first_compile_error(const program::BuiltProgram& built, const std::string& words) {
    return failed(words + " does not compile: " +
                  (built.errors.empty() ? built.compiler_output : built.errors.front().message));
}

Result<LadderProgram> compile(const KernelInfo& kernel, const KernelParameters& p,
                              program::ProgramProgress& progress) {
    const std::shared_ptr<const std::filesystem::path> folder = TRY(program::temporary_folder());
    program::ProgramRequest program;
    program.file = *folder / "ladder_main.cu";
    program.keeps_assignments = false;
    program.hands_trace_over = true;
    const std::string include = "#include \"" + std::string(kernel.file_name) + "\"\n";
    for (const Status& written :
         {write_kernel(*folder, kernel), write_text(*folder / "ladder_code.h", include),
          write_text(*folder / "ladder_rows.h", row_of(kernel, p)),
          write_text(program.file, ladder_main_text())})
        if (!written) return written.error();
    const program::BuiltProgram built = TRY(program::build_program(program, &progress));
    if (*progress.stop) return cancelled();
    if (built.program.empty()) return first_compile_error(built, variant_text(kernel, p));
    return LadderProgram{.program = built, .source = folder};
}

}  // namespace

bool is_in_built_program(const KernelInfo& kernel, const KernelParameters& p) {
    return is_built_in(kernel, p.tile, p.pad) && !built_in_program().empty();
}

Status write_kernel(const std::filesystem::path& folder, const KernelInfo& kernel) {
    for (const LadderHeader& header : ladder_headers())
        TRY(write_text(folder / header.name, header.text));
    return write_text(folder / kernel.file_name, kernel.source);
}

std::string variant_text(const KernelInfo& kernel, const KernelParameters& p) {
    return std::string(kernel.id) + " with TILE " + std::to_string(p.tile) + " and PAD " +
           std::to_string(p.pad);
}

Result<LadderProgram> ladder_program(const KernelInfo& kernel, const KernelParameters& p,
                                     LadderBuild build, program::ProgramProgress& progress,
                                     std::atomic<bool>* compiling) {
    if (build == LadderBuild::kBuiltIn && is_in_built_program(kernel, p)) {
        LadderProgram built;
        built.program.program = built_in_program();
        return built;
    }
    const std::string name = variant_text(kernel, p);
    if (std::optional<LadderProgram> known = compiled_kernels().find(name))
        return *std::move(known);
    if (compiling != nullptr) *compiling = true;
    Result<LadderProgram> compiled = compile(kernel, p, progress);
    if (compiling != nullptr) *compiling = false;
    if (compiled) compiled_kernels().add(name, *compiled);
    return compiled;
}

}  // namespace tilereel
