#include "tests/replay/kernel_script.h"

#include <algorithm>
#include <functional>
#include <random>
#include <set>

#include "tests/replay/hand_trace.h"

namespace tilereel {
namespace {

struct Thread {
    int tx = 0, ty = 0;
};
using Place = std::function<Cell(Thread)>;

// Writes the operations of one warp.
class WarpWriter {
  public:
    WarpWriter(const ScriptSize& size, int warp, std::vector<ScriptOperation>& operations)
        : operations_(operations) {
        const int threads = size.tile * size.tile;
        for (int lane = 0; lane < kWarpSize; ++lane)
            if (const int thread = warp * kWarpSize + lane; thread < threads)
                threads_[lane] = {thread % size.tile, thread / size.tile};
    }
    void keep(const std::function<bool(Thread)>& inside) {
        std::erase_if(threads_, [&](const auto& entry) { return !inside(entry.second); });
    }
    [[nodiscard]] bool empty() const { return threads_.empty(); }
    void operate(Does does, std::string array, int phase, const Place& place, int k = 0) {
        ScriptOperation operation{does, std::move(array), {}, phase, k};
        for (const auto& [lane, thread] : threads_) operation.lanes[lane] = place(thread);
        operations_.push_back(std::move(operation));
    }
    void barrier(int phase) { operations_.push_back({Does::kBarrier, "", {}, phase, 0}); }

  private:
    std::map<int, Thread> threads_;
    std::vector<ScriptOperation>& operations_;
};

void write_naive(const Script& script, const Place& element, WarpWriter& warp) {
    const ScriptSize& size = script.size;
    warp.keep([&](Thread t) { return element(t).row < size.m && element(t).column < size.n; });
    if (warp.empty()) return;
    for (int k = 0; k < size.k; ++k) {
        warp.operate(Does::kGlobalLoad, "A", k, [&](Thread t) { return Cell{element(t).row, k}; });
        warp.operate(Does::kGlobalLoad, "B", k, [&](Thread t) {
            return Cell{k, element(t).column};
        });
        warp.operate(Does::kMultiplyAdd, "", k, element, k);
    }
    warp.operate(Does::kGlobalStore, "C", size.k - 1, element);
}

void write_tiled(const Script& script, const Place& element, WarpWriter& warp) {
    const int tile = script.size.tile;
    const bool transposed = script.kernel == "08";
    const Place own = [](Thread t) { return Cell{t.ty, t.tx}; };
    const Place swapped = [](Thread t) { return Cell{t.tx, t.ty}; };
    for (int phase = 0; phase < script.size.k / tile; ++phase) {
        const int k0 = phase * tile;
        warp.operate(Does::kGlobalLoad, "A", phase, [&](Thread t) {
            return Cell{element(t).row, k0 + t.tx};
        });
        warp.operate(Does::kSharedStore, "As", phase, own);
        warp.operate(Does::kGlobalLoad, "B", phase, [&](Thread t) {
            return Cell{k0 + t.ty, element(t).column};
        });
        warp.operate(Does::kSharedStore, "Bs", phase, transposed ? swapped : own);
        warp.barrier(phase);
        for (int k = 0; k < tile; ++k) {
            warp.operate(Does::kSharedLoad, "As", phase, [&](Thread t) { return Cell{t.ty, k}; });
            warp.operate(Does::kSharedLoad, "Bs", phase, [&](Thread t) {
                return transposed ? Cell{t.tx, k} : Cell{k, t.tx};
            });
            warp.operate(Does::kMultiplyAdd, "", phase, element, k0 + k);
        }
        warp.barrier(phase);
    }
    warp.operate(Does::kGlobalStore, "C", script.size.k / tile - 1, element);
}

int ceil_div(int extent, int tile) { return (extent + tile - 1) / tile; }

}  // namespace

Dim3 grid_of(const std::string& kernel, const ScriptSize& size) {
    const auto across = static_cast<std::uint32_t>(ceil_div(size.n, size.tile));
    const auto down = static_cast<std::uint32_t>(ceil_div(size.m, size.tile));
    return kernel == "01" ? Dim3{down, across, 1} : Dim3{across, down, 1};
}

Script script_of(const std::string& kernel, const ScriptSize& size, int block_x, int block_y) {
    Script script{kernel, size, block_x, block_y, {}};
    const Place element = [&](Thread t) {
        if (kernel == "01") return Cell{block_x * size.tile + t.tx, block_y * size.tile + t.ty};
        return Cell{block_y * size.tile + t.ty, block_x * size.tile + t.tx};
    };
    for (int warp = 0; warp < ceil_div(size.tile * size.tile, kWarpSize); ++warp) {
        WarpWriter writer(size, warp, script.warps.emplace_back());
        if (kernel == "01" || kernel == "02")
            write_naive(script, element, writer);
        else
            write_tiled(script, element, writer);
    }
    return script;
}

int word_of(const Script& script, const std::string& array, Cell cell) {
    const ScriptSize& size = script.size;
    const int as_row = size.tile + (script.kernel == "09" ? size.pad : 0);  // 08 pads only Bs
    if (array == "A") return cell.row * size.k + cell.column;
    if (array == "As") return cell.row * as_row + cell.column;
    if (array == "Bs") return size.tile * as_row + cell.row * (size.tile + size.pad) + cell.column;
    return cell.row * size.n + cell.column;
}

BruteCost brute_cost(const Script& script, const ScriptOperation& operation) {
    std::set<int> words, sectors, lines, rows;
    std::map<int, std::set<int>> banks;
    for (const auto& [lane, cell] : operation.lanes) {
        const int word = word_of(script, operation.array, cell);
        words.insert(word);
        sectors.insert(word / 8);
        lines.insert(word / 32);
        rows.insert(cell.row);
        banks[word % 32].insert(word);
    }
    BruteCost cost;
    cost.lanes = static_cast<int>(operation.lanes.size());
    cost.elements = cost.words = static_cast<int>(words.size());
    cost.rows = static_cast<int>(rows.size());
    cost.sectors = static_cast<int>(sectors.size());
    cost.lines = static_cast<int>(lines.size());
    cost.banks = static_cast<int>(banks.size());
    for (const auto& [bank, wanted] : banks)
        if (static_cast<int>(wanted.size()) > cost.wavefronts) {
            cost.wavefronts = static_cast<int>(wanted.size());
            cost.worst_bank = bank;
        }
    return cost;
}

std::vector<ScheduledRequest> schedule_of(const Script& script) {
    std::vector<ScheduledRequest> schedule;
    std::vector<std::size_t> next(script.warps.size(), 0);
    std::size_t tick = 0;
    // Skips multiply-adds, which take no tick. Whether the warp's next operation is then a request.
    const auto at_request = [&](int warp) {
        while (next[warp] < script.warps[warp].size() &&
               script.warps[warp][next[warp]].does == Does::kMultiplyAdd)
            ++next[warp];
        return next[warp] < script.warps[warp].size() &&
               script.warps[warp][next[warp]].does != Does::kBarrier;
    };
    for (int epoch = 0;; ++epoch) {
        for (bool any = true; any;) {
            any = false;
            for (int warp = 0; warp < static_cast<int>(script.warps.size()); ++warp) {
                if (!at_request(warp)) continue;
                any = true;
                ScheduledRequest request{warp, epoch, &script.warps[warp][next[warp]], tick, 0, {}};
                const BruteCost cost = brute_cost(script, *request.operation);
                const bool shared = request.operation->does == Does::kSharedLoad ||
                                    request.operation->does == Does::kSharedStore;
                request.ticks = static_cast<std::size_t>(shared ? cost.wavefronts : cost.lines);
                for (int other = 0; other < static_cast<int>(script.warps.size()); ++other)
                    if (other != warp && !at_request(other) &&
                        next[other] < script.warps[other].size())
                        request.waiting.push_back(other);
                tick += request.ticks;
                schedule.push_back(request);
                ++next[warp];
            }
        }
        bool left = false;
        for (std::size_t warp = 0; warp < next.size(); ++warp)
            if (next[warp] < script.warps[warp].size()) {
                ++next[warp];  // the barrier
                left = true;
            }
        if (!left) return schedule;
    }
}

float partial_product(const Trace& trace, int row, int column, int products) {
    const MatrixElements a = matrix_of(trace, MatrixRole::kA), b = matrix_of(trace, MatrixRole::kB);
    float sum = 0.0f;
    for (int k = 0; k < products; ++k)
        sum += a[row * trace.launch.k + k] * b[k * trace.launch.n + column];
    return sum;
}

namespace {

// Arbitrary source lines; as in a kernel, a tile's load and its store share one.
std::uint32_t line_of(const ScriptOperation& operation) {
    switch (operation.does) {
        case Does::kGlobalLoad:
        case Does::kSharedStore:
            return operation.array.front() == 'A' ? 3 : 4;
        case Does::kSharedLoad:
        case Does::kMultiplyAdd:
            return 7;
        case Does::kBarrier:
            return 5;
        case Does::kGlobalStore:
            return 9;
    }
    return 0;
}

ArrayId id_of(const std::string& array) {
    const std::vector<std::string> names = {"A", "B", "C", "As", "Bs"};
    return static_cast<ArrayId>(std::ranges::find(names, array) - names.begin());
}

// The value a lane stores: to shared memory, what it loaded last; to C, its whole sum.
void add_warp(HandTrace& hand, const Script& script, std::uint32_t block, std::uint16_t warp) {
    std::map<int, float> loaded;
    for (const ScriptOperation& operation : script.warps[warp]) {
        const std::uint32_t line = line_of(operation);
        HandLanes lanes;
        std::vector<float> values;
        std::uint32_t mask = 0;
        for (const auto& [lane, cell] : operation.lanes) {
            mask |= 1u << lane;
            lanes[lane] = static_cast<std::uint32_t>(4 * word_of(script, operation.array, cell));
            if (operation.does == Does::kGlobalLoad)
                loaded[lane] = (operation.array == "A" ? hand.a : hand.b)[*lanes[lane] / 4];
            if (operation.does == Does::kSharedStore) values.push_back(loaded[lane]);
            if (operation.does == Does::kMultiplyAdd)
                values.push_back(
                    partial_product(hand.trace, cell.row, cell.column, operation.k + 1));
            if (operation.does == Does::kGlobalStore)
                values.push_back(partial_product(hand.trace, cell.row, cell.column, script.size.k));
        }
        if (operation.does == Does::kBarrier)
            hand.barrier(block, warp, line);
        else if (operation.does == Does::kMultiplyAdd)
            hand.multiply_add(block, warp, line, mask, 0, values);
        else
            hand.access(block, warp, line, id_of(operation.array),
                        operation.does == Does::kGlobalLoad || operation.does == Does::kSharedLoad
                            ? Operation::kLoad
                            : Operation::kStore,
                        lanes, values);
    }
}

}  // namespace

Trace trace_of(const std::string& kernel, const ScriptSize& size, unsigned seed) {
    const auto tile = static_cast<std::uint32_t>(size.tile),
               pad = static_cast<std::uint32_t>(size.pad);
    const Dim3 grid = grid_of(kernel, size);
    HandTrace hand(static_cast<std::uint32_t>(size.m), static_cast<std::uint32_t>(size.n),
                   static_cast<std::uint32_t>(size.k), grid, {tile, tile, 1});
    hand.trace.launch.tile = tile;
    hand.trace.launch.pad = pad;
    std::mt19937 random(seed);
    for (std::vector<float>* input : {&hand.a, &hand.b})
        for (float& value : *input) value = static_cast<float>(random() % 6);
    hand.keep_inputs();
    if (kernel == "08" || kernel == "09") {
        hand.shared_array("As", tile, tile, tile + (kernel == "09" ? pad : 0));
        hand.shared_array("Bs", tile, tile, tile + pad);
    }
    for (std::uint32_t block = 0; block < grid.count(); ++block) {
        const Script script = script_of(kernel, size, static_cast<int>(block % grid.x),
                                        static_cast<int>(block / grid.x));
        for (std::size_t warp = 0; warp < script.warps.size(); ++warp)
            add_warp(hand, script, block, static_cast<std::uint16_t>(warp));
    }
    return hand.finish();
}

}  // namespace tilereel
