#include "instrumentation/analysis/phases/phases.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "instrumentation/analysis/phases/loop_trips.h"
#include "instrumentation/analysis/phases/overwritten_words.h"
#include "instrumentation/base/check.h"
#include "instrumentation/trace/copy_groups.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

// The kinds of records that phases distinguish.
enum class Kind {
    kGlobalLoad,
    kGlobalStore,
    kSharedLoad,
    kSharedStore,
    kMultiplyAdd,
    kCopies,  // starts of, commits of and waits for copies; operations of mbarriers
    kBarrier,
    kOther,  // not a global or shared access: has the part of the record before it
};

Kind kind_of(const Trace& trace, std::uint64_t record) {
    dcheck(record < trace.records.size());
    const Site& site = site_at(trace, record);
    switch (facts_of(site.operation).part) {
        case PhasePart::kMultiplyAdd:
            return Kind::kMultiplyAdd;
        case PhasePart::kBarrier:
            return Kind::kBarrier;
        case PhasePart::kCopies:
            return Kind::kCopies;
        case PhasePart::kNone:
            return Kind::kOther;
        case PhasePart::kAccess:
            break;
    }
    if (trace.arrays[site.array].space == Space::kConstant) return Kind::kOther;
    // An atomic on shared memory is part of the computation, one on global memory of its result.
    if (trace.arrays[site.array].space == Space::kShared)
        return reads(site.operation) ? Kind::kSharedLoad : Kind::kSharedStore;
    return writes(site.operation) ? Kind::kGlobalStore : Kind::kGlobalLoad;
}

// Which records of a block bring C through shared memory: what a warp stores there and loads again
// between a multiply-add and its next store to global memory, if it has not loaded it from global
// memory. By row: record - first_record.
std::vector<bool> find_way_of_c(const Trace& trace, const SegmentRange& range,
                                const BlockPhases& block) {
    struct Warp {
        bool has_multiplied = false, has_loaded = false;
        std::vector<std::uint64_t> rows;  // that are on the way, if a store of C follows
    };
    std::vector<bool> on_way(block.part.size(), false);
    std::unordered_map<std::uint16_t, Warp> warps;
    for (std::size_t segment = range.first; segment < range.last; ++segment) {
        Warp& warp = warps[trace.segments.warp[segment]];
        for (const std::uint64_t record : records_of(trace.segments, segment)) {
            const std::uint64_t row = record - block.first_record;
            const Operation operation = site_at(trace, record).operation;
            const Kind kind = kind_of(trace, record);
            if (kind == Kind::kMultiplyAdd) {
                warp = {.has_multiplied = true, .rows = {}};
            } else if (kind == Kind::kGlobalStore) {
                for (const std::uint64_t each : warp.rows) on_way[each] = true;
                warp.rows.clear();
                warp.has_loaded = false;
            } else if (kind == Kind::kGlobalLoad) {
                warp.has_loaded = true;
            } else if (kind == Kind::kSharedStore) {
                if (warp.has_multiplied && !warp.has_loaded && !is_copy(operation))
                    warp.rows.push_back(row);
                warp.has_loaded = false;
            } else {
                if (!warp.rows.empty()) warp.rows.push_back(row);
                if (operation == Operation::kBarrier) warp.has_loaded = false;
            }
        }
    }
    return on_way;
}

// The work of a block between two barriers.
struct Epoch {
    std::uint32_t number = 0;
    bool stores_shared = false;
    bool computes = false;
};

std::vector<Epoch> epochs_of(const Trace& trace, const SegmentRange& range,
                             const std::vector<bool>& way_of_c, std::uint64_t first_record,
                             bool& barriers) {
    std::vector<Epoch> epochs;
    std::unordered_map<std::uint16_t, CopyGroups<std::uint64_t>> copies;  // by warp
    barriers = false;
    for (std::size_t segment = range.first; segment < range.last; ++segment) {
        const std::uint32_t number = trace.segments.epoch[segment];
        if (epochs.empty() || epochs.back().number != number) epochs.push_back({.number = number});
        for (const std::uint64_t record : records_of(trace.segments, segment)) {
            const Kind kind = kind_of(trace, record);
            const Operation operation = site_at(trace, record).operation;
            CopyGroups<std::uint64_t>& its = copies[trace.segments.warp[segment]];
            if (operation == Operation::kCopyStore) its.start(record);
            if (operation == Operation::kCommitCopies) its.commit();
            // A copy has stored its data when it has been waited for.
            bool arrives = operation == Operation::kWaitPhase;
            if (operation == Operation::kWaitCopies)
                its.wait(trace.records.base[record], [&](std::uint64_t) { arrives = true; });
            const bool stores_tile = kind == Kind::kSharedStore && !way_of_c[record - first_record];
            epochs.back().stores_shared |= stores_tile || arrives;
            epochs.back().computes |= kind == Kind::kMultiplyAdd;
            barriers |= operation == Operation::kBarrier;
        }
    }
    return epochs;
}

// The phase of each epoch. If the current phase has computed, a phase begins at an epoch that
// stores to shared memory, or that computes after an epoch that stored to shared memory (a
// prefetch) or did not compute. Epochs after the last computing one belong to the last phase.
std::vector<std::uint32_t> phase_of_epochs(const std::vector<Epoch>& epochs) {
    std::size_t computing_end = 0;  // one past the last computing epoch
    for (std::size_t i = 0; i < epochs.size(); ++i) {
        if (epochs[i].computes) computing_end = i + 1;
    }
    std::vector<std::uint32_t> phases(epochs.size(), 0);
    std::uint32_t phase = 0;
    bool computed = false;  // the current phase has computed
    for (std::size_t i = 0; i < epochs.size(); ++i) {
        const Epoch& epoch = epochs[i];
        const bool computes_on_new_tile =
            i > 0 && epoch.computes && (epochs[i - 1].stores_shared || !epochs[i - 1].computes);
        if (computed && i < computing_end && (epoch.stores_shared || computes_on_new_tile)) {
            ++phase;
            computed = false;
        }
        computed |= epoch.computes;
        phases[i] = phase;
    }
    return phases;
}

// Assigns the part of every record of one warp, in its program order.
//
// A global load belongs to a tile if a store or a block barrier of the warp comes before its next
// multiply-add: it is of the load part. Otherwise it loads an operand. That is of the compute part
// if the block copies tiles to shared memory (outer_product loads B like this), else of the load
// part.
class PartsOfWarp {
  public:
    PartsOfWarp(const Trace& trace, BlockPhases& block, bool stages_tiles,
                const std::vector<bool>& way_of_c)
        : trace_(trace), block_(block), stages_tiles_(stages_tiles), way_of_c_(way_of_c) {}

    void add(std::uint64_t record, bool epoch_computes) {
        const std::uint64_t row = record - block_.first_record;
        if (way_of_c_[row]) {
            set(row, Part::kStore);
            return;
        }
        switch (kind_of(trace_, record)) {
            case Kind::kGlobalLoad:
                set(row, Part::kLoad);
                loads_.push_back(row);
                return;
            case Kind::kSharedStore:
                set(row, Part::kLoad);
                loads_.clear();
                return;
            case Kind::kSharedLoad:
                set(row, Part::kCompute);
                return;
            case Kind::kMultiplyAdd:
                for (const std::uint64_t load : loads_) {
                    if (stages_tiles_) set(load, Part::kCompute);
                }
                loads_.clear();
                set(row, Part::kCompute);
                return;
            case Kind::kGlobalStore:
                set(row, Part::kStore);
                loads_.clear();
                return;
            case Kind::kCopies:
                set(row, Part::kLoad);
                return;
            case Kind::kBarrier:
            case Kind::kOther:
                add_barrier(record, row, epoch_computes);
                return;
        }
    }
    void begin_segment() { first_in_segment_ = true; }

  private:
    void set(std::uint64_t row, Part part) {
        block_.part[row] = part;
        if (row >= last_row_) {
            last_row_ = row;
            first_in_segment_ = false;
        }
    }
    // Barriers and kOther have the part of the record before them.
    void add_barrier(std::uint64_t record, std::uint64_t row, bool epoch_computes) {
        Part part = epoch_computes ? Part::kCompute : Part::kLoad;
        if (!first_in_segment_) part = block_.part[last_row_];
        set(row, part);
        if (site_at(trace_, record).operation == Operation::kBarrier) loads_.clear();
    }

    const Trace& trace_;
    BlockPhases& block_;
    bool stages_tiles_;
    const std::vector<bool>& way_of_c_;  // by row
    std::vector<std::uint64_t> loads_;   // rows of global loads whose values are not used yet
    std::uint64_t last_row_ = 0;
    bool first_in_segment_ = true;
};

void assign_parts(const Trace& trace, const SegmentRange& range, const std::vector<Epoch>& epochs,
                  const std::vector<bool>& way_of_c, BlockPhases& block) {
    const bool stages_tiles = block.barriers && std::ranges::any_of(epochs, &Epoch::stores_shared);
    std::unordered_map<std::uint16_t, PartsOfWarp> warps;
    std::size_t epoch = 0;
    for (std::size_t segment = range.first; segment < range.last; ++segment) {
        while (epochs[epoch].number != trace.segments.epoch[segment]) ++epoch;
        PartsOfWarp& warp = warps
                                .try_emplace(trace.segments.warp[segment],
                                             PartsOfWarp(trace, block, stages_tiles, way_of_c))
                                .first->second;
        warp.begin_segment();
        for (const std::uint64_t record : records_of(trace.segments, segment))
            warp.add(record, epochs[epoch].computes);
    }
}

// Without the barrier that ends an iteration of the loop, a warp continues with the next one: what
// it loads into shared memory after all its multiply-adds between two barriers belongs to the next
// phase. This is found lane by lane, because lanes may run one after another.
void move_on_to_next_phase(const Trace& trace, std::uint64_t first, std::uint64_t last,
                           BlockPhases& block) {
    const auto lanes_of = [&](std::uint64_t record) {
        return trace.patterns[trace.records.pattern[record]].mask;
    };
    std::vector<std::uint64_t>
        after;  // records after all multiply-adds of their lanes, newest first
    std::uint32_t multiply = 0, stored = 0;  // lanes
    for (std::uint64_t record = last; record-- > first;) {
        const Kind kind = kind_of(trace, record);
        const std::uint32_t lanes = lanes_of(record);
        if (kind == Kind::kMultiplyAdd) multiply |= lanes;
        if (kind == Kind::kMultiplyAdd || (lanes & multiply) != 0) continue;
        if (kind == Kind::kSharedStore) stored |= lanes;
        after.push_back(record);
    }
    for (const std::uint64_t record : after) {
        const std::uint64_t row = record - block.first_record;
        const std::uint32_t lanes = lanes_of(record);
        const bool loads = block.part[row] == Part::kLoad && (lanes & stored) != 0;
        if (loads && (lanes & ~multiply) == 0) ++block.phase[row];
    }
}

void assign_phases_by_epoch(const Trace& trace, const SegmentRange& range,
                            const std::vector<Epoch>& epochs, BlockPhases& block) {
    const std::vector<std::uint32_t> phases = phase_of_epochs(epochs);
    std::size_t segment = range.first;
    for (std::size_t epoch = 0; epoch < epochs.size(); ++epoch) {
        const std::size_t first = segment;
        for (; segment < range.last && trace.segments.epoch[segment] == epochs[epoch].number;
             ++segment)
            for (const std::uint64_t record : records_of(trace.segments, segment))
                block.phase[record - block.first_record] = phases[epoch];
        const bool may_move =
            epochs[epoch].computes && epochs[epoch].stores_shared && phases[epoch] < phases.back();
        if (!may_move || !overwrites_what_it_loads(trace, first, segment)) continue;
        for (std::size_t i = first; i < segment; ++i)
            move_on_to_next_phase(trace, trace.segments.record_begin[i],
                                  trace.segments.record_begin[i + 1], block);
    }
    block.count = phases.back() + 1;
}

// The mbarrier phases that bulk copies complete.
std::unordered_set<std::uint32_t> phases_with_boxes(const Trace& trace, std::uint64_t first,
                                                    std::uint64_t last) {
    std::unordered_set<std::uint32_t> phases;
    for (std::uint64_t record = first; record < last; ++record)
        if (site_at(trace, record).operation == Operation::kStartBulkCopy)
            phases.insert(trace.records.base[record]);
    return phases;
}

// If tiles arrive as boxes, a phase of a warp begins where it waits for them: the first wait for
// each barrier phase begins another trip of its loop.
void assign_phases_by_boxes(const Trace& trace, const SegmentRange& range,
                            const std::unordered_set<std::uint32_t>& boxes, BlockPhases& block) {
    struct Warp {
        std::unordered_map<std::uint32_t, std::uint32_t> phase_of;  // by barrier phase
        std::uint32_t phase = 0;
    };
    std::unordered_map<std::uint16_t, Warp> warps;
    for (std::size_t segment = range.first; segment < range.last; ++segment) {
        Warp& warp = warps[trace.segments.warp[segment]];
        for (const std::uint64_t record : records_of(trace.segments, segment)) {
            const std::uint32_t base = trace.records.base[record];
            if (site_at(trace, record).operation == Operation::kWaitPhase && boxes.contains(base))
                warp.phase =
                    warp.phase_of
                        .try_emplace(base, static_cast<std::uint32_t>(warp.phase_of.size()))
                        .first->second;
            block.phase[record - block.first_record] = warp.phase;
            block.count = std::max(block.count, warp.phase + 1);
        }
    }
}

// In a kernel that is not a product each epoch is a phase, because only its barriers show phases.
// Loads from global memory and stores to shared memory are the load part.
void assign_plainly(const Trace& trace, const SegmentRange& range, BlockPhases& block) {
    const std::uint32_t first_epoch = trace.segments.epoch[range.first];
    std::unordered_map<std::uint16_t, Part> part_of_warp;
    for (std::size_t segment = range.first; segment < range.last; ++segment) {
        const std::uint32_t phase = trace.segments.epoch[segment] - first_epoch;
        block.count = std::max(block.count, phase + 1);
        Part& part =
            part_of_warp.try_emplace(trace.segments.warp[segment], Part::kLoad).first->second;
        for (const std::uint64_t record : records_of(trace.segments, segment)) {
            const Kind kind = kind_of(trace, record);
            if (kind == Kind::kGlobalLoad || kind == Kind::kSharedStore || kind == Kind::kCopies)
                part = Part::kLoad;
            if (kind == Kind::kSharedLoad || kind == Kind::kMultiplyAdd) part = Part::kCompute;
            if (kind == Kind::kGlobalStore) part = Part::kStore;
            block.phase[record - block.first_record] = phase;
            block.part[record - block.first_record] = part;
        }
    }
}

// Whether the block barrier was left out. The kernel still stages its tiles in shared memory.
bool left_out_block_barrier(const Trace& trace) {
    const std::uint32_t line = trace.launch.removed_barrier;
    return line != 0 && source_line(trace, line).find("__syncthreads(") != std::string_view::npos;
}

}  // namespace

BlockPhases phases_of_block(const Trace& trace, std::uint32_t block_number) {
    BlockPhases block;
    block.block = block_number;
    const SegmentRange range = segments_of_block(trace, block_number);
    if (range.first >= range.last) return block;
    block.first_record = trace.segments.record_begin[range.first];
    const std::uint64_t records = trace.segments.record_begin[range.last] - block.first_record;
    block.phase.resize(records);
    block.part.resize(records);
    const std::vector<bool> way_of_c = find_way_of_c(trace, range, block);
    const std::vector<Epoch> epochs =
        epochs_of(trace, range, way_of_c, block.first_record, block.barriers);
    block.barriers |= left_out_block_barrier(trace);
    if (!trace.product) {
        assign_plainly(trace, range, block);
        return block;
    }
    assign_parts(trace, range, epochs, way_of_c, block);
    const std::unordered_set<std::uint32_t> boxes =
        phases_with_boxes(trace, block.first_record, block.first_record + records);
    if (!boxes.empty()) {
        assign_phases_by_boxes(trace, range, boxes, block);
        return block;
    }
    if (block.barriers) {
        assign_phases_by_epoch(trace, range, epochs, block);
        return block;
    }
    const auto assign =
        trace.launch.order == ThreadOrder::kLanes ? assign_trips_lane_by_lane : assign_trips;
    for (std::size_t segment = range.first; segment < range.last; ++segment) {
        const std::uint64_t first = trace.segments.record_begin[segment];
        const std::uint64_t last = trace.segments.record_begin[segment + 1];
        const std::uint32_t trips =
            assign(trace, first, last,
                   std::span(block.phase).subspan(first - block.first_record, last - first));
        block.count = std::max(block.count, trips);
    }
    return block;
}

}  // namespace tilereel
