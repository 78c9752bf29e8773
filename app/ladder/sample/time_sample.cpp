#include "app/ladder/sample/time_sample.h"

#include <algorithm>

#include "app/ladder/ladder.h"
#include "app/ladder/record_plan.h"
#include "app/ladder/sample/footprint_sample.h"
#include "app/ladder/sample/small_extent.h"
#include "instrumentation/analysis/generations/generation.h"
#include "instrumentation/analysis/l2/block_order.h"

namespace tilereel {
namespace {

constexpr int kShortK = 256;  // enough trips of the loop that its beginning counts little
// Of the run through L2: with as many, the bytes of 25 launches are within 3 % of those of a whole
// run.
constexpr double kFollowed = 1e6;
constexpr std::uint32_t kWaves = 12;

// A and B are fetched once, and C stays in L2 or is written once.
DramBytes each_byte_once(const KernelInfo& kernel, const KernelParameters& p, bool fits) {
    const double m = p.m, n = p.n, k = p.k;
    const double input = kernel.inputs == InputType::kFloat32 ? 4 : 2;
    const double inputs = (m * k + k * n) * input;
    return {.asked = inputs, .fetched = inputs, .written = fits ? 0 : m * n * 4};
}

// Where the matrices do not fit in L2: what its blocks find there.
Status add_dram(const RecordRequest& request, const KernelInfo& kernel, int registers_per_thread,
                const GpuModel* gpu, RecordProgress* progress, TimeSample& sample) {
    const DramBytes once = each_byte_once(kernel, request.parameters, true);
    const double c = 4.0 * request.parameters.m * request.parameters.n;
    // What is read takes twice its bytes: block_order.h.
    const bool fits = gpu == nullptr || 2 * once.fetched + c <= gpu->l2_bytes;
    sample.dram = each_byte_once(kernel, request.parameters, fits);
    if (fits) return Done{};
    auto footprint = footprint_sample(request, registers_per_thread, progress);
    if (!footprint) {
        if (footprint.error().kind == ErrorKind::kCancelled) return footprint.error();
        return Done{};  // blocks that are not alike
    }
    const Generation* const generation = find_generation(gpu->generation);
    const Occupancy occupancy = TRY(occupancy_of(footprint->resources, *generation));
    L2Question question{.launch = &footprint->launch,
                        .l2_bytes = gpu->l2_bytes,
                        .multiprocessors = static_cast<std::uint32_t>(gpu->multiprocessors),
                        .of_each = static_cast<std::uint32_t>(occupancy.blocks),
                        .most_followed = kFollowed,
                        .most_waves = kWaves};
    const auto bytes = [&](BlockPace pace) -> Result<DramBytes> {
        question.pace = pace;
        const L2Run run = TRY(run_through_l2(question, progress ? &progress->cancel : nullptr));
        return DramBytes{
            .asked = run.all.asked, .fetched = run.all.fetched, .written = run.all.written};
    };
    sample.dram = TRY(bytes(BlockPace::kTogether));
    sample.dram_in_turn = TRY(bytes(BlockPace::kInTurn));
    return Done{};
}

}  // namespace

Result<TimeSample> sample_for_time(const RecordRequest& request, int registers_per_thread,
                                   const GpuModel* gpu, RecordProgress* progress) {
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
    p.k = kShortK + wanted.k % kAlignedExtent;
    const int second_k = 2 * kShortK + wanted.k % kAlignedExtent;
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
    TRY(add_dram(request, kernel, registers_per_thread, gpu, progress, sample));
    sample.known_trips = kernel.shared_bytes_of_block == nullptr;
    return sample;
}

}  // namespace tilereel
