#include "app/ladder/sample/time_sample.h"

#include <algorithm>

#include "app/ladder/ladder.h"
#include "app/ladder/record_plan.h"

namespace tilereel {
namespace {

constexpr int kShortK = 256;  // enough trips of the loop that its beginning counts little
constexpr int kAligned = 32;  // elements: a longer row that differs by it lies alike in lines
constexpr int kBlocksEachWay = 2;

// The largest extent of a small launch: some blocks, and the remainder of the large one.
int small_extent(int extent, unsigned blocks) {
    const int of_a_block = (extent + static_cast<int>(blocks) - 1) / static_cast<int>(blocks);
    return std::min(extent, kBlocksEachWay * of_a_block + extent % kAligned);
}

std::uint64_t matrix_bytes(const KernelInfo& kernel, const KernelParameters& p) {
    const std::uint64_t m = static_cast<std::uint64_t>(p.m), n = static_cast<std::uint64_t>(p.n),
                        k = static_cast<std::uint64_t>(p.k);
    const std::uint64_t input = kernel.inputs == InputType::kFloat32 ? 4 : 2;
    return (m * k + k * n) * input + m * n * 4;
}

}  // namespace

Result<TimeSample> sample_for_time(const RecordRequest& request, int registers_per_thread,
                                   RecordProgress* progress) {
    const RequestedLaunch launch = TRY(launch_of(request));
    const KernelInfo& kernel = *launch.kernel;
    if (kernel.on_cpu)
        return wrong_call("Only launches on a GPU are estimated; " + std::string(kernel.id) +
                          " runs on the CPU");
    const KernelParameters& wanted = request.parameters;
    RecordRequest small = request;
    small.inputs = {};
    small.recorder = Recorder::kCpu;
    small.find_failing_order = false;
    small.block.reset();
    KernelParameters& p = small.parameters;
    p.m = small_extent(wanted.m, launch.shape.grid_y);
    p.n = small_extent(wanted.n, launch.shape.grid_x);
    p.k = kShortK + wanted.k % kAligned;
    const int second_k = 2 * kShortK + wanted.k % kAligned;
    const bool shortened = second_k < wanted.k && validate(kernel, p).has_value();
    if (!shortened) p.k = wanted.k;
    if (!validate(kernel, p)) p = wanted;  // a kernel of a single block
    TimeSample sample;
    sample.shorter = TRY(record_ladder(small, progress));
    if (shortened) {
        const int first_k = p.k;
        p.k = second_k;
        sample.longer = TRY(record_ladder(small, progress));
        sample.more_steps = static_cast<double>(wanted.k - first_k) / (second_k - first_k);
    }
    sample.blocks = std::uint64_t{launch.shape.grid_x} * launch.shape.grid_y;
    sample.resources = {.threads = static_cast<int>(launch.shape.block_x * launch.shape.block_y),
                        .registers_per_thread = registers_per_thread,
                        .shared_bytes = sample.shorter.launch.shared_bytes};
    sample.dram_bytes = static_cast<double>(matrix_bytes(kernel, wanted));
    sample.known_trips = kernel.shared_bytes_of_block == nullptr;
    return sample;
}

}  // namespace tilereel
