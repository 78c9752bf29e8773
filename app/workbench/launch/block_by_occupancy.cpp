#include "app/workbench/launch/block_by_occupancy.h"

#include <algorithm>

#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

std::string comma_text(int count) { return with_commas(static_cast<std::uint64_t>(count)); }

}  // namespace

Result<BlockByOccupancy> block_by_occupancy(const KernelInfo& kernel, int pad,
                                            const Generation& generation,
                                            std::optional<Registers> registers) {
    if (kernel.shared_bytes_of_block == nullptr)
        return wrong_call(std::string(kernel.title) +
                          " has its block size compiled in; give TILE a number, or choose a kernel "
                          "whose tile is set at launch");
    BlockByOccupancy block;
    // TILE is set at launch, so each TILE runs the same compiled kernel with the same registers.
    block.registers = registers.value_or(registers_of(kernel.id, kernel.tiles.front(), pad));
    const int a_thread = block.registers.a_thread;
    TRY(occupancy_of({.threads = 1}, generation));
    const auto shared = [&](int threads) { return kernel.shared_bytes_of_block(threads, pad); };
    block.threads = best_block_threads(a_thread, shared, generation);
    const int edge = square_edge(block.threads);
    for (const int offered : kernel.tiles)  // ascending
        if (offered <= edge) block.tile = offered;
    if (block.tile == 0)
        return wrong_call("no block of threads with " + std::to_string(a_thread) +
                          " registers runs on " + std::string(generation.title) +
                          "; use fewer registers");
    const auto occupancy = [&](int threads) {
        return occupancy_of({threads, a_thread, shared(threads)}, generation);
    };
    const Result<Occupancy> of_threads = occupancy(block.threads);
    const Result<Occupancy> of_tile = occupancy(block.tile * block.tile);
    if (!of_threads) return of_threads.error();
    if (!of_tile) return of_tile.error();
    block.of_threads = *of_threads;
    block.of_tile = *of_tile;
    return block;
}

std::string sentence_of(const BlockByOccupancy& block, const Generation& generation) {
    const auto warps = [](const Occupancy& occupancy) {
        return std::to_string(occupancy.warps) + " of " + std::to_string(occupancy.most_warps) +
               " warps";
    };
    const int square = block.tile * block.tile;
    std::string text = "TILE " + std::to_string(block.tile) + " by occupancy on " +
                       std::string(generation.title) + ": blocks of " + comma_text(block.threads) +
                       " threads fill " + warps(block.of_threads);
    if (square != block.threads)
        text += "; the largest power-of-two square in them has " + comma_text(square) +
                " threads and fills " + warps(block.of_tile);
    return text + " (" + text_of(block.registers) + ")";
}

}  // namespace tilereel
