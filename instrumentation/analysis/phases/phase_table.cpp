#include "instrumentation/analysis/phases/phase_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <optional>
#include <tuple>

#include "instrumentation/analysis/hazards/product_reads.h"
#include "instrumentation/analysis/hazards/wait_order.h"
#include "instrumentation/analysis/phases/copied_loads.h"
#include "instrumentation/analysis/phases/phase_tiles.h"
#include "instrumentation/analysis/phases/phases.h"
#include "instrumentation/analysis/phases/sum_rounds.h"
#include "instrumentation/base/format/with_commas.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

// The word that a thread loads from an array whose content is known, to find the store of the same
// one. In a launch that writes to its factors it may be another.
std::optional<std::uint32_t> input_word(const Trace& trace, ArrayId array,
                                        std::uint64_t offset_bytes) {
    const MatrixProduct matrices = matrices_of(trace);
    if (array != matrices.a && array != matrices.b) return std::nullopt;
    const std::vector<std::byte>& content = trace.arrays[array].first_bytes;
    std::uint32_t word = 0;
    if (offset_bytes + sizeof word > content.size()) return std::nullopt;
    std::memcpy(&word, content.data() + offset_bytes, sizeof word);
    return word;
}

bool has_matrix_products(const Trace& trace) {
    return std::ranges::any_of(
        trace.sites, [](const Site& site) { return site.operation == Operation::kMatrixProduct; });
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
          tiles_(matrices_of(trace)),
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
        for_each_record([&](const OrderedRecord& each) {
            if (entries_ <= kMostPhaseEntries) add(each);
        });
        if (entries_ > kMostPhaseEntries) return std::nullopt;
        if (has_matrix_products(trace_)) put_tiles();
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
    // Each access comes after those that its warp has waited for.
    void for_each_record(const WaitOrder::Visit& visit) {
        WaitOrder order(trace_, range_);
        const std::vector<std::uint32_t>& epoch = trace_.segments.epoch;
        for (std::size_t first = range_.first, last = first; first < range_.last; first = last) {
            while (last < range_.last && epoch[last] == epoch[first]) ++last;
            epoch_ = epoch[first];
            order.visit_epoch(first, last, visit);
        }
    }
    [[nodiscard]] bool is_access(const Site& site) const {
        return tilereel::is_access(site.operation);
    }
    [[nodiscard]] bool is_global(const Site& site) const {
        return is_access(site) && trace_.arrays[site.array].space == Space::kGlobal;
    }

    void add(const OrderedRecord& ordered) {
        const std::uint64_t record = ordered.record, value = ordered.value;
        const std::uint32_t first_thread = ordered.warp * kWarpSize;
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
        if (site.operation == Operation::kMatrixProduct)
            add_matrix_product(record, first_thread / kWarpSize, phase, value);
        if (!is_access(site)) return;
        const std::uint32_t words = std::max(1u, site.width_bytes / 4u);
        for (std::uint32_t i = 0; i < words; ++i) {
            MovedWord moved{.site = site_of(trace_, record),
                            .phase = phase,
                            .epoch = epoch_,
                            .first_thread = first_thread,
                            .box_thread = box_thread_,
                            .word = {}};
            std::uint64_t next = value + i;
            for (std::uint32_t left = lanes.mask; left != 0; left &= left - 1, next += words) {
                const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
                if (moved.thread_of(lane) >= table_.threads.size()) continue;
                moved.at[lane] = element_name(trace_, site.array, lanes.bytes[lane] + 4 * i);
                if (const auto word =
                        input_word(trace_, site.array, std::uint64_t{lanes.bytes[lane]} + 4 * i))
                    moved.word.bits[lane] = *word;
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
            is_of_other_block_ = site.is_of_other_block();
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
                loads.push_back({.from = at,
                                 .to = std::nullopt,
                                 .by_other_block = moved.box_thread && is_of_other_block_});
                ++entries_;
            }
            add_operand(states_[thread], at, global);
            if (global || is_copy(trace_.sites[moved.site].operation)) return;
            if (const auto held = held_.find(key_of(at)); held != held_.end())
                tiles_.read(trace_, moved.first_thread / kWarpSize, moved.phase, held->second);
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
    // What a warpgroup's product reads of shared memory; lanes have read the rest before.
    void add_matrix_product(std::uint64_t record, std::uint32_t warp, std::uint32_t phase,
                            std::uint64_t value) {
        tiles_.product(warp, phase, trace_.records.base[record]);
        if (!is_warpgroup_product(trace_, record)) return;
        for (std::uint32_t each = 0; each < kWarpsOfGroup; ++each)
            for (const std::uint32_t piece : product_reads(trace_, record, value, each))
                for (std::uint32_t word = 0; word < kMatrixPieceBytes; word += 4) {
                    const ElementName at =
                        element_name(trace_, array_at(trace_, piece), piece + word);
                    if (const auto held = held_.find(key_of(at)); held != held_.end())
                        tiles_.read(trace_, warp, phase, held->second);
                }
    }
    // What lanes load from global memory and do not store to shared memory is an operand, too.
    void put_tiles() {
        for (std::size_t thread = 0; thread < table_.threads.size(); ++thread)
            for (std::uint32_t phase = 0; phase < table_.phases; ++phase)
                for (const PhaseLoad& load : table_.threads[thread].phases[phase].loads)
                    if (load.from && !load.to)
                        tiles_.read(trace_, static_cast<std::uint32_t>(thread / kWarpSize), phase,
                                    *load.from);
        tiles_.put(trace_, table_);
    }
    const Trace& trace_;
    const MatrixProduct matrices_ = matrices_of(trace_);
    SegmentRange range_;
    BlockPhases phases_;
    std::vector<ThreadState> states_;          // by thread
    std::vector<SumRounds> sums_;              // likewise
    std::vector<MovedWord> loaded_;            // by tag
    std::optional<std::uint32_t> box_thread_;  // while a box is copied
    bool is_of_other_block_ = false;           // the box
    std::uint32_t box_line_ = 0, epoch_ = 0;
    std::vector<CopiedLoads> copied_;  // by warp
    // By shared element: the global element whose value it holds.
    std::map<std::tuple<ArrayId, std::uint32_t, std::uint32_t>, ElementName> held_;
    PhaseTiles tiles_;
    CopyingSites sites_;
    bool sites_known_ = false;
    PhaseTable table_;
    std::uint64_t entries_ = 0;  // loads and products in table_
};

// Whether the table can show the types of the product's matrices: it follows words of 4 bytes.
bool is_shown(const Trace& trace) {
    const auto& arrays = trace.arrays;
    const MatrixProduct& product = *trace.product;
    if (has_matrix_products(trace))
        return arrays[product.a].element_bytes <= 4 && arrays[product.b].element_bytes <= 4;
    return std::ranges::all_of(std::array{product.a, product.b, product.c}, [&](ArrayId id) {
        return arrays[id].type == ElementType::kFloat32;
    });
}

}  // namespace

Result<PhaseTable> phase_table(const Trace& trace, std::uint32_t block) {
    if (block >= trace.launch.blocks())
        return wrong_call("The grid has no block " + std::to_string(block) +
                          "; choose one from 0 to " + std::to_string(trace.launch.blocks() - 1));
    if (!trace.product)
        return wrong_call(
            "A phase table shows what the threads of a matrix product load and add; this launch is "
            "not one: use the counts by line");
    if (!is_shown(trace))
        return wrong_call(
            "A phase table shows float matrices, and smaller elements on tensor cores; those of "
            "this launch are of other types: use the counts by line");
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
