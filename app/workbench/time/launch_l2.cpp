#include "app/workbench/time/launch_l2.h"

#include <future>

#include "app/ladder/sample/footprint_sample.h"
#include "app/workbench/tables/registers.h"
#include "instrumentation/analysis/generations/generation.h"
#include "instrumentation/analysis/time/pipe_work.h"

namespace tilereel {
namespace {

Result<LaunchL2> run_orders(const LaunchFootprint& launch, const BlockResources& resources,
                            const GpuModel& gpu, RecordProgress* progress) {
    const Generation* const generation = find_generation(gpu.generation);
    if (generation == nullptr || gpu.l2_bytes <= 0)
        return wrong_call("the size of L2 of this GPU is not known");
    const Occupancy occupancy = TRY(occupancy_of(resources, *generation));
    LaunchL2 found{.grid = launch.grid(),
                   .of_each = static_cast<std::uint32_t>(occupancy.blocks),
                   .all_recorded = launch.all_recorded(),
                   .arrays = launch.arrays()};
    L2Question question{.launch = &launch,
                        .l2_bytes = gpu.l2_bytes,
                        .multiprocessors = static_cast<std::uint32_t>(gpu.multiprocessors),
                        .of_each = found.of_each};
    found.at_once = question.at_once();
    for (std::size_t i = 0; i < found.arrays.size(); ++i) {
        const auto array = static_cast<ArrayId>(i);
        const bool along_x = launch.differs_along_x(array), along_y = launch.differs_along_y(array);
        found.of_rows.push_back(along_y && !along_x);
        found.of_columns.push_back(along_x && !along_y);
    }
    const auto* const cancel = progress != nullptr ? &progress->cancel : nullptr;
    std::vector<std::uint32_t> groups{1};
    if (found.grid.y > 1 && found.grid.x > 1) groups.push_back(kRowsOfGroup);
    // Side by side: each takes up to a second. Where no thread can be started, get() runs it.
    std::vector<std::future<Result<L2Run>>> runs;
    for (const std::uint32_t rows : groups)
        for (const BlockPace pace : {BlockPace::kInTurn, BlockPace::kTogether}) {
            question.order = {.group_rows = rows};
            question.pace = pace;
            runs.push_back(
                std::async([question, cancel] { return run_through_l2(question, cancel); }));
        }
    for (std::size_t i = 0; i < groups.size(); ++i) {
        OrderedL2 ordered{.order = {.group_rows = groups[i]}};
        ordered.run = TRY(runs[2 * i].get());
        ordered.together = TRY(runs[2 * i + 1].get()).all;
        found.orders.push_back(std::move(ordered));
    }
    return found;
}

}  // namespace

Result<LaunchL2> launch_l2(const RecordRequest& request, const GpuModel& gpu,
                           RecordProgress* progress) {
    const KernelParameters& p = request.parameters;
    const FootprintSample sample = TRY(
        footprint_sample(request, registers_of(request.kernel, p.tile, p.pad).a_thread, progress));
    LaunchL2 found = TRY(run_orders(sample.launch, sample.resources, gpu, progress));
    found.names = sample.names;
    return found;
}

Result<LaunchL2> launch_l2(const Trace& trace, int registers_per_thread, const GpuModel& gpu,
                           RecordProgress* progress) {
    std::vector<BlockFootprint> recorded;
    for (const std::uint32_t block : whole_blocks(trace))
        recorded.push_back(footprint_of(trace, block));
    const LaunchFootprint launch =
        TRY(LaunchFootprint::of(trace.launch.grid, std::move(recorded), footprint_arrays(trace)));
    const BlockResources resources{.threads = static_cast<int>(trace.launch.threads()),
                                   .registers_per_thread = registers_per_thread,
                                   .shared_bytes = trace.launch.shared_bytes};
    LaunchL2 found = TRY(run_orders(launch, resources, gpu, progress));
    for (const Array& array : trace.arrays) found.names.push_back(array.name);
    return found;
}

}  // namespace tilereel
