#include "instrumentation/record/record.h"

#include <algorithm>
#include <limits>
#include <thread>

#include "instrumentation/base/bytes_text.h"
#include "instrumentation/record/emulated_ladder.h"
#include "instrumentation/record/harmful_order.h"
#include "instrumentation/record/record_plan.h"
#include "kernels/variants.h"

namespace tilereel {
namespace {

constexpr std::uint64_t kAllSumsUpTo = std::uint64_t{1} << 20;  // multiply-adds
constexpr std::uint32_t kDefaultInterval = 16;
// Record offsets are 32-bit, so no array may reach beyond 4 GiB.
constexpr std::uint64_t kLargestMatrixElements = (std::uint64_t{1} << 32) / sizeof(float);

std::string text_of(std::uint64_t number) { return std::to_string(number); }

Status check_matrix(const char* name, const std::vector<float>& values, std::uint64_t rows,
                    std::uint64_t columns) {
    if (rows * columns > kLargestMatrixElements)
        return wrong_call(std::string(name) + " has " + text_of(rows * columns) +
                          " elements; a trace holds at most " + text_of(kLargestMatrixElements) +
                          " a matrix: use smaller sizes");
    if (!values.empty() && values.size() != rows * columns)
        return wrong_call(std::string(name) + " has " + text_of(values.size()) +
                          " elements; give " + text_of(rows) + " x " + text_of(columns));
    return Done{};
}

Status check_matrices(const RecordRequest& request) {
    const KernelParameters& p = request.parameters;
    const auto m = static_cast<std::uint64_t>(p.m), n = static_cast<std::uint64_t>(p.n),
               k = static_cast<std::uint64_t>(p.k);
    if (request.inputs.a.empty() != request.inputs.b.empty())
        return wrong_call("give both A and B, or neither");
    for (const Status& status :
         {check_matrix("A", request.inputs.a, m, k), check_matrix("B", request.inputs.b, k, n),
          check_matrix("C", request.inputs.c, m, n)})
        if (!status) return status;
    return Done{};
}

Launch launch_in_trace(const KernelInfo& kernel, const KernelParameters& p,
                       const LaunchShape& shape, const RecordRequest& request) {
    const auto size = [](int extent) { return static_cast<std::uint32_t>(extent); };
    return {.kernel = std::string(kernel.id),
            .m = size(p.m),
            .n = size(p.n),
            .k = size(p.k),
            .tile = size(p.tile),
            .pad = size(p.pad),
            .grid = {shape.grid_x, shape.grid_y, 1},
            .block = {shape.block_x, shape.block_y, 1},
            .shared_bytes = 0,
            .seed = request.inputs.a.empty() ? request.seed : 0,
            .removed_barrier = request.removed_barrier,
            .order = request.order};
}

EmulatedLaunch emulated_launch(const KernelInfo& kernel, const KernelParameters& p,
                               const LaunchShape& shape, const RecordRequest& request) {
    EmulatedLaunch launch;
    launch.launch = launch_in_trace(kernel, p, shape, request);
    launch.in_order = std::ranges::find(kernel.barriers, KernelBarrier::Kind::kPhase,
                                        &KernelBarrier::kind) != kernel.barriers.end();
    launch.body = find_emulated_kernel(kernel.id, p.tile, p.pad);
    launch.dynamic_shared_bytes = shape.dynamic_shared_bytes;
    launch.workers = request.workers;
    launch.accumulator_interval = interval_of(request);
    launch.memory_limit_bytes = request.memory_limit_bytes;
    check(launch.body != nullptr);
    return launch;
}

// What a record takes in the log of its warp: a key, lanes, and words for each of them.
double log_bytes(const Trace& trace, std::uint64_t record) {
    const Site& site = trace.sites[site_of(trace, record)];
    const int lanes = std::popcount(trace.patterns[trace.records.pattern[record]].mask);
    const int words = writes(site.operation) ? 1 + site.width_bytes / 4 : 1;
    return double(sizeof(std::uint32_t)) * (2 + lanes * words);
}

// What one block of a smaller product holds, and does, at one K.
struct BlockSample {
    double k = 0;
    double bytes = 0;          // but for sums kept every interval
    double multiply_adds = 0;  // of all threads
    double records = 0;
    double event_bytes = 0;  // of what is held until it is put into records, at most
};

// Rows of events, one warp at a time; or, in an exact order, the logs of all warps over an epoch,
// in columns that may be twice as long.
double event_bytes(const Trace& trace, bool in_order) {
    const Segments& segments = trace.segments;
    double most = 0, of_epoch = 0;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const std::uint64_t begin = segments.record_begin[i], end = segments.record_begin[i + 1];
        if (!in_order) {
            most = std::max(most, double(end - begin) * sizeof(LaneWords));
            continue;
        }
        if (i > 0 && segments.epoch[i] != segments.epoch[i - 1]) of_epoch = 0;
        for (std::uint64_t record = begin; record < end; ++record)
            of_epoch += log_bytes(trace, record);
        most = std::max(most, 2 * of_epoch);
    }
    return most;
}

Result<BlockSample> sample_block(const RecordPlan& plan, const RecordRequest& request, int k) {
    const Result<Trace> trace = sample_one_block(plan, request, k);
    if (!trace) return trace.error();
    BlockSample sample{.k = double(k)};
    // Of C, that the block does where the sample's does one.
    const double areas = plan.emulated.launch.blocks() > 1
                             ? 1
                             : double(request.parameters.m) * double(request.parameters.n) /
                                   (double(trace->launch.m) * double(trace->launch.n));
    sample.event_bytes =
        areas * event_bytes(*trace, request.removed_barrier != 0 || plan.emulated.in_order);
    for (std::size_t i = 0; i < trace->records.size(); ++i)
        if (trace->sites[site_of(*trace, i)].operation == Operation::kMultiplyAdd)
            sample.multiply_adds +=
                areas * std::popcount(trace->patterns[trace->records.pattern[i]].mask);
    const std::uint64_t matrices =
        (trace->a.size() + trace->b.size() + trace->c.size()) * sizeof(float);
    // Tables that a trace has once, however many blocks it has.
    const std::uint64_t once =
        trace->arrays.size() * sizeof(Array) + trace->sites.size() * sizeof(Site);
    sample.bytes = areas * double(memory_bytes(*trace) - matrices - once);
    sample.records = areas * double(trace->records.size());
    return sample;
}

// A kernel's work is a straight line over K: two samples tell it.
double extrapolate(double k1, double value1, double k2, double value2, double k) {
    return k2 == k1 ? value2 : value2 + (value2 - value1) / (k2 - k1) * (k - k2);
}

struct Estimate {
    double trace_bytes = 0;  // finished
    double work_bytes = 0;   // besides, while recording
};

Result<Estimate> estimate(const RecordPlan& plan, const RecordRequest& request,
                          std::uint32_t extra_record_bytes) {
    const KernelParameters& p = request.parameters;
    constexpr int kFirstK = 64, kSecondK = 128;  // multiples of every TILE
    const bool small = p.k <= kSecondK;
    const Result<BlockSample> one = sample_block(plan, request, small ? p.k : kFirstK);
    if (!one) return one.error();
    const Result<BlockSample> two = small ? one : sample_block(plan, request, kSecondK);
    if (!two) return two.error();
    const auto at_k = [&](double BlockSample::*field) {
        return extrapolate(one->k, (*one).*field, two->k, (*two).*field, double(p.k));
    };
    const Launch& launch = plan.emulated.launch;
    const double blocks = double(launch.blocks());
    // Lanes of a warp are not always in step, so a warp keeps a sum for up to each of its lanes.
    const double kept_sums =
        at_k(&BlockSample::multiply_adds) / double(plan.emulated.accumulator_interval);
    const double matrices = double(p.m) * p.k + double(p.k) * p.n + double(p.m) * p.n;
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    const unsigned workers =
        std::min(request.workers == 0 ? cores : request.workers, launch.blocks());
    const double block_bytes =  // in a batch, then in the trace
        at_k(&BlockSample::bytes) + kept_sums * sizeof(float) +
        at_k(&BlockSample::records) * extra_record_bytes;
    constexpr double kMargin = 1.02;  // tables, the last multiply-adds of odd intervals
    Estimate result;
    result.trace_bytes = kMargin * blocks * block_bytes + matrices * sizeof(float) + 4096;
    result.work_bytes =
        workers * (at_k(&BlockSample::event_bytes) +
                   double(blocks_of_a_batch(launch.blocks(), workers)) * block_bytes);
    return result;
}

// More than any kernel needs that does a few accesses a multiply-add: spares small recordings the
// sampling. Should a kernel need more all the same, the emulator's own budget stops it.
double certainly_enough_bytes(const RecordRequest& request) {
    const KernelParameters& p = request.parameters;
    const double bytes_per_multiply_add = request.removed_barrier != 0 ? 512 : 128;
    return bytes_per_multiply_add * (double(p.m) + 64) * (double(p.n) + 64) * (double(p.k) + 64);
}

}  // namespace

Status check_removed_barrier(const KernelInfo& kernel, const RecordRequest& request) {
    if (request.removed_barrier == 0) {
        if (request.order == ThreadOrder::kTurns && !request.find_harm) return Done{};
        return wrong_call(
            "the order of the threads matters only where a barrier is left out: name its line too");
    }
    if (request.order == ThreadOrder::kLanes && !request.lanes_may_part)
        return wrong_call(
            "the lanes of a warp run one after another only from compute capability 7.0 on: choose "
            "such a GPU generation, or another order");
    std::string known;
    for (const KernelBarrier& barrier : kernel.barriers) {
        if (static_cast<std::uint32_t>(barrier.line) == request.removed_barrier) return Done{};
        known += (known.empty() ? "" : ", ") + std::to_string(barrier.line) + " (" +
                 std::string(barrier.name()) + ")";
    }
    const std::string kernel_name(kernel.id);
    if (known.empty()) return wrong_call(kernel_name + " has no barrier that could be left out");
    return wrong_call(kernel_name + " has no barrier on line " + text_of(request.removed_barrier) +
                      "; its barriers are on line " + known);
}

Result<RequestedLaunch> launch_of(const RecordRequest& request) {
    const KernelInfo* kernel = find_kernel(request.kernel);
    if (kernel == nullptr)
        return wrong_call("there is no kernel \"" + request.kernel +
                          "\"; `tilereel kernels` lists them");
    const Result<LaunchShape> shape = validate(*kernel, request.parameters);
    if (!shape) return shape.error();
    const Status matrices = check_matrices(request);
    if (!matrices) return matrices.error();
    const Status barrier = check_removed_barrier(*kernel, request);
    if (!barrier) return barrier.error();
    return RequestedLaunch{.kernel = kernel, .shape = *shape};
}

Launch traced_launch(const RequestedLaunch& requested, const RecordRequest& request) {
    return launch_in_trace(*requested.kernel, request.parameters, requested.shape, request);
}

Result<RecordPlan> plan_of(const RecordRequest& request) {
    const Result<RequestedLaunch> launch = launch_of(request);
    if (!launch) return launch.error();
    const KernelInfo* const kernel = launch->kernel;
    const KernelParameters& p = request.parameters;
    if (!recorders_have(*kernel, p.tile, p.pad))
        return failed(std::string(kernel->id) + " is not built in with TILE " +
                      text_of(static_cast<std::uint64_t>(p.tile)) + " and PAD " +
                      text_of(static_cast<std::uint64_t>(p.pad)) +
                      ": it would have to be compiled");
    return RecordPlan{.kernel = kernel,
                      .parameters = p,
                      .shape = launch->shape,
                      .emulated = emulated_launch(*kernel, p, launch->shape, request)};
}

Result<Trace> sample_one_block(const RecordPlan& plan, const RecordRequest& request, int k) {
    KernelParameters p = request.parameters;
    // Rows and columns of C that every kernel takes.
    const int enough_for_a_block = std::max({64, p.tile, plan.shape.tile_columns});
    // A block of one thread does the same however large C is, only more of it.
    if (plan.emulated.launch.blocks() > 1 || plan.emulated.launch.threads() == 1) {
        p.m = std::min(p.m, enough_for_a_block);
        p.n = std::min(p.n, enough_for_a_block);
    }
    p.k = k;
    const Result<LaunchShape> shape = validate(*plan.kernel, p);
    if (!shape) return shape.error();
    EmulatedLaunch launch = emulated_launch(*plan.kernel, p, *shape, request);
    launch.blocks = 1;
    launch.workers = 1;
    launch.memory_limit_bytes = kDefaultMemoryLimitBytes;
    launch.accumulator_interval = std::numeric_limits<std::uint32_t>::max();
    return emulate(launch, random_inputs(p.m, p.n, p.k, 1));
}

Error too_large(std::uint64_t bytes, std::uint64_t limit_bytes) {
    return failed("the recording would take about " + bytes_text(bytes) + ", the limit is " +
                  bytes_text(limit_bytes) + "; record a smaller product or raise the limit");
}

Status check_fits(const RecordPlan& plan, const RecordRequest& request,
                  std::uint32_t extra_record_bytes) {
    const auto limit = double(request.memory_limit_bytes);
    if (certainly_enough_bytes(request) <= limit) return Done{};
    const Result<Estimate> found = estimate(plan, request, extra_record_bytes);
    if (!found) return found.error();
    const double bytes = found->trace_bytes + found->work_bytes;
    if (bytes <= limit) return Done{};
    return too_large(static_cast<std::uint64_t>(bytes), request.memory_limit_bytes);
}

std::uint32_t interval_of(const RecordRequest& request) {
    if (request.accumulator_interval != 0) return request.accumulator_interval;
    const KernelParameters& p = request.parameters;
    const double multiply_adds = double(p.m) * double(p.n) * double(p.k);
    return multiply_adds <= double(kAllSumsUpTo) ? 1 : kDefaultInterval;
}

Inputs inputs_of(const RecordRequest& request) {
    const KernelParameters& p = request.parameters;
    if (!request.inputs.a.empty()) return request.inputs;
    Inputs inputs = random_inputs(p.m, p.n, p.k, request.seed);
    inputs.c = request.inputs.c;
    return inputs;
}

void finish_trace(const RecordPlan& plan, const RecordRequest& request, Trace& trace) {
    const KernelParameters& p = request.parameters;
    trace.source_name = plan.kernel->file_name;
    trace.source = plan.kernel->source;
    trace.wrong_elements = wrong_elements(trace.a, trace.b, trace.c, p.m, p.n, p.k).size();
}

Result<std::uint64_t> estimate_trace_bytes(const RecordRequest& original) {
    RecordRequest request = original;
    if (request.find_harm && request.lanes_may_part)
        request.order = ThreadOrder::kLanes;  // the most records of all
    const Result<RecordPlan> plan = plan_of(request);
    if (!plan) return plan.error();
    const Result<Estimate> found = estimate(*plan, request, 0);
    if (!found) return found.error();
    return static_cast<std::uint64_t>(found->trace_bytes);
}

Result<Trace> record_with_emulator(const RecordRequest& request, RecordProgress* progress) {
    Result<RecordPlan> plan = plan_of(request);
    if (!plan) return plan.error();
    if (const Status fits = check_fits(*plan, request); !fits) return fits.error();
    Inputs inputs = inputs_of(request);
    EmulatedLaunch& launch = plan.value().emulated;
    if (progress != nullptr) {
        progress->blocks_done = 0;
        progress->blocks = launch.launch.blocks();
    }
    if (request.find_harm) {
        Result<HarmSearch> search =
            find_harmful_order(launch, request.lanes_may_part, std::move(inputs), progress);
        if (!search) return search.error();
        inputs = std::move(search.value().inputs);
        launch.launch.order = search->order;
        RecordRequest found = request;
        found.order = search->order;
        if (const Status fits = check_fits(*plan, found); !fits) return fits.error();
    }
    Result<Trace> recorded = emulate(launch, std::move(inputs), progress);
    if (!recorded) return recorded.error();
    finish_trace(*plan, request, recorded.value());
    return recorded;
}

}  // namespace tilereel
