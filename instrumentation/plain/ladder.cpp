#include "instrumentation/plain/ladder.h"

#include <fstream>
#include <optional>

#include "instrumentation/plain/ladder_program.h"
#include "instrumentation/plain/ladder_trace.h"
#include "instrumentation/record/device/recorder.h"
#include "instrumentation/trace/handed_trace.h"
#include "instrumentation/trace/trace_file.h"
#include "kernels/kernel_text.h"
#include "kernels/variants.h"

namespace tilereel::plain {
namespace {

// What a recorded access takes in memory, at most, on its way to the trace.
constexpr std::uint64_t kBytesAnAccess = 8;

using Folder = std::shared_ptr<const std::filesystem::path>;

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

// Which part of the recording is done, for whoever asks.
void pass_on(const ProgramStage& stage, RecordProgress& progress) {
    progress.blocks_done = static_cast<std::uint32_t>(stage.share * double(progress.blocks));
}

ProgramRequest request_to_run(const RecordRequest& request, const std::filesystem::path& folder,
                              const MemoryFile& memory) {
    const KernelParameters& p = request.parameters;
    ProgramRequest run;
    run.file = folder / "ladder_main.cu";
    run.arguments = {request.kernel};
    for (const int number :
         {p.tile, p.pad, p.m, p.n, p.k, static_cast<int>(request.removed_barrier),
          static_cast<int>(request.order)})
        run.arguments.push_back(std::to_string(number));
    for (const char* const file : {"a", "b", "c", "after"})
        run.arguments.push_back((folder / file).string());
    run.memory_file = memory.descriptor();
    run.keeps_assignments = false;  // the ladder's traces have sums, and no other locals
    run.accumulator_interval = interval_of(request);
    run.limits.seconds = 600;
    run.limits.file_bytes = 2 * request.memory_limit_bytes;
    // What is built in has been found to fit in.
    const bool fits = recorders_have(*find_kernel(request.kernel), p.tile, p.pad);
    run.limits.accesses = run.limits.accesses_a_launch =
        fits ? ~std::uint64_t{0} : request.memory_limit_bytes / kBytesAnAccess;
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

std::string words_of(const RecordRequest& request) {
    return variant_words(*find_kernel(request.kernel), request.parameters);
}

// What the request launches. Its barrier is one of the plain CUDA file's.
Result<RequestedLaunch> checked_launch(const RecordRequest& request) {
    RecordRequest whole = request;  // the emulator counts the dialect's lines
    whole.removed_barrier = 0;
    whole.order = ThreadOrder::kTurns;
    whole.find_harm = false;
    Result<RequestedLaunch> launch = launch_of(whole);
    if (!launch || request.removed_barrier == 0) return launch;
    std::string known;
    for (const KernelBarrier& barrier : barriers_in(launch->kernel->plain_source)) {
        if (static_cast<std::uint32_t>(barrier.line) == request.removed_barrier) return launch;
        known += (known.empty() ? "" : ", ") + std::to_string(barrier.line);
    }
    return wrong_call(request.kernel + " has no barrier on line " +
                      std::to_string(request.removed_barrier) +
                      (known.empty() ? "" : "; its barriers are on line " + known));
}

// The program's exit code where it lacks the kernel: a kernel was added since it was compiled.
constexpr int kNoSuchKernel = 5;

Status check_ended(const ProgramRun& run, const RecordRequest& request) {
    if (run.end == ProgramEnd::kCancelled) return cancelled();
    const bool launched = run.launches.size() == 1;
    if (run.exit_code == 0 && launched &&
        (run.launches[0].is_handed_over || !run.launches[0].trace.empty()))
        return Done{};
    const std::string why = launched ? run.launches[0].reason : std::string();
    return failed(words_of(request) + " did not run: " + (why.empty() ? run.end_sentence : why));
}

// As the program has left it: from a GPU as a file.
Result<Trace> recorded_trace(const LaunchSummary& launch, const MemoryFile& memory,
                             std::uint64_t memory_bytes) {
    if (launch.is_handed_over) return take_over(memory.descriptor(), memory_bytes);
    return read_trace(launch.trace, {.memory_bytes = memory_bytes});
}

Result<Trace> run_once(const RequestedLaunch& launch, const RecordRequest& request,
                       LadderProgram& kernel, ProgramProgress& progress) {
    const Result<Folder> folder = temporary_folder();  // of this run alone
    if (!folder) return folder.error();
    const Result<MemoryFile> memory = MemoryFile::make();
    if (!memory) return memory.error();
    const KernelParameters& p = request.parameters;
    const auto elements = static_cast<std::size_t>(p.m) * static_cast<std::size_t>(p.n);
    Inputs inputs = inputs_of(request);
    if (const Status written = write_matrices(**folder, inputs, elements); !written)
        return written.error();
    BuiltProgram program = kernel.program;
    program.folder = *folder;
    const Result<ProgramRun> run =
        run_built(program, request_to_run(request, **folder, *memory), &progress);
    if (!run) return run.error();
    if (run->end == ProgramEnd::kExit && run->exit_code == kNoSuchKernel && !kernel.source) {
        Result<LadderProgram> compiled =
            ladder_program(*launch.kernel, p, LadderBuild::kCompiled, progress, nullptr);
        if (!compiled) return compiled.error();
        kernel = std::move(compiled).value();
        return run_once(launch, request, kernel, progress);
    }
    if (const Status ended = check_ended(*run, request); !ended) return ended.error();
    Result<std::vector<float>> c = read_floats(**folder / "after", elements);
    if (!c) return c.error();
    Result<Trace> trace = recorded_trace(run->launches[0], *memory, request.memory_limit_bytes);
    if (!trace) return trace;
    Result<Trace> result = as_ladder_trace(std::move(trace).value(), launch, request,
                                           std::move(inputs), std::move(c).value());
    if (!result) return failed(words_of(request) + ": the kernel " + result.error().message);
    return result;
}

// The orders in which threads may run: the request's own first, lanes one by one last.
std::vector<ThreadOrder> orders_of(const RecordRequest& request) {
    std::vector<ThreadOrder> orders{request.order};
    for (const ThreadOrder order : {ThreadOrder::kTurns, ThreadOrder::kWarpsForward,
                                    ThreadOrder::kWarpsBackward, ThreadOrder::kLanes})
        if (order != request.order && (order != ThreadOrder::kLanes || request.lanes_may_part))
            orders.push_back(order);
    return orders;
}

// The recording in the first order that makes C wrong; in the request's own order if none does.
Result<Trace> find_harm(const RequestedLaunch& launch, const RecordRequest& request,
                        LadderProgram& program, ProgramProgress& progress) {
    std::optional<Trace> first;
    for (const ThreadOrder order : orders_of(request)) {
        RecordRequest in_order = request;
        in_order.order = order;
        Result<Trace> trace = run_once(launch, in_order, program, progress);
        if (!trace || trace->wrong_elements != 0) return trace;
        if (!first) first = std::move(trace).value();
    }
    return *std::move(first);
}

Result<Trace> record_plain(const RecordRequest& request, LadderBuild build,
                           RecordProgress* progress) {
    const Result<RequestedLaunch> launch = checked_launch(request);
    if (!launch) return launch.error();
    if (build == LadderBuild::kForGpu && request.removed_barrier != 0)
        return wrong_call("a barrier can be left out on the CPU only; leave out --device gpu");
    ProgramProgress running;
    if (progress != nullptr) {
        running.stop = &progress->cancel;
        progress->blocks_done = 0;
        progress->blocks = launch->shape.grid_x * launch->shape.grid_y;
        running.on_change = [progress](const ProgramStage& stage) { pass_on(stage, *progress); };
    }
    Result<LadderProgram> program =
        ladder_program(*launch->kernel, request.parameters, build, running,
                       progress != nullptr ? &progress->compiling : nullptr);
    if (!program) return program.error();
    Result<Trace> trace = request.find_harm ? find_harm(*launch, request, program.value(), running)
                                            : run_once(*launch, request, program.value(), running);
    if (trace && progress != nullptr) progress->blocks_done = progress->blocks.load();
    return trace;
}

}  // namespace

Result<Trace> record_compiled(const RecordRequest& request, RecordProgress* progress) {
    return record_plain(request, LadderBuild::kCompiled, progress);
}

Result<Trace> record_built_in(const RecordRequest& request, RecordProgress* progress) {
    return record_plain(request, LadderBuild::kBuiltIn, progress);
}

Result<Trace> record_compiled_on_gpu(const RecordRequest& request, RecordProgress* progress) {
    return record_plain(request, LadderBuild::kForGpu, progress);
}

Result<Trace> record_ladder(const RecordRequest& request, RecordProgress* progress,
                            std::string* without_gpu) {
    const KernelInfo* const kernel = find_kernel(request.kernel);
    const KernelParameters& p = request.parameters;
    if (kernel == nullptr || recorders_have(*kernel, p.tile, p.pad))
        return record(request, progress, without_gpu);
    if (request.removed_barrier != 0)
        return wrong_call(words_of(request) +
                          " is not built in: only of what is built in can a barrier be left out");
    if (request.recorder == Recorder::kGpu) return record_compiled_on_gpu(request, progress);
    Result<Trace> trace = record_built_in(request, progress);
    if (trace && request.recorder == Recorder::kAuto && without_gpu != nullptr)
        *without_gpu = words_of(request) +
                       " is not built in: it is compiled for the CPU and recorded there, unless "
                       "the GPU is asked for";
    return trace;
}

}  // namespace tilereel::plain
