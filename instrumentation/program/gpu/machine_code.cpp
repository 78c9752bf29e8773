#include "instrumentation/program/gpu/machine_code.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>

#include "instrumentation/base/files/temporary_folder.h"
#include "instrumentation/gpu/cubin/cubin.h"
#include "instrumentation/program/gpu/nvcc_build.h"
#include "instrumentation/program/process.h"
#include "instrumentation/program/stranger.h"

namespace tilereel::program {
namespace {

constexpr std::uint64_t kMostAddressBytes = std::uint64_t{64} << 30;  // nvcc reserves much
constexpr std::uint64_t kMostFileBytes = std::uint64_t{2} << 30;

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

// "void scale<float, (int)4>(float*, int)" -> "scale<float,4>"; empty: not a mangled name.
std::string plain_name(const std::string& symbol) {
    int status = 0;
    char* const text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
    std::string name = text == nullptr ? symbol : text;
    std::free(text);
    std::size_t depth = 0, begin = 0, end = name.size();
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] == '<') ++depth;
        if (name[i] == '>' && depth > 0) --depth;
        if (depth != 0) continue;
        if (name[i] == ' ' && end == name.size()) begin = i + 1;
        constexpr std::string_view kUnnamed = "(anonymous namespace)";
        if (name.compare(i, kUnnamed.size(), kUnnamed) == 0) {
            i += kUnnamed.size() - 1;
            continue;
        }
        if (name[i] == '(') end = std::min(end, i);
    }
    name = name.substr(begin, end - begin);
    std::erase(name, ' ');
    return name;
}
bool is_called(const std::string& symbol, std::string wanted) {
    std::erase(wanted, ' ');
    const std::string name = plain_name(symbol);
    return name == wanted || name.ends_with("::" + wanted);
}

}  // namespace

const MachineKernel* kernel_named(const std::vector<MachineKernel>& kernels,
                                  const std::string& name) {
    const auto is_it = [&](const MachineKernel& kernel) { return is_called(kernel.symbol, name); };
    const auto found = std::ranges::find_if(kernels, is_it);
    if (found == kernels.end() || std::ranges::count_if(kernels, is_it) != 1) return nullptr;
    return &*found;
}

Result<std::vector<MachineKernel>> machine_code_of(const ProgramRequest& request,
                                                   const std::string& architecture,
                                                   const std::atomic<bool>* cancel) {
    const std::string nvcc = find_nvcc();
    if (nvcc.empty()) return failed("there is no nvcc on this computer");
    const TemporaryFolder folder = TRY(TemporaryFolder::make());
    const std::filesystem::path cubin = folder.path() / "kernels.cubin";
    std::vector<std::filesystem::path> files = {request.file};
    files.insert(files.end(), request.more_files.begin(), request.more_files.end());
    std::optional<Sandbox> sandbox;
    if (request.in_sandbox) {
        sandbox = Sandbox{.readable = readable_of(request), .writable = {folder.path()}};
        sandbox->readable.push_back(
            std::filesystem::weakly_canonical(nvcc).parent_path().parent_path());
    }
    std::vector<MachineKernel> kernels;
    for (const std::filesystem::path& file : files) {
        ProcessRequest process;
        process.command = compile_command(request, nvcc, architecture,
                                          std::filesystem::weakly_canonical(file), cubin);
        process.folder = folder.path();
        process.seconds = request.limits.compile_seconds;
        process.address_bytes = kMostAddressBytes;
        process.file_bytes = kMostFileBytes;
        process.variables = in_english();
        process.variables.emplace_back("TMPDIR", folder.path().string());
        process.sandbox = sandbox;
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
