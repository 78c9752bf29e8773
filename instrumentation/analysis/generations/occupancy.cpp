#include "instrumentation/analysis/generations/occupancy.h"

#include <algorithm>
#include <limits>

#include "instrumentation/base/format/with_commas.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {
namespace {

constexpr int kUnlimited = std::numeric_limits<int>::max();

std::int64_t rounded_up(std::int64_t value, std::int64_t unit) {
    return (value + unit - 1) / unit * unit;
}
int blocks_that_fit(std::int64_t in_sm, std::int64_t per_block) {
    return per_block == 0 ? kUnlimited : static_cast<int>(in_sm / per_block);
}

Error too_much(const Generation& generation, std::int64_t has, std::string_view what,
               std::int64_t most) {
    return wrong_call(with_commas(static_cast<std::uint64_t>(std::max<std::int64_t>(has, 0))) +
                      " " + std::string(what) + ": a block of " + std::string(generation.title) +
                      " has at most " + with_commas(static_cast<std::uint64_t>(most)) +
                      "; use fewer");
}

// The limits of one block that a launch checks, whatever else the SM holds.
Status check_block(const BlockResources& block, const DeviceLimits& limits,
                   const Generation& generation) {
    if (block.threads < 1) return wrong_call("a block has at least 1 thread; use more");
    if (block.registers_per_thread < 0)
        return wrong_call("a thread has at least 0 registers; use more");
    if (block.threads > limits.threads_per_block)
        return too_much(generation, block.threads, "threads", limits.threads_per_block);
    if (block.registers_per_thread > limits.registers_per_thread)
        return too_much(generation, block.registers_per_thread, "registers a thread",
                        limits.registers_per_thread);
    if (block.shared_bytes > static_cast<std::uint32_t>(limits.shared_bytes_per_block))
        return too_much(generation, block.shared_bytes, "bytes of shared memory",
                        limits.shared_bytes_per_block);
    return Done{};
}

// CUDA Occupancy Calculator, "Calculator", allocation per thread block: 1.x gives registers to a
// block for an even number of warps; later, each warp gets its own, out of its partition's.
struct RegisterUse {
    std::int64_t given = 0;    // to a block
    std::int64_t checked = 0;  // against the limit of a block: warps rounded up to all partitions
    int blocks = kUnlimited;
};
RegisterUse registers_of(const BlockResources& block, const DeviceLimits& limits, int warps) {
    const std::int64_t of_warp = std::int64_t{block.registers_per_thread} * kWarpSize;
    RegisterUse use;
    if (limits.registers_to_block) {
        use.given =
            rounded_up(rounded_up(warps, limits.partitions) * of_warp, limits.register_unit);
        use.checked = use.given;
        use.blocks = blocks_that_fit(limits.registers, use.given);
        return use;
    }
    const std::int64_t given_to_warp = rounded_up(of_warp, limits.register_unit);
    use.given = given_to_warp * warps;
    use.checked = given_to_warp * rounded_up(warps, limits.partitions);
    const auto blocks = [&](int partitions) {
        return static_cast<int>(limits.registers / partitions / given_to_warp * partitions / warps);
    };
    if (given_to_warp == 0) return use;
    use.blocks = blocks(limits.partitions);
    if (limits.family_partitions > 0 && blocks(limits.family_partitions) == 0) use.blocks = 0;
    return use;
}

}  // namespace

std::string_view name_of(OccupancyLimit limit) {
    constexpr std::array<std::string_view, 4> kNames = {"warps", "blocks", "registers",
                                                        "shared memory"};
    return kNames[static_cast<std::size_t>(limit)];
}

Result<Occupancy> occupancy_of(const BlockResources& block, const Generation& generation) {
    const DeviceLimits& limits = generation.limits;
    TRY(check_block(block, limits, generation));
    const int warps = (block.threads + kWarpSize - 1) / kWarpSize;
    const RegisterUse registers = registers_of(block, limits, warps);
    if (registers.checked > limits.registers_per_block || registers.blocks == 0)
        return wrong_call(std::to_string(block.threads) + " threads of " +
                          std::to_string(block.registers_per_thread) + " registers: a block of " +
                          std::string(generation.title) + " has at most " +
                          with_commas(static_cast<std::uint64_t>(limits.registers_per_block)) +
                          " registers; use fewer threads or registers");
    const std::int64_t shared = rounded_up(
        std::int64_t{block.shared_bytes} + limits.shared_reserved_bytes, limits.shared_unit_bytes);
    Occupancy occupancy;
    occupancy.blocks_by = {limits.warps / warps, limits.blocks, registers.blocks,
                           blocks_that_fit(limits.shared_bytes, shared)};
    occupancy.blocks = std::ranges::min(occupancy.blocks_by);
    occupancy.warps = occupancy.blocks * warps;
    occupancy.threads = occupancy.blocks * block.threads;
    occupancy.most_warps = limits.warps;
    occupancy.most_threads = limits.threads();
    occupancy.registers_per_block = static_cast<std::uint32_t>(registers.given);
    occupancy.shared_bytes_per_block = static_cast<std::uint32_t>(shared);
    return occupancy;
}

double classical_occupancy(int blocks_per_sm, int threads_per_block, int threads_per_sm) {
    return static_cast<double>(blocks_per_sm) * threads_per_block / threads_per_sm;
}

int best_block_threads(int registers_per_thread,
                       const std::function<std::uint32_t(int threads)>& shared_bytes,
                       const Generation& generation) {
    int best = 0, most = 0;
    for (int threads = generation.limits.threads_per_block; threads > 0; threads -= kWarpSize) {
        const Result<Occupancy> occupancy =
            occupancy_of({threads, registers_per_thread, shared_bytes(threads)}, generation);
        if (!occupancy || occupancy->threads <= most) continue;
        most = occupancy->threads;
        best = threads;
    }
    return best;
}

int square_edge(int threads) {
    if (threads < 1) return 0;
    int edge = 1;
    while (std::int64_t{4} * edge * edge <= threads) edge *= 2;
    return edge;
}

}  // namespace tilereel
