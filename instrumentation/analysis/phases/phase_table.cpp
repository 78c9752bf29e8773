#include "instrumentation/analysis/phases/phase_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <tuple>

#include "instrumentation/analysis/phases/copied_loads.h"
#include "instrumentation/analysis/phases/phases.h"
#include "instrumentation/analysis/phases/sum_rounds.h"
#include "instrumentation/base/format/with_commas.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

// The value that a thread loads from A or B, to find the store of the same value.
std::optional<float> input_value(const Trace& trace, const ElementName& at) {
    const MatrixProduct matrices = matrices_of(trace);
    if (at.array != matrices.a && at.array != matrices.b) return std::nullopt;
    const MatrixElements values =
        matrix_of(trace, at.array == matrices.a ? MatrixRole::kA : MatrixRole::kB);
    const Array& array = trace.arrays[at.array];
    if (at.row >= array.rows || at.column >= array.columns) return std::nullopt;
    const std::size_t index = std::size_t{at.row} * array.columns + at.column;
    if (index >= values.size()) return std::nullopt;
    return values[index];
}

constexpr std::size_t kFreshKept = 3;  // one more than a multiply-add has operands

// The builder's state of a thread.
struct ThreadState {
    std::vector<Operand> fresh;                 // the first kFreshKept read since the last
                                                // multiply-add
    std::map<std::uint32_t, Operand> latest_a;  // by the row of A they came from
    std::map<std::uint32_t, Operand> latest_b;  // by the column of B
};

class PhaseTableBuilder {
  public:
    // `sites`: which sites copy from which, if it is known; see contradiction().
    PhaseTableBuilder(const Trace& trace, std::uint32_t block,
                      const std::optional<CopyingSites>& sites)
        : trace_(trace),
          range_(segments_of_block(trace, block)),
          phases_(phases_of_block(trace, block)),
          states_(std::size_t{trace.launch.warps()} * kWarpSize),
          copied_(trace.launch.warps()),
          sites_(sites.value_or(CopyingSites{})),
          sites_known_(sites.has_value()) {
        const std::uint32_t across = std::max(trace.launch.grid.x, 1u);
        table_.block_x = block % across;
        table_.block_y = block / across;
        table_.phases = phases_.count;
    }

    // nullopt if the table would exceed kMostPhaseEntries.
    std::optional<PhaseTable> build() {
        if (std::uint64_t{trace_.launch.threads()} * phases_.count > kMostPhaseEntries)
            return std::nullopt;
        add_threads();
        sums_ = sum_rounds(trace_, range_);
        std::uint64_t value = 0;
        if (range_.first < range_.last) value = trace_.segments.value_begin[range_.first];
        for_each_record([&](std::uint64_t record, std::uint32_t first_thread, std::uint32_t epoch) {
            if (entries_ > kMostPhaseEntries) return;
            add(record, first_thread, value, epoch);
            if (has_values(trace_, record)) value += value_count(trace_, record);
        });
        if (entries_ > kMostPhaseEntries) return std::nullopt;
        return std::move(table_);
    }

    // After build(): if other copies show that some 0 was not copied, the sites with which the
    // table must be built again.
    [[nodiscard]] std::optional<CopyingSites> contradiction() const {
        return !sites_known_ && sites_.contradicted() ? std::optional(sites_) : std::nullopt;
    }

  private:
    void add_threads() {
        const Launch& launch = trace_.launch;
        const Dim3 extent{std::max(launch.block.x, 1u), std::max(launch.block.y, 1u)};
        for (std::uint32_t thread = 0; thread < launch.threads(); ++thread)
            table_.threads.push_back({thread % extent.x, thread / extent.x % extent.y,
                                      thread / extent.x / extent.y,
                                      std::vector<PhaseCell>(phases_.count)});
    }
    template <class Visit>
    void for_each_record(Visit visit) const {
        for (std::size_t segment = range_.first; segment < range_.last; ++segment)
            for (const std::uint64_t record : records_of(trace_.segments, segment))
                visit(record, std::uint32_t{trace_.segments.warp[segment]} * kWarpSize,
                      trace_.segments.epoch[segment]);
    }
    [[nodiscard]] bool is_access(const Site& site) const {
        return tilereel::is_access(site.operation);
    }
    [[nodiscard]] bool is_global(const Site& site) const {
        return is_access(site) && trace_.arrays[site.array].space == Space::kGlobal;
    }

    void add(std::uint64_t record, std::uint32_t first_thread, std::uint64_t value,
             std::uint32_t epoch) {
        const Site& site = site_at(trace_, record);
        const std::uint32_t phase = phases_.phase[record - phases_.first_record];
        const LaneOffsets lanes = lane_offsets(trace_, record);
        note_box(record, first_thread);
        if (site.operation == Operation::kMultiplyAdd) {
            for (std::uint32_t left = lanes.mask; left != 0; left &= left - 1)
                add_product(first_thread + static_cast<std::uint32_t>(std::countr_zero(left)),
                            phase, record);
            copied_[first_thread / kWarpSize].multiply_add();
        }
        if (!is_access(site)) return;
        const std::uint32_t words = std::max(1u, site.width_bytes / 4u);
        for (std::uint32_t i = 0; i < words; ++i) {
            MovedWord moved{.site = site_of(trace_, record),
                            .phase = phase,
                            .epoch = epoch,
                            .first_thread = first_thread,
                            .box_thread = box_thread_,
                            .word = {}};
            std::uint64_t next = value + i;
            for (std::uint32_t left = lanes.mask; left != 0; left &= left - 1, next += words) {
                const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
                if (moved.thread_of(lane) >= table_.threads.size()) continue;
                moved.at[lane] = element_name(trace_, site.array, lanes.bytes[lane] + 4 * i);
                moved.word.mask |= 1u << lane;
                if (has_values(trace_, record))
                    moved.value[lane] = std::bit_cast<float>(trace_.words[next]);
            }
            if (reads(site.operation))
                add_loads(moved, is_global(site));
            else if (!is_global(site))
                add_stores(moved);
        }
    }

    // The pieces of a box, which take the place of lanes, belong to the thread that started it.
    void note_box(std::uint64_t record, std::uint32_t first_thread) {
        const Site& site = site_at(trace_, record);
        if (site.operation == Operation::kStartBulkCopy) {
            box_line_ = site.line;
            box_thread_ = first_thread + static_cast<std::uint32_t>(
                                             std::countr_zero(lane_offsets(trace_, record).mask));
        } else if (!is_copy(site.operation) || site.line != box_line_) {
            box_thread_.reset();
        }
    }

    // One 4-byte word of a request, by lane.
    struct MovedWord {
        SiteId site = 0;
        std::uint32_t phase = 0, epoch = 0, first_thread = 0;
        std::optional<std::uint32_t> box_thread;  // of a box: the thread that started it
        WarpWord word;
        std::array<ElementName, kWarpSize> at{};
        std::array<float, kWarpSize> value{};       // stored
        std::array<std::size_t, kWarpSize> load{};  // loaded: the index among its cell's loads
        [[nodiscard]] std::uint32_t thread_of(std::uint32_t lane) const {
            return box_thread.value_or(first_thread + lane);
        }
        template <class Visit>
        void for_each_lane(Visit&& visit) const {
            for (std::uint32_t left = word.mask; left != 0; left &= left - 1)
                visit(static_cast<std::uint32_t>(std::countr_zero(left)));
        }
    };

    void add_loads(MovedWord& moved, bool global) {
        moved.for_each_lane([&](std::uint32_t lane) {
            const std::uint32_t thread = moved.thread_of(lane);
            const ElementName& at = moved.at[lane];
            if (global) {
                std::vector<PhaseLoad>& loads = cell(thread, moved.phase).loads;
                moved.load[lane] = loads.size();
                loads.push_back({.from = at, .to = std::nullopt});
                ++entries_;
            }
            if (const std::optional<float> value = input_value(trace_, at))
                moved.word.bits[lane] = std::bit_cast<std::uint32_t>(*value);
            add_operand(states_[thread], at, global);
        });
        const bool input = std::ranges::any_of(moved.at, [&](const ElementName& at) {
            return at.array == matrices_.a || at.array == matrices_.b;
        });
        if (!global || !input) return;  // a load of C continues a sum
        moved.word.tag = static_cast<std::uint32_t>(loaded_.size());
        loaded_.push_back(moved);
        copied_[moved.first_thread / kWarpSize].load(moved.epoch, moved.word);
    }

    void add_operand(ThreadState& state, const ElementName& at, bool global) {
        if (at.array == matrices_.c) return;
        Operand operand{.read = at, .origin = std::nullopt};
        if (global)
            operand.origin = at;
        else if (const auto held = held_.find(key_of(at)); held != held_.end())
            operand.origin = held->second;
        if (state.fresh.size() < kFreshKept) state.fresh.push_back(operand);
        if (!operand.origin) return;
        if (operand.origin->array == matrices_.a) state.latest_a[operand.origin->row] = operand;
        if (operand.origin->array == matrices_.b) state.latest_b[operand.origin->column] = operand;
    }

    void add_stores(MovedWord& moved) {
        moved.for_each_lane([&](std::uint32_t lane) {
            moved.word.bits[lane] = std::bit_cast<std::uint32_t>(moved.value[lane]);
        });
        // Lanes that store a value that they did not load.
        std::uint32_t not_loaded = moved.word.mask;
        copied_[moved.first_thread / kWarpSize].store(
            moved.epoch, moved.word,
            [&](std::uint32_t tag, std::uint32_t lane) {
                not_loaded &= ~(1u << lane);
                if (!sites_known_)
                    sites_.note(loaded_[tag].site, moved.site, moved.word.bits[lane]);
                const std::uint32_t thread = moved.thread_of(lane);
                PhaseLoad& load = cell(thread, loaded_[tag].phase).loads[loaded_[tag].load[lane]];
                load.to = moved.at[lane];
                load.value = moved.value[lane];
                held_[key_of(moved.at[lane])] = *load.from;
                // A value that is loaded to be stored is not an operand.
                states_[thread].fresh.clear();
            },
            [&](std::uint32_t tag) {
                return !sites_known_ || sites_.may_copy(loaded_[tag].site, moved.site);
            });
        moved.word.mask = not_loaded;
        moved.for_each_lane([&](std::uint32_t lane) {
            cell(moved.thread_of(lane), moved.phase)
                .loads.push_back(
                    {.from = std::nullopt, .to = moved.at[lane], .value = moved.value[lane]});
            held_.erase(key_of(moved.at[lane]));
            ++entries_;
        });
    }
    static std::tuple<ArrayId, std::uint32_t, std::uint32_t> key_of(const ElementName& at) {
        return {at.array, at.row, at.column};
    }

    // Two values read since the last multiply-add are the operands. Otherwise some were kept in
    // registers: then they are the values read last from the row of A and the column of B of C's
    // element, if their k is the same.
    void add_product(std::uint32_t thread, std::uint32_t phase, std::uint64_t record) {
        ThreadState& state = states_[thread];
        const std::uint32_t accumulator = trace_.records.base[record];
        const std::optional<ElementName> c = element_of_sum(sums_[thread], record, accumulator);
        std::vector<PhaseSum>& sums = cell(thread, phase).sums;
        auto sum = std::ranges::find_if(sums, [&](const PhaseSum& known) {
            return known.accumulator == accumulator && known.c == c;
        });
        if (sum == sums.end())
            sum = sums.insert(sum, {.c = c, .accumulator = accumulator, .products = {}});
        Product product;
        if (state.fresh.size() == 2) {
            product = {state.fresh[0], state.fresh[1]};
            if (comes_from(product.a, matrices_.b) || comes_from(product.b, matrices_.a))
                std::swap(product.a, product.b);
        } else if (sum->c) {
            const auto a = state.latest_a.find(sum->c->row);
            const auto b = state.latest_b.find(sum->c->column);
            if (a != state.latest_a.end() && b != state.latest_b.end() &&
                a->second.origin->column == b->second.origin->row)
                product = {a->second, b->second};
        }
        for (const std::optional<Operand>& operand : {product.a, product.b})
            if (operand && operand->read == operand->origin) forget_load(thread, operand->read);
        sum->products.push_back(product);
        ++entries_;
        state.fresh.clear();
    }

    static bool comes_from(const std::optional<Operand>& operand, ArrayId array) {
        return operand && operand->origin && operand->origin->array == array;
    }
    // A value that was multiplied from its register will not be stored to shared memory.
    void forget_load(std::uint32_t thread, const ElementName& operand) {
        const std::uint32_t lane = thread % kWarpSize;
        copied_[thread / kWarpSize].forget(
            lane, [&](std::uint32_t tag) { return loaded_[tag].at[lane] == operand; });
    }

    PhaseCell& cell(std::uint32_t thread, std::uint32_t phase) {
        return table_.threads[thread].phases[phase];
    }
    const Trace& trace_;
    const MatrixProduct matrices_ = matrices_of(trace_);
    SegmentRange range_;
    BlockPhases phases_;
    std::vector<ThreadState> states_;          // by thread
    std::vector<SumRounds> sums_;              // likewise
    std::vector<MovedWord> loaded_;            // by tag
    std::optional<std::uint32_t> box_thread_;  // while a box is copied
    std::uint32_t box_line_ = 0;
    std::vector<CopiedLoads> copied_;  // by warp
    // By shared element: the global element whose value it holds.
    std::map<std::tuple<ArrayId, std::uint32_t, std::uint32_t>, ElementName> held_;
    CopyingSites sites_;
    bool sites_known_ = false;
    PhaseTable table_;
    std::uint64_t entries_ = 0;  // loads and products in table_
};

}  // namespace

Result<PhaseTable> phase_table(const Trace& trace, std::uint32_t block) {
    if (block >= trace.launch.blocks())
        return wrong_call("The grid has no block " + std::to_string(block) +
                          "; choose one from 0 to " + std::to_string(trace.launch.blocks() - 1));
    if (!trace.product)
        return wrong_call(
            "A phase table shows what the threads of a matrix product load and add; this launch is "
            "not one: use the counts by line");
    const auto is_float = [&trace](ArrayId id) {
        return trace.arrays[id].type == ElementType::kFloat32;
    };
    if (!is_float(trace.product->a) || !is_float(trace.product->b) || !is_float(trace.product->c))
        return wrong_call(
            "A phase table shows float matrices; those of this launch are of other types: use the "
            "counts by line");
    PhaseTableBuilder builder(trace, block, std::nullopt);
    std::optional<PhaseTable> table = builder.build();
    if (const auto sites = builder.contradiction(); table && sites)
        table = PhaseTableBuilder(trace, block, sites).build();
    if (!table)
        return wrong_call("The phase table of one block would have more than the " +
                          with_commas(kMostPhaseEntries) +
                          " entries that are shown; choose a smaller K" +
                          (is_rung(trace.launch) ? " or TILE" : ""));
    return *std::move(table);
}

}  // namespace tilereel
