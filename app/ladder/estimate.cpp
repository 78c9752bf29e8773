#include "app/ladder/estimate.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <thread>

#include "instrumentation/base/format/bytes_text.h"
#include "instrumentation/record/record_blocks.h"

namespace tilereel {
namespace {

// Bytes of a record in the log of its warp: a key, the lane mask, and the words of each lane.
double log_bytes(const Trace& trace, std::uint64_t record) {
    const Site& site = site_at(trace, record);
    const int lanes = std::popcount(trace.patterns[trace.records.pattern[record]].mask);
    const int words = writes(site.operation) ? 1 + site.width_bytes / 4 : 1;
    return double(sizeof(std::uint32_t)) * (2 + lanes * words);
}

std::uint32_t blocks_of(const RequestedLaunch& launch) {
    return launch.shape.grid_x * launch.shape.grid_y;
}

// The smallest multiple of TILE that is at least 64.
int sample_extent(int tile) { return (63 + tile) / tile * tile; }

// Whether threads wait for phases of barriers in shared memory. If so, the recorder keeps the
// events of each warp until the epoch ends.
bool waits_for_phases(const RequestedLaunch& launch) {
    return std::ranges::any_of(launch.kernel->barriers, [](const KernelBarrier& barrier) {
        return barrier.function.what == WaitFor::kPhase;
    });
}

// One block of a smaller product, recorded with one K.
struct BlockSample {
    double k = 0;
    double bytes = 0;          // of the trace, without once_bytes and without kept sums
    double once_bytes = 0;     // of the parts whose size does not depend on the number of blocks
    double multiply_adds = 0;  // of all threads
    double records = 0;
    double event_bytes = 0;  // see event_bytes()
    bool needs_others = false;
};

// The most bytes that events occupy before they become records. Usually they are the rows of one
// warp. In an exact order they are the logs of all warps over an epoch, and a log's capacity may be
// twice its size.
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

Result<BlockSample> sample_block(const RequestedLaunch& launch, const RecordRequest& request,
                                 const SampleBlock& record, int k) {
    const Trace trace = TRY(record(k));
    BlockSample sample{.k = double(k)};
    // The area of C that a block of the launch computes, divided by the area that the block of the
    // sample computes: 1 unless the launch has only one block.
    const double areas = blocks_of(launch) > 1
                             ? 1
                             : double(request.parameters.m) * double(request.parameters.n) /
                                   (double(trace.launch.m) * double(trace.launch.n));
    sample.event_bytes =
        areas * event_bytes(trace, request.removed_barrier != 0 || waits_for_phases(launch));
    for (std::size_t i = 0; i < trace.records.size(); ++i)
        if (site_at(trace, i).operation == Operation::kMultiplyAdd)
            sample.multiply_adds +=
                areas * std::popcount(trace.patterns[trace.records.pattern[i]].mask);
    std::uint64_t matrices = 0;
    for (const Array& array : trace.arrays)
        matrices += array.first_bytes.size() + array.last_bytes.size();
    const std::uint64_t once = trace.arrays.size() * sizeof(Array) +
                               trace.sites.size() * sizeof(Site) + trace.source.size();
    sample.once_bytes = double(once);
    sample.bytes = areas * double(memory_bytes(trace) - matrices - once);
    sample.records = areas * double(trace.records.size());
    sample.needs_others = blocks_need_others(trace);
    return sample;
}

// A kernel's work is linear in K, so two samples determine it.
double extrapolate(double k1, double value1, double k2, double value2, double k) {
    return k2 == k1 ? value2 : value2 + (value2 - value1) / (k2 - k1) * (k - k2);
}

}  // namespace

Result<SizeEstimate> estimate_size(const RequestedLaunch& launch, const RecordRequest& request,
                                   const SampleBlock& record, std::uint32_t extra_record_bytes) {
    const KernelParameters& p = request.parameters;
    const int first_k = sample_extent(p.tile), second_k = 2 * first_k;
    const bool small = p.k <= second_k;
    const Result<BlockSample> one = sample_block(launch, request, record, small ? p.k : first_k);
    if (!one) return one.error();
    const BlockSample two = TRY(small ? one : sample_block(launch, request, record, second_k));
    const auto at_k = [&](double BlockSample::*field) {
        return extrapolate(one->k, (*one).*field, two.k, two.*field, double(p.k));
    };
    const std::uint32_t blocks = blocks_of(launch);
    // Lanes of a warp may diverge, so each lane may keep a sum of its own.
    const double kept_sums = at_k(&BlockSample::multiply_adds) / double(interval_of(request));
    const double matrices = double(p.m) * p.k + double(p.k) * p.n + double(p.m) * p.n;
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    const unsigned workers = std::min(request.workers == 0 ? cores : request.workers, blocks);
    const double block_bytes =  // in a batch, then in the trace
        at_k(&BlockSample::bytes) + kept_sums * sizeof(float) +
        at_k(&BlockSample::records) * extra_record_bytes;
    constexpr double kMargin = 1.02;  // for tables and the incomplete intervals at the end
    SizeEstimate result;
    result.trace_bytes =
        kMargin * double(blocks) * block_bytes + matrices * sizeof(float) + two.once_bytes + 4096;
    result.block_bytes = kMargin * block_bytes;
    result.needs_others = one->needs_others || two.needs_others;
    result.event_bytes = at_k(&BlockSample::event_bytes);
    result.work_bytes = workers * (at_k(&BlockSample::event_bytes) +
                                   double(blocks_of_a_batch(blocks, workers)) * block_bytes);
    return result;
}

namespace {

// An upper bound for a kernel that makes a few accesses for each multiply-add. If it is within the
// limit, no sample is needed.
double upper_bound_bytes(const RecordRequest& request) {
    const KernelParameters& p = request.parameters;
    const double bytes_per_multiply_add = request.removed_barrier != 0 ? 512 : 128;
    return bytes_per_multiply_add * (double(p.m) + 64) * (double(p.n) + 64) * (double(p.k) + 64);
}

}  // namespace

RecordRequest sample_of(const RequestedLaunch& launch, const RecordRequest& request, int k) {
    RecordRequest sample = request;
    KernelParameters& p = sample.parameters;
    p.k = k;
    // A block of one thread does the same for each element of C, so a small C is enough.
    if (blocks_of(launch) > 1 || launch.shape.block_x * launch.shape.block_y == 1) {
        KernelParameters one = p;
        one.m = std::min(p.m, sample_extent(std::max(p.tile, launch.shape.tile_rows)));
        one.n = std::min(p.n, sample_extent(std::max(p.tile, launch.shape.tile_columns)));
        if (validate(*launch.kernel, one)) p = one;
    }
    sample.inputs = {};
    sample.find_failing_order = false;
    sample.workers = 1;
    sample.memory_limit_bytes = kDefaultMemoryLimitBytes;
    sample.accumulator_interval = std::numeric_limits<std::uint32_t>::max();
    return sample;
}

Error too_large(std::uint64_t bytes, std::uint64_t limit_bytes) {
    return failed("the recording would take about " + bytes_text(bytes) + ", the limit is " +
                  bytes_text(limit_bytes) + "; record a smaller product or raise the limit");
}

namespace {

// The first block, the one in the middle and the last, and others at equal distances.
std::vector<std::uint32_t> spread_over(const RequestedLaunch& launch, std::uint32_t count) {
    const std::uint32_t columns = launch.shape.grid_x, rows = launch.shape.grid_y;
    const std::uint32_t last = columns * rows - 1;
    std::vector<std::uint32_t> blocks{0, rows / 2 * columns + columns / 2, last};
    for (std::uint64_t i = 1; i + 2 < count; ++i)
        blocks.push_back(static_cast<std::uint32_t>(i * last / (count - 2)));
    return blocks;
}

}  // namespace

bool blocks_need_others(const Trace& trace) {
    const ArrayId c = matrices_of(trace).c;
    return std::ranges::any_of(
        trace.sites, [c](const Site& site) { return site.array == c && reads(site.operation); });
}

Result<BlockPlan> blocks_that_fit(const RequestedLaunch& launch, const RecordRequest& request,
                                  const SampleBlock& record, std::uint32_t extra_record_bytes) {
    const auto limit = double(request.memory_limit_bytes);
    if (upper_bound_bytes(request) <= limit) return BlockPlan{};
    const SizeEstimate found = TRY(estimate_size(launch, request, record, extra_record_bytes));
    const double bytes = found.trace_bytes + found.work_bytes;
    if (bytes <= limit) return BlockPlan{};
    // So that the first picture comes within seconds.
    constexpr double kMostSomeBytes = 64 << 20, kMostSomeBlocks = 256;
    constexpr double kMostMultiplyAdds = 1ull << 34, kMostFixedBytes = 1 << 30;
    const KernelParameters& p = request.parameters;
    const double blocks_in_all = double(launch.shape.grid_x) * launch.shape.grid_y;
    const double fixed = found.trace_bytes - blocks_in_all * found.block_bytes;
    const double room =
        std::min(kMostSomeBytes, limit - fixed - found.event_bytes) / found.block_bytes;
    // Without a barrier, all blocks run in the order that was asked for only if all are recorded.
    const bool runs_long = fixed > kMostFixedBytes ||
                           (found.needs_others && double(p.m) * p.n * p.k > kMostMultiplyAdds) ||
                           blocks_in_all > std::numeric_limits<std::int32_t>::max();
    if (room < 4 || room >= blocks_in_all || runs_long || request.removed_barrier != 0)
        return too_large(static_cast<std::uint64_t>(bytes), request.memory_limit_bytes);
    std::vector<std::uint32_t> blocks =
        spread_over(launch, static_cast<std::uint32_t>(std::min(room - 1, kMostSomeBlocks)));
    if (request.block && *request.block < blocks_of(launch)) blocks.push_back(*request.block);
    std::ranges::sort(blocks);
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    return BlockPlan{.blocks = std::move(blocks), .others_run = found.needs_others};
}

}  // namespace tilereel
