#pragma once
// The operations of kernels 01, 02, 08 and 09, written from their index arithmetic alone: the
// independent reference for the replay.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/trace/trace.h"

namespace tilereel {

struct ScriptSize {
    int m = 16, n = 16, k = 16, tile = 4, pad = 0;
};

enum class Does { kGlobalLoad, kGlobalStore, kSharedLoad, kSharedStore, kMultiplyAdd, kBarrier };

struct Cell {
    int row = 0, column = 0;
    auto operator<=>(const Cell&) const = default;
};

// One warp-wide operation.
struct ScriptOperation {
    Does does = Does::kBarrier;
    std::string array;          // "A", "B", "C", "As", "Bs"
    std::map<int, Cell> lanes;  // active lanes; multiply-adds: the element of C they sum up
    int phase = 0;
    int k = 0;  // multiply-adds: the product's index
};
struct Script {
    std::string kernel;  // "01", "02", "08", "09"
    ScriptSize size;
    int block_x = 0, block_y = 0;
    std::vector<std::vector<ScriptOperation>> warps;
};
[[nodiscard]] Script script_of(const std::string& kernel, const ScriptSize& size, int block_x,
                               int block_y);
[[nodiscard]] Dim3 grid_of(const std::string& kernel, const ScriptSize& size);

// The offset of a cell in words, from the begin of the array (global) or of the block's shared
// memory.
[[nodiscard]] int word_of(const Script& script, const std::string& array, Cell cell);

// The cost of a request, by brute force over sets.
struct BruteCost {
    int lanes = 0, elements = 0, rows = 0, sectors = 0, lines = 0;
    int words = 0, banks = 0, wavefronts = 0, worst_bank = 0;
};
[[nodiscard]] BruteCost brute_cost(const Script& script, const ScriptOperation& operation);

// One request in the order of the replay: round-robin among the warps within an epoch.
struct ScheduledRequest {
    int warp = 0, epoch = 0;
    const ScriptOperation* operation = nullptr;
    std::size_t begin = 0, ticks = 0;
    std::vector<int> waiting;  // warps at the barrier meanwhile
};
[[nodiscard]] std::vector<ScheduledRequest> schedule_of(const Script& script);

// The trace of all blocks; a and b filled with whole numbers from `seed`.
[[nodiscard]] Trace trace_of(const std::string& kernel, const ScriptSize& size, unsigned seed = 1);
// A(row, 0..k-1) . B(0..k-1, column) summed in float, the first `products` of them.
[[nodiscard]] float partial_product(const Trace& trace, int row, int column, int products);

}  // namespace tilereel
