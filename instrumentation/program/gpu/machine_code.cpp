#include "instrumentation/program/gpu/machine_code.h"

#include "instrumentation/base/files/temporary_folder.h"
#include "instrumentation/gpu/cubin/cubin.h"
#include "instrumentation/program/gpu/nvcc_build.h"
#include "instrumentation/program/process.h"

namespace tilereel::program {
namespace {

std::vector<std::string> compile_command(const ProgramRequest& request, const std::string& nvcc,
                                         const std::string& architecture,
                                         const std::filesystem::path& file,
                                         const std::filesystem::path& to) {
    std::vector<std::string> command = {
        nvcc, "-std=" + request.standard, "-O3",    "-w",        "-x",
        "cu", "--extended-lambda",        "-cubin", "-lineinfo", "-arch=" + architecture};
    for (const std::filesystem::path& folder : request.include_folders)
        command.push_back("-I" + std::filesystem::absolute(folder).string());
    for (const std::string& define : request.defines) command.push_back("-D" + define);
    command.insert(command.end(), {file.string(), "-o", to.string()});
    return command;
}

}  // namespace

Result<std::vector<MachineKernel>> machine_code_of(const ProgramRequest& request,
                                                   const std::string& architecture,
                                                   const std::atomic<bool>* cancel) {
    const std::string nvcc = find_nvcc();
    if (nvcc.empty()) return failed("there is no nvcc on this computer");
    const TemporaryFolder folder = TRY(TemporaryFolder::make());
    const std::filesystem::path cubin = folder.path() / "kernels.cubin";
    std::vector<std::filesystem::path> files = {request.file};
    files.insert(files.end(), request.more_files.begin(), request.more_files.end());
    std::vector<MachineKernel> kernels;
    for (const std::filesystem::path& file : files) {
        ProcessRequest process;
        process.command = compile_command(request, nvcc, architecture,
                                          std::filesystem::weakly_canonical(file), cubin);
        process.folder = std::filesystem::weakly_canonical(file).parent_path();
        process.seconds = request.limits.compile_seconds;
        process.variables = in_english();
        process.cancel = cancel;
        const ProcessResult compiled = TRY(run_process(process));
        if (compiled.end == ProcessEnd::kCancelled) return cancelled();
        if (!compiled.succeeded()) return failed("nvcc does not compile the program");
        // A file without kernels has no machine code.
        Result<std::vector<MachineKernel>> found = gpu::read_cubin(cubin);
        if (!found) continue;
        for (MachineKernel& kernel : found.value()) kernels.push_back(std::move(kernel));
    }
    if (kernels.empty()) return failed("nvcc's machine code cannot be read");
    return kernels;
}

}  // namespace tilereel::program
