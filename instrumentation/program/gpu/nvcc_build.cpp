#include "instrumentation/program/gpu/nvcc_build.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <thread>

#include "instrumentation/base/files/text_file.h"
#include "instrumentation/cuda/text/text_words.h"
#include "instrumentation/gpu/dump.h"
#include "instrumentation/gpu/ptx/module/ptx_text.h"
#include "instrumentation/gpu/ptx/ptx_patch.h"
#include "instrumentation/program/build/compile_errors.h"
#include "instrumentation/program/process.h"

namespace tilereel::program {
namespace {

// Functions whose calls the linker redirects to host_memory.cpp, host_calls.cpp and host_maps.cpp.
constexpr const char* kWrapped[] = {"cudaMalloc",
                                    "cudaMallocManaged",
                                    "cudaMallocAsync",
                                    "cudaMallocFromPoolAsync",
                                    "cudaMallocPitch",
                                    "cudaMalloc3D",
                                    "cudaMallocHost",
                                    "cudaHostAlloc",
                                    "cudaHostRegister",
                                    "cudaFree",
                                    "cudaFreeAsync",
                                    "cudaFreeHost",
                                    "cudaHostUnregister",
                                    "__cudaRegisterVar",
                                    "__cudaRegisterManagedVar",
                                    "__cudaRegisterFunction",
                                    "__cudaRegisterFatBinaryEnd",
                                    "__cudaPushCallConfiguration",
                                    "cudaLaunchKernel",
                                    "cudaLaunchCooperativeKernel",
                                    "cudaLaunchKernelExC",
                                    "__cudaGetKernel",
                                    "__cudaLaunchKernel",
                                    "cudaGetDriverEntryPoint",
                                    "cudaGetDriverEntryPointByVersion",
                                    "cuTensorMapEncodeTiled"};

// Linker options for the libraries whose headers the files include, and for OpenMP.
std::vector<std::string> link_options(const std::vector<std::filesystem::path>& files) {
    static constexpr std::pair<const char*, const char*> kOptions[] = {
        {"cuda", "-lcuda"},         {"cublas", "-lcublas"},     {"cublas_v2", "-lcublas"},
        {"cublasXt", "-lcublas"},   {"cublasLt", "-lcublasLt"}, {"curand", "-lcurand"},
        {"cusparse", "-lcusparse"}, {"cufft", "-lcufft"},       {"cusolverDn", "-lcusolver"}};
    std::vector<std::string> options;
    for (const std::filesystem::path& file : files) {
        const std::string text = read_text(file);
        for (const auto& [header, option] : kOptions)
            if (text.find("<" + std::string(header) + ".h>") != std::string::npos ||
                text.find("\"" + std::string(header) + ".h\"") != std::string::npos)
                options.emplace_back(option);
        if (text.find("omp.h") != std::string::npos ||
            text.find("#pragma omp") != std::string::npos)
            options.insert(options.end(), {"-Xcompiler", "-fopenmp"});
    }
    return options;
}

std::string quoted(const std::string& text) {  // for the shell
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

// nvcc's steps for one file, as `nvcc --dryrun` prints them. Each use of the assembler (ptxas)
// begins a new script.
struct Steps {
    std::vector<std::string> scripts;              // for the shell; one more than `assembled`
    std::vector<std::filesystem::path> assembled;  // the PTX that script i + 1 assembles
};
// The length of the name in a line NAME=VALUE; 0 if the line is no setting.
std::size_t setting_name(std::string_view line) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos || equals == 0 || (line[0] >= '0' && line[0] <= '9'))
        return 0;
    return std::ranges::all_of(line.substr(0, equals), is_word) ? equals : 0;
}
// The PTX that a step assembles: ptxas ... "unit.ptx" ...; empty if it is another step.
std::string_view assembled_file(std::string_view line) {
    const std::size_t end = std::min(line.find(' '), line.size());
    std::string_view tool = line.substr(0, end);
    if (tool.ends_with('"')) tool.remove_suffix(1);
    if (tool != "ptxas" && !tool.ends_with("/ptxas") && !tool.ends_with("\"ptxas")) return {};
    constexpr std::string_view kEnd = ".ptx\"";
    const std::size_t close = line.rfind(kEnd);
    const std::size_t open =
        close == std::string_view::npos ? close : line.substr(end, close - end).rfind('"');
    if (open == std::string_view::npos) return {};
    return line.substr(end + open + 1, close + kEnd.size() - 1 - (end + open + 1));
}
Steps steps_of(const std::string& dryrun) {
    Steps steps;
    std::string settings, script;
    std::istringstream lines(dryrun);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("#$ ")) continue;
        line.erase(0, 3);
        if (const std::size_t name = setting_name(line); name != 0) {
            settings +=
                "export " + line.substr(0, name) + "=" + quoted(line.substr(name + 1)) + "\n";
            continue;
        }
        if (line.starts_with("rm ")) continue;
        if (const std::string_view ptx = assembled_file(line); !ptx.empty()) {
            steps.scripts.push_back(settings + script);
            steps.assembled.emplace_back(ptx);
            script.clear();
        }
        script += line + "\n";
    }
    steps.scripts.push_back(settings + script);
    return steps;
}

// So that 1,024 threads fit with the calls of the recorder. The sums of wgmma need more registers,
// which the program gives by its __launch_bounds__ or setmaxnreg.
constexpr const char* kRegisterLimit = "-maxrregcount=64";
bool uses_wgmma(const std::filesystem::path& ptx) {
    return read_text(ptx).find("wgmma.mma_async") != std::string::npos;
}
std::string without_register_limit(std::string script) {
    const std::size_t at = script.find(kRegisterLimit);
    return at == std::string::npos ? script
                                   : script.erase(at, std::string_view(kRegisterLimit).size());
}

// One file of the program.
class NvccUnit {
  public:
    NvccUnit(const ProgramRequest& request, const GpuToolchain& tools, std::filesystem::path file,
             std::filesystem::path folder, const std::atomic<bool>* cancel)
        : request_(request),
          tools_(tools),
          file_(std::filesystem::weakly_canonical(file)),
          folder_(std::move(folder)),
          cancel_(cancel) {}

    // Compiles the file to its object file. `patch` changes the PTX in place.
    template <class Patch>
    Status compile(Patch&& patch) {
        std::error_code error;
        std::filesystem::create_directories(folder_, error);
        const ProcessResult planned =
            TRY(nvcc({"-c", "--dryrun", "--keep", "--keep-dir", folder_.string(), "-lineinfo", "-g",
                      "-Xcicc", "-O1", kRegisterLimit, file_.string(), "-o", object().string()}));
        if (!planned.succeeded()) return note(planned);
        const Steps steps = steps_of(planned.output);
        if (steps.assembled.empty())
            return failed("nvcc " + tools_.version + " names no step that assembles PTX");
        for (std::size_t i = 0; i < steps.scripts.size(); ++i) {
            if (i > 0) TRY(patch(folder_ / steps.assembled[i - 1]));
            const std::string script = i > 0 && uses_wgmma(folder_ / steps.assembled[i - 1])
                                           ? without_register_limit(steps.scripts[i])
                                           : steps.scripts[i];
            const ProcessResult ran = TRY(run({"sh", "-e", "-c", script}));
            if (!ran.succeeded()) return note(ran);
        }
        return Done{};
    }
    // Compiles the file with -G, for names and types. If that fails, there are none.
    void compile_names() {
        static_cast<void>(nvcc({"-G", "-cubin", file_.string(), "-o", names().string()}));
    }
    [[nodiscard]] std::filesystem::path object() const { return folder_ / "unit.o"; }
    [[nodiscard]] std::filesystem::path names() const { return folder_ / "names.cubin"; }
    [[nodiscard]] const std::string& output() const { return output_; }
    [[nodiscard]] bool is_refused() const { return refused_; }

  private:
    Result<ProcessResult> nvcc(std::vector<std::string> more) const {
        std::vector<std::string> command = architecture_options(tools_.architecture);
        command.insert(command.begin(), tools_.nvcc);
        command.insert(command.end(),
                       {"-std=" + request_.standard, "-w", "-x", "cu", "--extended-lambda"});
        for (const std::filesystem::path& folder : request_.include_folders)
            command.push_back("-I" + std::filesystem::absolute(folder).string());
        for (const std::string& define : request_.defines) command.push_back("-D" + define);
        for (const std::string& option : link_options({file_}))
            if (!option.starts_with("-l")) command.push_back(option);
        command.insert(command.end(), more.begin(), more.end());
        return run(std::move(command));
    }
    Result<ProcessResult> run(std::vector<std::string> command) const {
        ProcessRequest process;
        process.command = std::move(command);
        process.folder = file_.parent_path();
        process.seconds = 300;
        process.cancel = cancel_;
        return run_process(process);
    }
    Status note(const ProcessResult& result) {
        refused_ = true;
        output_ += result.output;
        return Done{};
    }

    const ProgramRequest& request_;
    const GpuToolchain& tools_;
    std::filesystem::path file_, folder_;
    const std::atomic<bool>* cancel_;
    std::string output_;
    bool refused_ = false;
};

// The error in a line of nvcc's, "file.cu(12): error: ...".
std::optional<CompileError> nvcc_error(std::string_view line) {
    for (std::size_t colon = line.rfind("): "); colon != std::string_view::npos && colon > 0;
         colon = line.rfind("): ", colon - 1)) {
        const std::size_t open = line.substr(0, colon).rfind('(');
        if (open == std::string_view::npos || open == 0) continue;
        CompileError error{std::string(line.substr(0, open)), 0, 0, {}};
        const char* const end = line.data() + colon;
        const auto [parsed, code] = std::from_chars(line.data() + open + 1, end, error.line);
        if (code != std::errc() || parsed != end) continue;
        std::string_view rest = line.substr(colon + 3);
        for (const std::string_view word : {"catastrophic ", "error", ":", " "}) {
            const bool is_next = rest.starts_with(word);
            if (word == "error" && !is_next) return std::nullopt;
            if (is_next) rest.remove_prefix(word.size());
        }
        if (rest.empty()) return std::nullopt;
        error.message = rest;
        return error;
    }
    return std::nullopt;
}

// The table that host_parent.cpp reads: each kernel with the sizes of its parameters in bytes.
std::string parameter_table(const std::vector<gpu::PtxKernel>& kernels) {
    std::ostringstream table;
    for (const gpu::PtxKernel& kernel : kernels) {
        table << kernel.symbol;
        for (const std::uint32_t bytes : kernel.parameter_bytes) table << ' ' << bytes;
        table << '\n';
        if (kernel.uses_heap) table << tilereel_gpu::kUsesHeap << ' ' << kernel.symbol << '\n';
    }
    return table.str();
}

Result<ProcessResult> link(const std::vector<NvccUnit>& units,
                           const std::vector<std::string>& options, const GpuToolchain& tools,
                           const std::filesystem::path& program, const std::atomic<bool>* cancel) {
    ProcessRequest process;
    process.command = architecture_options(tools.architecture);
    process.command.insert(process.command.begin(), tools.nvcc);
    process.command.insert(process.command.end(), {"-o", program.string()});
    process.command.insert(process.command.end(), options.begin(), options.end());
    for (const NvccUnit& unit : units) process.command.push_back(unit.object().string());
    for (const char* const part : {"host_memory.o", "host_calls.o", "host_dump.o", "host_launch.o",
                                   "host_maps.o", "host_parent.o"})
        process.command.push_back((tools.folder / part).string());
    for (const char* const name : kWrapped)
        process.command.insert(process.command.end(), {"-Xlinker", "--wrap=" + std::string(name)});
    process.seconds = 300;
    process.cancel = cancel;
    return run_process(process);
}

}  // namespace

std::vector<CompileError> nvcc_errors(const std::string& output) {
    std::vector<CompileError> errors;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);)
        if (std::optional<CompileError> error = nvcc_error(line))
            errors.push_back(std::move(*error));
    return errors.empty() ? errors_in(output, "") : errors;
}

Result<GpuProgram> build_gpu_program(const ProgramRequest& request, const GpuToolchain& tools,
                                     const std::filesystem::path& folder,
                                     const std::atomic<bool>* cancel) {
    std::vector<std::filesystem::path> files = {request.file};
    files.insert(files.end(), request.more_files.begin(), request.more_files.end());
    std::vector<NvccUnit> units;
    for (std::size_t i = 0; i < files.size(); ++i)
        units.emplace_back(request, tools, files[i], folder / ("gpu_" + std::to_string(i)), cancel);
    const std::filesystem::path toolkit =
        std::filesystem::weakly_canonical(tools.nvcc).parent_path().parent_path();
    // The PTX names the toolkit's files by the path of nvcc, with or without resolved links.
    const std::vector<std::string> libraries = {
        toolkit.string(), std::filesystem::path(tools.nvcc).parent_path().parent_path().string(),
        "/usr/include/", "/usr/lib/"};
    const std::string recorder = read_text(tools.folder / "recorder.ptx");
    auto facts = std::make_shared<gpu::GpuFacts>();
    facts->compiler = "nvcc " + tools.version;
    facts->files = {""};
    std::vector<gpu::PtxKernel> kernels;
    GpuProgram built;
    for (NvccUnit& unit : units) {
        std::error_code error;
        const auto patch = [&](const std::filesystem::path& path) -> Status {
            const gpu::PatchedPtx patched =
                gpu::patch_ptx(read_text(path), recorder,
                               {static_cast<std::uint32_t>(facts->sites.size()),
                                static_cast<std::uint32_t>(facts->variables.size())},
                               libraries);
            gpu::add_ptx(patched, *facts);
            kernels.insert(kernels.end(), patched.kernels.begin(), patched.kernels.end());
            return write_text(path, patched.text);
        };
        std::filesystem::create_directories(unit.object().parent_path(), error);
        Status compiled = Done{};
        {
            const std::jthread names([&] { unit.compile_names(); });
            compiled = unit.compile(patch);
        }
        if (!compiled) return compiled.error();
        built.compiler_output += unit.output();
        if (unit.is_refused()) {
            built.errors = nvcc_errors(unit.output());
            if (built.errors.empty()) built.errors = {{request.file.string(), 0, 0, unit.output()}};
            return built;
        }
        gpu::add_names(unit.names(), *facts);
    }
    const std::filesystem::path program = folder / "program";
    const ProcessResult linked = TRY(link(units, link_options(files), tools, program, cancel));
    built.compiler_output += linked.output;
    if (!linked.succeeded()) {
        built.errors = link_errors(linked.output, request.file.string());
        if (built.errors.empty())
            built.errors = {failure_of_tool(linked, "the linker", request.file.string())};
        if (linked.output.find("undefined reference to `main'") != std::string::npos)
            built.errors = {{request.file.string(), 0, 0,
                             "the program has no main(), which it needs to run on the GPU"}};
        return built;
    }
    std::ofstream(program.string() + ".kernels") << parameter_table(kernels);
    built.program = program;
    built.facts = std::move(facts);
    return built;
}

}  // namespace tilereel::program
