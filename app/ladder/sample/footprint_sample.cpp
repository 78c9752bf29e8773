#include "app/ladder/sample/footprint_sample.h"

#include <algorithm>

#include "app/ladder/ladder.h"
#include "app/ladder/record_plan.h"
#include "app/ladder/sample/longer_footprint.h"
#include "app/ladder/sample/small_extent.h"
#include "instrumentation/analysis/time/pipe_work.h"

namespace tilereel {
namespace {

// The first block, its neighbours, one in the middle and the last.
std::vector<std::uint32_t> blocks_to_compare(const Dim3& grid) {
    const std::uint32_t all = grid.x * grid.y;
    std::vector<std::uint32_t> blocks{0, grid.y / 2 * grid.x + grid.x / 2, all - 1};
    if (grid.x > 1) blocks.push_back(1);
    if (grid.y > 1) blocks.push_back(grid.x);
    std::ranges::sort(blocks);
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    return blocks;
}

constexpr int kRepeatedK = 128;

// The places that a kernel of the ladder accesses do not depend on the values.
RecordRequest without_values(const RecordRequest& request, int k) {
    RecordRequest alone = request;
    alone.recorder = Recorder::kCpu;
    alone.removed_barrier = 0;
    alone.find_failing_order = false;
    alone.block.reset();
    alone.accumulator_interval = std::numeric_limits<std::uint32_t>::max();
    alone.parameters.k = k;
    const auto of_k = static_cast<std::size_t>(k);
    alone.inputs = {};
    alone.inputs.a.assign(static_cast<std::size_t>(request.parameters.m) * of_k, 0.0f);
    alone.inputs.b.assign(of_k * static_cast<std::size_t>(request.parameters.n), 0.0f);
    return alone;
}

class Sampler {
  public:
    Sampler(const RecordRequest& request, RecordProgress* progress)
        : request_(request), progress_(progress) {}

    Result<FootprintSample> sample(int registers_per_thread) {
        const RequestedLaunch launch = TRY(launch_of(request_));
        if (launch.kernel->on_cpu)
            return wrong_call("Only launches on a GPU use L2; " + std::string(launch.kernel->id) +
                              " runs on the CPU");
        grid_ = {launch.shape.grid_x, launch.shape.grid_y, 1};
        const int k = request_.parameters.k, first = kRepeatedK + k % kRepeatedK;
        std::optional<LaunchFootprint> found;
        if (2 * first < k && has_same_blocks(first) && has_same_blocks(2 * first))
            found = TRY(from_short(first));
        if (!found) {
            const Trace trace = TRY(record(request_, k, blocks_to_compare(grid_)));
            found = TRY(LaunchFootprint::of(grid_, footprints(trace), footprint_arrays(trace)));
        }
        return FootprintSample{
            .launch = std::move(*found),
            .resources = {.threads = static_cast<int>(launch.shape.block_x * launch.shape.block_y),
                          .registers_per_thread = registers_per_thread,
                          .shared_bytes = shared_bytes_},
            .names = std::move(names_)};
    }

  private:
    [[nodiscard]] bool has_same_blocks(int k) const {
        RecordRequest shorter = request_;
        shorter.parameters.k = k;
        shorter.inputs = {};
        const auto launch = launch_of(shorter);
        return launch && launch->shape.grid_x == grid_.x && launch->shape.grid_y == grid_.y;
    }

    Result<Trace> record(const RecordRequest& request, int k, std::vector<std::uint32_t> blocks) {
        Trace trace =
            TRY(record_blocks_alone(without_values(request, k), std::move(blocks), progress_));
        shared_bytes_ = trace.launch.shared_bytes;
        names_.clear();
        for (const Array& array : trace.arrays) names_.push_back(array.name);
        return trace;
    }
    static std::vector<BlockFootprint> footprints(const Trace& trace) {
        std::vector<BlockFootprint> all;
        for (const std::uint32_t block : whole_blocks(trace))
            all.push_back(footprint_of(trace, block));
        return all;
    }

    // Seen in a small launch: with the matrices of a large one, each recording takes its time.
    Result<bool> does_the_same_twice(int k) {
        RecordRequest small = request_;
        KernelParameters& p = small.parameters;
        p.m = small_extent(p.m, grid_.y);
        p.n = small_extent(p.n, grid_.x);
        p.k = k;
        if (!validate(*find_kernel(small.kernel), p)) return false;
        const Trace once = TRY(record(small, k, {0})), twice = TRY(record(small, 2 * k, {0}));
        const std::vector<BlockFootprint> first = footprints(once), second = footprints(twice);
        return !first.empty() && !second.empty() &&
               access_the_same(LongerFootprint(once, k, 2 * k).of(first.front()), second.front());
    }
    // nullopt: a loop twice as long does not do the same twice.
    Result<std::optional<LaunchFootprint>> from_short(int k) {
        if (!TRY(does_the_same_twice(k))) return std::optional<LaunchFootprint>();
        const Trace trace = TRY(record(request_, k, blocks_to_compare(grid_)));
        std::vector<BlockFootprint> recorded = footprints(trace);
        const LongerFootprint longer(trace, k, request_.parameters.k);
        for (BlockFootprint& each : recorded) each = longer.of(each);
        return std::optional(TRY(LaunchFootprint::of(grid_, std::move(recorded), longer.arrays())));
    }

    const RecordRequest& request_;
    RecordProgress* progress_;
    Dim3 grid_{};
    std::uint32_t shared_bytes_ = 0;
    std::vector<std::string> names_;
};

}  // namespace

Result<FootprintSample> footprint_sample(const RecordRequest& request, int registers_per_thread,
                                         RecordProgress* progress) {
    return Sampler(request, progress).sample(registers_per_thread);
}

}  // namespace tilereel
