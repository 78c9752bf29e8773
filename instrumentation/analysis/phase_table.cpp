#include "instrumentation/analysis/phase_table.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>

#include "instrumentation/analysis/phases.h"
#include "instrumentation/base/with_commas.h"

namespace tilereel {
namespace {

constexpr ArrayId kArrayA = 0, kArrayB = 1, kArrayC = 2;

ElementName element_at(const Trace& trace, ArrayId id, std::uint32_t offset_bytes) {
    const Array& array = trace.arrays[id];
    const std::uint32_t element =
        (offset_bytes - array.base_bytes) / std::max(1u, array.element_bytes);
    const std::uint32_t row = std::max(1u, array.leading_dimension);
    return {id, element / row, element % row};
}

// The value a thread loads of A or B: what pairs it with the store of the same value.
std::optional<float> input_value(const Trace& trace, const ElementName& at) {
    if (at.array != kArrayA && at.array != kArrayB) return std::nullopt;
    const std::vector<float>& values = at.array == kArrayA ? trace.a : trace.b;
    const std::size_t index =
        std::size_t{at.row} * trace.arrays[at.array].leading_dimension + at.column;
    if (index >= values.size()) return std::nullopt;
    return values[index];
}

bool same_bits(float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

// What the builder remembers of one thread.
struct ThreadState {
    struct Pending {
        std::uint32_t phase = 0;
        std::size_t load = 0;  // of its cell's loads
    };
    std::vector<Pending> pending;               // loads not yet stored to shared memory
    std::vector<Operand> fresh;                 // read since the last multiply-add
    std::map<std::uint32_t, Operand> latest_a;  // by the row of A they came from
    std::map<std::uint32_t, Operand> latest_b;  // by the column of B
    std::vector<ElementName> stored;            // elements of C, in order of the first store
    std::set<std::uint32_t> accumulators;       // that were added to
};

class PhaseTableBuilder {
  public:
    PhaseTableBuilder(const Trace& trace, std::uint32_t block)
        : trace_(trace),
          range_(segments_of_block(trace, block)),
          phases_(phases_of_block(trace, block)),
          states_(std::size_t{trace.launch.warps()} * kWarpSize) {
        const Dim3 extent{std::max(trace.launch.block.x, 1u), std::max(trace.launch.block.y, 1u)};
        const std::uint32_t across = std::max(trace.launch.grid.x, 1u);
        table_.block_x = block % across;
        table_.block_y = block / across;
        table_.phases = phases_.count;
        for (std::uint32_t thread = 0; thread < trace.launch.threads(); ++thread)
            table_.threads.push_back({thread % extent.x, thread / extent.x % extent.y,
                                      thread / extent.x / extent.y,
                                      std::vector<PhaseCell>(phases_.count)});
    }

    // Loads from global memory, stores to shared memory, multiply-adds: at most what is listed.
    [[nodiscard]] std::uint64_t entries() const {
        std::uint64_t count = 0;
        for_each_record([&](std::uint64_t record, std::uint32_t) {
            const Site& site = trace_.sites[site_of(trace_, record)];
            if (site.operation == Operation::kMultiplyAdd || is_global(site))
                count += static_cast<std::uint64_t>(
                    std::popcount(trace_.patterns[trace_.records.pattern[record]].mask));
        });
        return count;
    }

    PhaseTable build() {
        name_accumulators();
        std::uint64_t value = 0;
        if (range_.first < range_.last) value = trace_.segments.value_begin[range_.first];
        for_each_record([&](std::uint64_t record, std::uint32_t first_thread) {
            add(record, first_thread, value);
            if (has_values(trace_, record)) value += value_count(trace_, record);
        });
        return std::move(table_);
    }

  private:
    template <class Visit>
    void for_each_record(Visit visit) const {
        for (std::size_t segment = range_.first; segment < range_.last; ++segment)
            for (std::uint64_t record = trace_.segments.record_begin[segment];
                 record < trace_.segments.record_begin[segment + 1]; ++record)
                visit(record, std::uint32_t{trace_.segments.warp[segment]} * kWarpSize);
    }
    [[nodiscard]] bool is_access(const Site& site) const {
        return site.operation == Operation::kLoad || site.operation == Operation::kStore;
    }
    [[nodiscard]] bool is_global(const Site& site) const {
        return is_access(site) && trace_.arrays[site.array].space == Space::kGlobal;
    }

    void add(std::uint64_t record, std::uint32_t first_thread, std::uint64_t value) {
        const Site& site = trace_.sites[site_of(trace_, record)];
        const std::uint32_t phase = phases_.phase[record - phases_.first_record];
        const LaneOffsets lanes = lane_offsets(trace_, record);
        const bool valued = has_values(trace_, record);
        const std::uint32_t words = std::max(1u, site.width_bytes / 4u);
        for (std::uint32_t left = lanes.mask; left != 0; left &= left - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
            const std::uint32_t thread = first_thread + lane;
            if (thread >= table_.threads.size()) continue;
            if (site.operation == Operation::kMultiplyAdd)
                add_product(thread, phase, trace_.records.base[record]);
            if (!is_access(site)) continue;
            for (std::uint32_t i = 0; i < words; ++i, ++value) {
                const ElementName at = element_at(trace_, site.array, lanes.bytes[lane] + 4 * i);
                if (site.operation == Operation::kLoad)
                    add_load(thread, phase, at, is_global(site));
                else
                    add_store(thread, phase, at, is_global(site),
                              valued ? trace_.values[value] : 0.0f);
            }
        }
    }

    void add_load(std::uint32_t thread, std::uint32_t phase, const ElementName& at, bool global) {
        ThreadState& state = states_[thread];
        Operand operand{.read = at, .origin = std::nullopt};
        if (global) {
            std::vector<PhaseLoad>& loads = cell(thread, phase).loads;
            state.pending.push_back({phase, loads.size()});
            loads.push_back({.from = at, .to = std::nullopt});
            operand.origin = at;
        } else if (const auto held = held_.find({at.array, at.row, at.column});
                   held != held_.end()) {
            operand.origin = held->second;
        }
        state.fresh.push_back(operand);
        if (!operand.origin) return;
        if (operand.origin->array == kArrayA) state.latest_a[operand.origin->row] = operand;
        if (operand.origin->array == kArrayB) state.latest_b[operand.origin->column] = operand;
    }

    void add_store(std::uint32_t thread, std::uint32_t phase, const ElementName& at, bool global,
                   float value) {
        ThreadState& state = states_[thread];
        if (global) return;
        const auto key = std::tuple(at.array, at.row, at.column);
        const auto loaded = std::ranges::find_if(state.pending, [&](const auto& pending) {
            const PhaseLoad& load = cell(thread, pending.phase).loads[pending.load];
            const std::optional<float> known = input_value(trace_, *load.from);
            return !known || same_bits(*known, value);
        });
        if (loaded == state.pending.end()) {
            cell(thread, phase).loads.push_back({.from = std::nullopt, .to = at, .value = value});
            held_.erase(key);
            return;
        }
        PhaseLoad& load = cell(thread, loaded->phase).loads[loaded->load];
        load.to = at;
        load.value = value;
        held_[key] = *load.from;
        state.pending.erase(loaded);
        state.fresh.clear();  // what was loaded to be stored is no operand
    }

    // The n-th accumulator that a thread adds to is taken for the n-th element of C that it stores.
    void name_accumulators() {
        for_each_record([&](std::uint64_t record, std::uint32_t first_thread) {
            const Site& site = trace_.sites[site_of(trace_, record)];
            const bool stores_c = site.operation == Operation::kStore && site.array == kArrayC;
            if (!stores_c && site.operation != Operation::kMultiplyAdd) return;
            const LaneOffsets lanes = lane_offsets(trace_, record);
            for (std::uint32_t left = lanes.mask; left != 0; left &= left - 1) {
                const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
                ThreadState& state = states_[first_thread + lane];
                if (!stores_c) {
                    state.accumulators.insert(trace_.records.base[record]);
                    continue;
                }
                for (std::uint32_t i = 0; i < site.width_bytes / 4u; ++i)
                    add_new(state.stored,
                            element_at(trace_, site.array, lanes.bytes[lane] + 4 * i));
            }
        });
    }
    static void add_new(std::vector<ElementName>& elements, const ElementName& element) {
        if (std::ranges::find(elements, element) == elements.end()) elements.push_back(element);
    }
    [[nodiscard]] std::optional<ElementName> c_of(const ThreadState& state,
                                                  std::uint32_t accumulator) const {
        const auto index = static_cast<std::size_t>(
            std::distance(state.accumulators.begin(), state.accumulators.find(accumulator)));
        if (index >= state.stored.size()) return std::nullopt;
        return state.stored[index];
    }

    // Two values read since the last multiply-add are its operands. Otherwise some were kept in
    // registers: of those read last, the ones of C's row of A and C's column of B, if they meet.
    void add_product(std::uint32_t thread, std::uint32_t phase, std::uint32_t accumulator) {
        ThreadState& state = states_[thread];
        std::vector<PhaseSum>& sums = cell(thread, phase).sums;
        auto sum = std::ranges::find(sums, accumulator, &PhaseSum::accumulator);
        if (sum == sums.end())
            sum = sums.insert(
                sum, {.c = c_of(state, accumulator), .accumulator = accumulator, .products = {}});
        Product product;
        if (state.fresh.size() == 2) {
            product = {state.fresh[0], state.fresh[1]};
        } else if (sum->c) {
            const auto a = state.latest_a.find(sum->c->row);
            const auto b = state.latest_b.find(sum->c->column);
            if (a != state.latest_a.end() && b != state.latest_b.end() &&
                a->second.origin->column == b->second.origin->row)
                product = {a->second, b->second};
        }
        sum->products.push_back(product);
        state.fresh.clear();
        forget(thread, product.a);
        forget(thread, product.b);
    }

    // What a thread multiplies by straight from global memory, it does not store to shared memory.
    void forget(std::uint32_t thread, const std::optional<Operand>& operand) {
        if (!operand || trace_.arrays[operand->read.array].space != Space::kGlobal) return;
        std::erase_if(states_[thread].pending, [&](const ThreadState::Pending& pending) {
            return cell(thread, pending.phase).loads[pending.load].from == operand->read;
        });
    }

    PhaseCell& cell(std::uint32_t thread, std::uint32_t phase) {
        return table_.threads[thread].phases[phase];
    }
    const Trace& trace_;
    SegmentRange range_;
    BlockPhases phases_;
    std::vector<ThreadState> states_;
    std::map<std::tuple<ArrayId, std::uint32_t, std::uint32_t>, ElementName> held_;
    PhaseTable table_;
};

}  // namespace

Result<PhaseTable> phase_table(const Trace& trace, std::uint32_t block) {
    if (block >= trace.launch.blocks())
        return wrong_call("The grid has no block " + std::to_string(block) +
                          "; choose one from 0 to " + std::to_string(trace.launch.blocks() - 1));
    PhaseTableBuilder builder(trace, block);
    if (const std::uint64_t entries = builder.entries(); entries > kMostPhaseEntries)
        return wrong_call("The phase table of one block would have " + with_commas(entries) +
                          " entries, more than the " + with_commas(kMostPhaseEntries) +
                          " that anyone reads; choose a smaller K or TILE");
    return builder.build();
}

}  // namespace tilereel
