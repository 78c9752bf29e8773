#include "app/ladder/ladder.h"

#include <fstream>
#include <optional>

#include "app/ladder/estimate.h"
#include "app/ladder/gpu_ladder.h"
#include "app/ladder/ladder_program.h"
#include "app/ladder/ladder_trace.h"
#include "instrumentation/base/files/text_file.h"
#include "instrumentation/record/number_in_order.h"
#include "instrumentation/trace/file/handed_trace.h"
#include "kernels/variants.h"

namespace tilereel {
namespace {

using Folder = std::shared_ptr<const std::filesystem::path>;

Status write_matrix(const std::filesystem::path& path, const std::vector<float>& values,
                    InputType type = InputType::kFloat32) {
    const std::vector<std::byte> bytes = bytes_of(type, values);
    return write_text(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

// The progress of a recording over all its runs.
class BlocksDone {
  public:
    BlocksDone(RecordProgress* progress, std::uint32_t of_run, std::size_t runs)
        : progress_(progress), of_run_(of_run) {
        if (progress == nullptr) return;
        progress->blocks_done = 0;
        progress->blocks = of_run * static_cast<std::uint32_t>(runs);
    }
    void note(const program::ProgramStage& stage) const {
        if (progress_ != nullptr)
            progress_->blocks_done =
                before_ + static_cast<std::uint32_t>(stage.share * double(of_run_));
    }
    void end_run() { before_ += of_run_; }
    void end() const {
        if (progress_ != nullptr) progress_->blocks_done = progress_->blocks.load();
    }

  private:
    RecordProgress* progress_;
    std::uint32_t of_run_, before_ = 0;
};

program::ProgramRequest request_to_run(const RecordRequest& request, const BlockPlan& plan,
                                       const std::filesystem::path& folder,
                                       TraceReceiver& receiver) {
    const KernelParameters& p = request.parameters;
    program::ProgramRequest run;
    run.file = folder / "ladder_main.cu";
    run.arguments = {request.kernel};
    for (const int number :
         {p.tile, p.pad, p.m, p.n, p.k, static_cast<int>(request.removed_barrier),
          static_cast<int>(request.order)})
        run.arguments.push_back(std::to_string(number));
    for (const char* const file : {"a", "b", "c", "after"})
        run.arguments.push_back((folder / file).string());
    run.memory_file = receiver.descriptor();
    run.on_piece = [&receiver] { receiver.take(); };
    run.keeps_assignments = false;  // the ladder's traces have sums, but no assignments
    run.keeps_contents = false;     // A, B and C travel in files
    run.accumulator_interval = interval_of(request);
    run.independent_blocks = true;
    run.workers = request.workers;
    run.limits.seconds = 600;
    run.limits.file_bytes = 2 * request.memory_limit_bytes;
    run.blocks = plan.blocks;
    run.runs_other_blocks = plan.others_run;
    // blocks_that_fit() has found that the recording fits.
    run.limits.accesses = run.limits.accesses_a_launch = ~std::uint64_t{0};
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

Status write_matrices(const std::filesystem::path& folder, const Inputs& inputs, InputType type,
                      std::size_t elements_of_c) {
    const std::vector<float> zeros(inputs.c.empty() ? elements_of_c : 0);
    for (const Status& written :
         {write_matrix(folder / "a", inputs.a, type), write_matrix(folder / "b", inputs.b, type),
          write_matrix(folder / "c", inputs.c.empty() ? zeros : inputs.c)})
        if (!written) return written;
    return Done{};
}

std::string text_of(const RecordRequest& request) {
    return variant_text(*find_kernel(request.kernel), request.parameters);
}

// The program's exit code if it lacks the kernel, which was added after the program was compiled.
constexpr int kNoSuchKernel = 5;

Status check_ended(const program::ProgramRun& run, const RecordRequest& request) {
    if (run.end == program::ProgramEnd::kCancelled) return cancelled();
    const bool launched = run.launches.size() == 1;
    if (run.exit_code == 0 && launched && run.launches[0].is_handed_over) return Done{};
    std::string why = launched ? run.launches[0].reason : std::string();
    if (why.empty() && launched && !run.launches[0].findings.empty())
        why = run.launches[0].findings[0].what;  // what ended the launch
    return failed(text_of(request) + " did not run: " + (why.empty() ? run.end_sentence : why));
}

Result<Trace> run_once(const RequestedLaunch& launch, const RecordRequest& request,
                       LadderProgram& kernel, program::ProgramProgress& progress,
                       const BlockPlan& plan = {}) {
    const Result<Folder> folder = program::temporary_folder();  // of this run alone
    if (!folder) return folder.error();
    TraceReceiver receiver = TRY(TraceReceiver::make(request.memory_limit_bytes));
    const KernelParameters& p = request.parameters;
    const auto elements = static_cast<std::size_t>(p.m) * static_cast<std::size_t>(p.n);
    Inputs inputs = inputs_of(request);
    TRY(write_matrices(**folder, inputs, launch.kernel->inputs, elements));
    program::BuiltProgram program = kernel.program;
    program.folder = *folder;
    const program::ProgramRun run = TRY(
        program::run_built(program, request_to_run(request, plan, **folder, receiver), &progress));
    if (run.end == program::ProgramEnd::kExit && run.exit_code == kNoSuchKernel && !kernel.source) {
        LadderProgram compiled =
            TRY(ladder_program(*launch.kernel, p, LadderBuild::kCompiled, progress, nullptr));
        kernel = std::move(compiled);
        return run_once(launch, request, kernel, progress, plan);
    }
    TRY(check_ended(run, request));
    std::vector<float> c = TRY(read_floats(**folder / "after", elements));
    Result<Trace> trace = receiver.finish();
    if (!trace) return trace;
    number_in_order(trace.value(), run.launches[0].sums, run.launches[0].barriers);
    Result<Trace> result = as_ladder_trace(std::move(trace).value(), launch, request, inputs, c);
    if (!result) return failed(text_of(request) + ": the kernel " + result.error().message);
    return result;
}

// The request with the order of threads that gives the most records.
RecordRequest largest_of(const RecordRequest& request) {
    RecordRequest largest = request;
    if (request.find_failing_order && request.lanes_may_diverge)
        largest.order = ThreadOrder::kLanes;
    return largest;
}

// Records the first block of sample_of(launch, request, k).
Result<Trace> record_sample(const RequestedLaunch& launch, const RecordRequest& request, int k,
                            LadderProgram& program, program::ProgramProgress& progress) {
    const RecordRequest sample = sample_of(launch, request, k);
    const RequestedLaunch sampled = TRY(launch_of(sample));
    return run_once(sampled, sample, program, progress, {.blocks = {0}});
}

// The blocks to record so that the trace fits into the request's memory limit.
Result<BlockPlan> blocks_to_record(const RequestedLaunch& launch, const RecordRequest& request,
                                   LadderProgram& program, program::ProgramProgress& progress) {
    const RecordRequest largest = largest_of(request);
    return blocks_that_fit(launch, largest, [&](int k) {
        return record_sample(launch, largest, k, program, progress);
    });
}

// The orders in which threads may run: the request's own first, lanes one by one last.
std::vector<ThreadOrder> orders_of(const RecordRequest& request) {
    std::vector<ThreadOrder> orders{request.order};
    for (const ThreadOrder order : {ThreadOrder::kRoundRobin, ThreadOrder::kWarpsForward,
                                    ThreadOrder::kWarpsBackward, ThreadOrder::kLanes})
        if (order != request.order && (order != ThreadOrder::kLanes || request.lanes_may_diverge))
            orders.push_back(order);
    return orders;
}

// Records in the first order that makes C wrong, or in the request's order if none does.
Result<Trace> find_failing_order(const RequestedLaunch& launch, const RecordRequest& request,
                                 LadderProgram& program, program::ProgramProgress& progress,
                                 BlocksDone& done) {
    std::optional<Trace> first;
    for (const ThreadOrder order : orders_of(request)) {
        RecordRequest in_order = request;
        in_order.order = order;
        Result<Trace> trace = run_once(launch, in_order, program, progress);
        if (!trace || trace->wrong_elements != 0) return trace;
        if (!first) first = std::move(trace).value();
        done.end_run();
    }
    return *std::move(first);
}

// Records the blocks of the plan. What they need of other blocks may show only now.
Result<Trace> record_blocks_of(const RequestedLaunch& launch, const RecordRequest& request,
                               LadderProgram& program, program::ProgramProgress& progress,
                               const BlockPlan& plan) {
    Result<Trace> trace = run_once(launch, request, program, progress, plan);
    if (!trace || plan.others_run || !blocks_need_others(*trace)) return trace;
    return run_once(launch, request, program, progress, {.blocks = plan.blocks});
}

Result<Trace> record_plain(const RecordRequest& request, LadderBuild build,
                           RecordProgress* progress) {
    const RequestedLaunch launch = TRY(launch_of(request));
    program::ProgramProgress running;
    if (progress != nullptr) running.stop = &progress->cancel;
    BlocksDone done(progress, launch.shape.grid_x * launch.shape.grid_y,
                    request.find_failing_order ? orders_of(request).size() : 1);
    Result<LadderProgram> program =
        ladder_program(*launch.kernel, request.parameters, build, running,
                       progress != nullptr ? &progress->compiling : nullptr);
    if (!program) return program.error();
    const BlockPlan plan = TRY(blocks_to_record(launch, request, program.value(), running));
    running.on_change = [&done](const program::ProgramStage& stage) { done.note(stage); };
    Result<Trace> trace = request.find_failing_order
                              ? find_failing_order(launch, request, program.value(), running, done)
                              : record_blocks_of(launch, request, program.value(), running, plan);
    if (trace) done.end();
    return trace;
}

}  // namespace

Result<std::uint64_t> estimate_trace_bytes(const RecordRequest& request) {
    const RequestedLaunch launch = TRY(launch_of(request));
    program::ProgramProgress progress;
    LadderProgram program = TRY(ladder_program(*launch.kernel, request.parameters,
                                               LadderBuild::kBuiltIn, progress, nullptr));
    const RecordRequest largest = largest_of(request);
    const Result<SizeEstimate> found = estimate_size(
        launch, largest,
        [&](int k) { return record_sample(launch, largest, k, program, progress); }, 0);
    if (!found) return found.error();
    return static_cast<std::uint64_t>(found->trace_bytes);
}

Result<Trace> record_blocks_alone(const RecordRequest& request, std::vector<std::uint32_t> blocks,
                                  RecordProgress* progress) {
    const RequestedLaunch launch = TRY(launch_of(request));
    program::ProgramProgress running;
    if (progress != nullptr) running.stop = &progress->cancel;
    LadderProgram program =
        TRY(ladder_program(*launch.kernel, request.parameters, LadderBuild::kBuiltIn, running,
                           progress != nullptr ? &progress->compiling : nullptr));
    return run_once(launch, request, program, running,
                    {.blocks = std::move(blocks), .others_run = false});
}

Result<Trace> record_compiled(const RecordRequest& request, RecordProgress* progress) {
    return record_plain(request, LadderBuild::kCompiled, progress);
}

Result<Trace> record_built_in(const RecordRequest& request, RecordProgress* progress) {
    return record_plain(request, LadderBuild::kBuiltIn, progress);
}

Result<Trace> record_ladder_on(const RecordOnGpu& on_gpu, const RecordRequest& request,
                               RecordProgress* progress, std::string* without_gpu) {
    if (request.recorder == Recorder::kCpu) return record_built_in(request, progress);
    std::string why = "a kernel without one of its barriers is recorded on the CPU";
    if (request.removed_barrier == 0) {
        Result<Trace> recorded = on_gpu(request, progress);
        const bool was_cancelled = progress != nullptr && progress->cancel.load();
        if (recorded || was_cancelled || request.recorder == Recorder::kGpu) return recorded;
        why = recorded.error().message;
    }
    if (without_gpu != nullptr) *without_gpu = why;
    return record_built_in(request, progress);
}

Result<Trace> record_ladder(const RecordRequest& request, RecordProgress* progress,
                            std::string* without_gpu) {
    return record_ladder_on(record_ladder_on_gpu, request, progress, without_gpu);
}

}  // namespace tilereel
