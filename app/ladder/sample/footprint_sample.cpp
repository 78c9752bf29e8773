#include "app/ladder/sample/footprint_sample.h"

#include <algorithm>

#include "app/ladder/ladder.h"
#include "app/ladder/record_plan.h"
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

}  // namespace

Result<FootprintSample> footprint_sample(const RecordRequest& request, int registers_per_thread,
                                         RecordProgress* progress) {
    const RequestedLaunch launch = TRY(launch_of(request));
    if (launch.kernel->on_cpu)
        return wrong_call("Only launches on a GPU use L2; " + std::string(launch.kernel->id) +
                          " runs on the CPU");
    const KernelParameters& p = request.parameters;
    RecordRequest alone = request;
    alone.recorder = Recorder::kCpu;
    alone.removed_barrier = 0;
    alone.find_failing_order = false;
    alone.block.reset();
    alone.accumulator_interval = std::numeric_limits<std::uint32_t>::max();
    // The places that a kernel of the ladder accesses do not depend on the values.
    const auto m = static_cast<std::size_t>(p.m), n = static_cast<std::size_t>(p.n),
               k = static_cast<std::size_t>(p.k);
    alone.inputs = {};
    alone.inputs.a.assign(m * k, 0.0f);
    alone.inputs.b.assign(k * n, 0.0f);
    const Dim3 grid{launch.shape.grid_x, launch.shape.grid_y, 1};
    const Trace trace = TRY(record_blocks_alone(alone, blocks_to_compare(grid), progress));
    std::vector<BlockFootprint> recorded;
    for (const std::uint32_t block : whole_blocks(trace))
        recorded.push_back(footprint_of(trace, block));
    LaunchFootprint footprint =
        TRY(LaunchFootprint::of(grid, std::move(recorded), footprint_arrays(trace)));
    FootprintSample sample{
        .launch = std::move(footprint),
        .resources = {.threads = static_cast<int>(launch.shape.block_x * launch.shape.block_y),
                      .registers_per_thread = registers_per_thread,
                      .shared_bytes = trace.launch.shared_bytes},
        .names = {}};
    for (const Array& array : trace.arrays) sample.names.push_back(array.name);
    return sample;
}

}  // namespace tilereel
