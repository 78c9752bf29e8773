#include "instrumentation/plain/ladder.h"

#include <algorithm>
#include <deque>
#include <fstream>
#include <mutex>
#include <sstream>

#include "instrumentation/plain/ladder_trace.h"
#include "instrumentation/plain/program.h"
#include "instrumentation/record/device/recorder.h"
#include "instrumentation/trace/trace_file.h"
#include "kernels/variants.h"

namespace tilereel::plain {
namespace {

// What a recorded access takes in memory, at most, on its way to the trace.
constexpr std::uint64_t kBytesAnAccess = 8;

std::string variant_words(const RecordRequest& request) {
    return request.kernel + " with TILE " + std::to_string(request.parameters.tile) + " and PAD " +
           std::to_string(request.parameters.pad);
}

std::string function_name(const KernelInfo& kernel) {  // "09_tiled" -> "tiled"
    std::string name(kernel.id);
    return name.front() >= '0' && name.front() <= '9' ? name.substr(3) : name;
}

// The arguments of the file's launch_...(): those of TILE and PAD that it is a template of.
std::string launch_instance(const KernelInfo& kernel, const KernelParameters& p) {
    const std::string launch = "launch_" + function_name(kernel);
    const std::string_view source = kernel.plain_source;
    const std::size_t at = source.find("void " + launch + "(");
    check(at != std::string_view::npos);
    std::string_view head = source.substr(0, at);
    head = head.substr(head.rfind("\n\n"));
    std::string arguments;
    for (const auto& [name, value] : {std::pair{"int TILE", p.tile}, {"int PAD", p.pad}})
        if (head.find(name) != std::string_view::npos)
            arguments += (arguments.empty() ? "" : ", ") + std::to_string(value);
    return arguments.empty() ? launch : launch + "<" + arguments + ">";
}

// Launches the kernel once, with matrices from files, and leaves C in a file.
std::string main_text(const KernelInfo& kernel, const KernelParameters& p) {
    std::ostringstream text;
    text << "#include \"" << kernel.plain_file_name << R"("
#include <cstdio>
#include <cstdlib>
#include <vector>

static float* device_matrix(const char* path, std::size_t elements) {
    std::vector<float> values(elements);
    std::FILE* file = std::fopen(path, "rb");
    if (file == nullptr) std::exit(3);
    if (std::fread(values.data(), sizeof(float), elements, file) != elements) std::exit(3);
    std::fclose(file);
    float* matrix = nullptr;
    cudaMalloc(&matrix, elements * sizeof(float));
    cudaMemcpy(matrix, values.data(), elements * sizeof(float), cudaMemcpyHostToDevice);
    return matrix;
}

// M N K, files of A, B, C before the launch, C after it
int main(int, char** argv) {
    const int M = std::atoi(argv[1]), N = std::atoi(argv[2]), K = std::atoi(argv[3]);
    const std::size_t elements = std::size_t(M) * N;
    float* A = device_matrix(argv[4], std::size_t(M) * K);
    float* B = device_matrix(argv[5], std::size_t(K) * N);
    float* C = device_matrix(argv[6], elements);
    )" << launch_instance(kernel, p)
         << R"((A, B, C, M, N, K);
    if (cudaDeviceSynchronize() != cudaSuccess) return 4;
    std::vector<float> values(elements);
    cudaMemcpy(values.data(), C, elements * sizeof(float), cudaMemcpyDeviceToHost);
    std::FILE* file = std::fopen(argv[7], "wb");
    if (file == nullptr) return 3;
    const bool whole = std::fwrite(values.data(), sizeof(float), elements, file) == elements;
    cudaFree(A), cudaFree(B), cudaFree(C);
    return std::fclose(file) == 0 && whole ? 0 : 3;
}
)";
    return text.str();
}

using Folder = std::shared_ptr<const std::filesystem::path>;

// A kernel with its TILE and PAD.
struct CompiledKernel {
    BuiltProgram program;
    Folder source;  // the program reads its text when it has run
};

// Compiled kernels, the newest last.
class Kept {
  public:
    std::optional<CompiledKernel> find(const std::string& name) {
        const std::lock_guard lock(mutex_);
        const auto found = std::ranges::find(programs_, name, &Named::first);
        return found == programs_.end() ? std::nullopt : std::optional(found->second);
    }
    void add(const std::string& name, const CompiledKernel& program) {
        const std::lock_guard lock(mutex_);
        if (programs_.size() >= kMost) programs_.pop_front();
        programs_.emplace_back(name, program);
    }

  private:
    using Named = std::pair<std::string, CompiledKernel>;
    static constexpr std::size_t kMost = 32;  // some MB each, in the folder for temporary files
    std::mutex mutex_;
    std::deque<Named> programs_;
};

Kept& kept() {
    static Kept programs;
    return programs;
}

Status write_bytes(const std::filesystem::path& path, const void* bytes, std::size_t count) {
    std::ofstream file(path, std::ios::binary);
    file.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(count));
    file.close();
    if (!file) return failed("cannot write " + path.string() + "; make room on its disk");
    return Done{};
}

Status write_floats(const std::filesystem::path& path, const std::vector<float>& values) {
    return write_bytes(path, values.data(), values.size() * sizeof(float));
}

Error first_compile_error(const BuiltProgram& built, const RecordRequest& request) {
    const std::string words = built.errors.empty() ? built.words : built.errors.front().words;
    return failed(variant_words(request) + " does not compile: " + words);
}

// The kernel's program: one that was compiled before, or a new one.
Result<CompiledKernel> program_of(const KernelInfo& kernel, const RecordRequest& request,
                                  ProgramProgress& progress, std::atomic<bool>* compiling) {
    const std::string name = variant_words(request);
    if (std::optional<CompiledKernel> known = kept().find(name)) return *std::move(known);
    const Result<Folder> folder = temporary_folder();
    if (!folder) return folder.error();
    const std::string text = main_text(kernel, request.parameters);
    const std::filesystem::path kernel_file = **folder / kernel.plain_file_name;
    ProgramRequest program;
    program.file = **folder / "launch.cu";
    for (const Status& written :
         {write_bytes(kernel_file, kernel.plain_source.data(), kernel.plain_source.size()),
          write_bytes(program.file, text.data(), text.size())})
        if (!written) return written.error();
    if (compiling != nullptr) *compiling = true;
    const Result<BuiltProgram> built = build_program(program, &progress);
    if (compiling != nullptr) *compiling = false;
    if (!built) return built.error();
    if (*progress.stop) return cancelled();
    if (built->program.empty()) return first_compile_error(*built, request);
    const CompiledKernel compiled{.program = *built, .source = *folder};
    kept().add(name, compiled);
    return compiled;
}

// Which part of the recording is done, for whoever asks.
void pass_on(const ProgramStage& stage, RecordProgress& progress) {
    progress.blocks_done = static_cast<std::uint32_t>(stage.share * double(progress.blocks));
}

ProgramRequest request_to_run(const RecordRequest& request, const std::filesystem::path& folder) {
    const KernelParameters& p = request.parameters;
    ProgramRequest run;
    run.file = folder / "launch.cu";
    run.arguments = {std::to_string(p.m),        std::to_string(p.n),     std::to_string(p.k),
                     (folder / "a").string(),    (folder / "b").string(), (folder / "c").string(),
                     (folder / "after").string()};
    run.limits.seconds = 600;
    run.limits.accesses = run.limits.accesses_a_launch =
        request.memory_limit_bytes / kBytesAnAccess;
    run.limits.memory_bytes += request.memory_limit_bytes;
    return run;
}

Result<std::vector<float>> read_floats(const std::filesystem::path& path, std::size_t count) {
    std::vector<float> values(count);
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char*>(values.data()),
              static_cast<std::streamsize>(count * sizeof(float)));
    if (!file) return failed("cannot read " + path.string());
    return values;
}

Status write_matrices(const std::filesystem::path& folder, const Inputs& inputs,
                      std::size_t elements_of_c) {
    const std::vector<float> zeros(inputs.c.empty() ? elements_of_c : 0);
    for (const Status& written :
         {write_floats(folder / "a", inputs.a), write_floats(folder / "b", inputs.b),
          write_floats(folder / "c", inputs.c.empty() ? zeros : inputs.c)})
        if (!written) return written;
    return Done{};
}

Status check_ended(const ProgramRun& run, const RecordRequest& request) {
    if (run.end == ProgramEnd::kCancelled) return cancelled();
    const bool launched = run.launches.size() == 1;
    if (run.exit_code == 0 && launched && !run.launches[0].trace.empty()) return Done{};
    const std::string why = launched ? run.launches[0].reason : std::string();
    return failed(variant_words(request) +
                  " did not run: " + (why.empty() ? run.end_sentence : why));
}

Result<Trace> run_once(const RequestedLaunch& launch, const RecordRequest& request,
                       const CompiledKernel& kernel, ProgramProgress& progress) {
    const Result<Folder> folder = temporary_folder();  // of this run alone
    if (!folder) return folder.error();
    const KernelParameters& p = request.parameters;
    const auto elements = static_cast<std::size_t>(p.m) * static_cast<std::size_t>(p.n);
    Inputs inputs = inputs_of(request);
    if (const Status written = write_matrices(**folder, inputs, elements); !written)
        return written.error();
    BuiltProgram program = kernel.program;
    program.folder = *folder;
    const Result<ProgramRun> run = run_built(program, request_to_run(request, **folder), &progress);
    if (!run) return run.error();
    if (const Status ended = check_ended(*run, request); !ended) return ended.error();
    Result<std::vector<float>> c = read_floats(**folder / "after", elements);
    if (!c) return c.error();
    TraceReadLimits limits;
    limits.memory_bytes = request.memory_limit_bytes;
    Result<Trace> trace = read_trace(run->launches[0].trace, limits);
    if (!trace) return trace;
    Result<Trace> result = as_ladder_trace(std::move(trace).value(), launch, request,
                                           std::move(inputs), std::move(c).value());
    if (!result) return failed(variant_words(request) + ": the kernel " + result.error().message);
    return result;
}

}  // namespace

Result<Trace> record_compiled(const RecordRequest& request, RecordProgress* progress) {
    const Result<RequestedLaunch> launch = launch_of(request);
    if (!launch) return launch.error();
    if (request.removed_barrier != 0)
        return wrong_call(variant_words(request) +
                          " is not built in: only of what is built in can a barrier be left out");
    ProgramProgress running;
    if (progress != nullptr) {
        running.stop = &progress->cancel;
        progress->blocks_done = 0;
        progress->blocks = launch->shape.grid_x * launch->shape.grid_y;
        running.on_change = [progress](const ProgramStage& stage) { pass_on(stage, *progress); };
    }
    const Result<CompiledKernel> kernel = program_of(
        *launch->kernel, request, running, progress != nullptr ? &progress->compiling : nullptr);
    if (!kernel) return kernel.error();
    return run_once(*launch, request, *kernel, running);
}

Result<Trace> record_ladder(const RecordRequest& request, RecordProgress* progress,
                            std::string* without_gpu) {
    const KernelInfo* const kernel = find_kernel(request.kernel);
    const KernelParameters& p = request.parameters;
    if (kernel == nullptr || recorders_have(*kernel, p.tile, p.pad))
        return record(request, progress, without_gpu);
    const std::string why =
        variant_words(request) + " is not built in: it is compiled for the CPU and recorded there";
    if (request.recorder == Recorder::kGpu) return wrong_call(why + "; leave out --device gpu");
    Result<Trace> trace = record_compiled(request, progress);
    if (trace && request.recorder == Recorder::kAuto && without_gpu != nullptr) *without_gpu = why;
    return trace;
}

}  // namespace tilereel::plain
