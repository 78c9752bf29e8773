#include "app/replay/sentence/sentence_facts.h"

#include <bit>
#include <numeric>
#include <optional>

#include "app/replay/model.h"
#include "instrumentation/base/check.h"
#include "instrumentation/trace/stopped_warps.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

std::uint32_t distinct(std::vector<std::uint32_t>& values) {
    if (!std::ranges::is_sorted(values)) std::ranges::sort(values);
    return static_cast<std::uint32_t>(std::ranges::unique(values).begin() - values.begin());
}

// The member of their elements that all lanes access; empty if they access several.
std::string member_of(const Array& array, const LaneOffsets& lanes, std::uint32_t width_bytes) {
    if (width_bytes > value_bytes(array) || width_bytes >= array.element_bytes) return {};
    std::optional<std::uint32_t> inside;
    for (const std::uint32_t lane : lanes_in(lanes.mask)) {
        const std::uint32_t at = (lanes.bytes[lane] - array.base_bytes) % array.element_bytes;
        if (inside.value_or(at) != at) return {};
        inside = at;
    }
    return inside ? array.member_at(*inside) : std::string();
}

// Adds the elements, rows and words that the request accesses.
void add_place(const Trace& trace, const RequestState& request, const Site& site,
               StepFacts& facts) {
    const Array& array = trace.arrays[site.array];
    std::vector<std::uint32_t> elements, rows, columns, words;
    const std::size_t most = kWarpSize * std::max(site.width_bytes / value_bytes(array), 1u);
    for (auto* each : {&elements, &rows, &columns, &words}) each->reserve(most);
    for_each_value(request.access.lanes, array, site.width_bytes,
                   [&](std::uint32_t, std::uint32_t, std::uint32_t offset) {
                       const Element at = element_at(array, offset);
                       include(facts.cells, at);
                       elements.push_back(static_cast<std::uint32_t>(array.index_of(at)));
                       rows.push_back(at.row);
                       columns.push_back(at.column);
                       words.push_back(offset / 4);
                   });
    facts.elements = distinct(elements);
    facts.member = member_of(array, request.access.lanes, site.width_bytes);
    facts.rows_touched = distinct(rows);
    facts.columns_touched = distinct(columns);
    facts.words = distinct(words);
    facts.bytes_touched = facts.words * 4;
    const bool shared = array.space == Space::kShared;
    facts.whole_rows = shared && facts.cells.column0 == 0 && facts.cells.column1 == array.columns;
    facts.plane = plane_of(array, facts.cells.row0);
    facts.in_one_plane = array.planes() > 1 && !facts.cells.empty() &&
                         facts.plane == plane_of(array, facts.cells.row1 - 1);
    const std::uint32_t height = facts.in_one_plane ? array.rows_of_plane() : array.rows;
    facts.whole_columns = shared && facts.cells.row0 % std::max(height, 1u) == 0 &&
                          facts.cells.row1 - facts.cells.row0 == height;
    const std::uint32_t area =
        (facts.cells.row1 - facts.cells.row0) * (facts.cells.column1 - facts.cells.column0);
    facts.whole_array = facts.whole_rows && facts.whole_columns && facts.elements == area;
}

void add_cost(const RequestState& request, StepFacts& facts) {
    facts.lanes = request.cost.lanes;
    facts.width_bytes = request.access.width_bytes;
    facts.bytes_requested = request.cost.bytes_requested;
    facts.bytes_moved = request.cost.bytes_moved;
    facts.transactions = request.cost.transactions;
    facts.wavefronts = request.cost.wavefronts;
    facts.ideal_wavefronts = request.cost.ideal_wavefronts;
    facts.banks = request.service.banks_used;
    facts.groups = static_cast<std::uint32_t>(request.words.groups.size());
    facts.lanes_together = request.words.lanes_together;
    facts.operation = request.access.operation;
    facts.merged = request.words.merged;
    const auto& in_bank = request.service.words_in_bank;
    const auto worst = std::ranges::max_element(in_bank);
    facts.worst_bank = static_cast<std::uint32_t>(worst - in_bank.begin());
    facts.worst_words = *worst;
    facts.one_broadcast = std::ranges::all_of(request.service.worst_group_words,
                                              [](std::uint8_t words) { return words <= 1; });
}

Verb verb_of(const Trace& trace, const Site& site) {
    const bool shared = trace.arrays[site.array].space == Space::kShared;
    if (site.operation == Operation::kAtomic) return Verb::kChanges;
    if (trace.arrays[site.array].space == Space::kConstant) return Verb::kFetches;
    if (reads(site.operation)) return shared ? Verb::kReads : Verb::kLoads;
    return shared ? Verb::kStores : Verb::kWrites;
}

void add_copy(const Trace& trace, const Step& step, StepFacts& facts) {
    facts.asynchronous = true;
    facts.box = std::ranges::any_of(trace.sites, [&](const Site& site) {
        return site.operation == Operation::kStartBulkCopy &&
               site.line == trace.sites[step.site].line;
    });
    facts.copied_to = target_of_copy(trace, step);
}

// The work of a warp in an epoch.
struct SegmentWork {
    std::vector<SharedTile> stored;  // ascending
    bool multiplied = false;
};

SegmentWork work_of(const Trace& trace, std::size_t segment) {
    dcheck(segment < trace.segments.size());
    SegmentWork work;
    for (const std::uint64_t record : records_of(trace.segments, segment)) {
        const Site& site = site_at(trace, record);
        if (site.operation == Operation::kMultiplyAdd) work.multiplied = true;
        if (site.operation != Operation::kStore || !accesses(trace, site)) continue;
        const Array& array = trace.arrays[site.array];
        if (array.space != Space::kShared) continue;
        const auto note = [&](std::uint32_t plane) {
            const SharedTile tile{site.array, plane};
            if (std::ranges::find(work.stored, tile) == work.stored.end())
                work.stored.push_back(tile);
        };
        if (array.planes() == 1) {
            note(0);
            continue;
        }
        for_each_word(lane_offsets(trace, record), 1,
                      [&](std::uint32_t, std::uint32_t, std::uint32_t offset) {
                          note(plane_of(array, element_at(array, offset).row));
                      });
    }
    std::ranges::sort(work.stored);
    return work;
}

// The number of distinct elements of a shared tile that a segment stores.
std::uint32_t elements_stored(const Trace& trace, std::size_t segment, const SharedTile& tile) {
    dcheck(segment < trace.segments.size());
    const Array& array = trace.arrays[tile.array];
    const std::uint32_t size = std::max(array.element_bytes, 1u);
    std::vector<std::uint32_t> elements;
    for (const std::uint64_t record : records_of(trace.segments, segment)) {
        const Site& site = site_at(trace, record);
        if (site.operation != Operation::kStore || site.array != tile.array) continue;
        const LaneOffsets lanes = lane_offsets(trace, record);
        for (std::uint32_t mask = lanes.mask; mask != 0; mask &= mask - 1) {
            const std::uint32_t begin =
                lanes.bytes[static_cast<std::size_t>(std::countr_zero(mask))];
            for (std::uint32_t byte = begin; byte < begin + site.width_bytes; byte += size)
                if (plane_of(array, element_at(array, byte).row) == tile.plane)
                    elements.push_back((byte - array.base_bytes) / size);
        }
    }
    return distinct(elements);
}

void add_share(const Trace& trace, std::size_t segment, const SharedUses& uses, std::uint32_t phase,
               WaitingFacts& waiting) {
    dcheck(segment < trace.segments.size());
    for (const SharedTile& tile : waiting.stored) {
        const std::uint32_t stored = elements_stored(trace, segment, tile);
        const std::uint32_t whole = uses.expected_of(phase, tile.array, tile.plane);
        const std::uint32_t divisor = std::gcd(stored, whole);
        if (divisor == 0) return;
        const std::uint32_t numerator = stored / divisor, denominator = whole / divisor;
        const bool first = tile == waiting.stored.front();
        if (!first &&
            (numerator != waiting.share_numerator || denominator != waiting.share_denominator)) {
            waiting.share_numerator = waiting.share_denominator = 0;
            return;
        }
        waiting.share_numerator = numerator;
        waiting.share_denominator = denominator;
    }
}

// The values that the request in flight stores to shared memory without having loaded them.
UnloadedFacts unloaded(const ReplayModel& model) {
    const Trace& trace = model.trace;
    const RequestState& request = model.state.request;
    UnloadedFacts result;
    if (!model.origins.any_unloaded()) return result;
    const Step& step = model.schedule.steps[model.at.step];
    const Site& site = trace.sites[step.site];
    std::uint32_t stored = model.at.words_stored;
    bool known = true;
    for_each_word(request.access.lanes, words_of(site),
                  [&](std::uint32_t lane, std::uint32_t word, std::uint32_t offset) {
                      if (model.lifetimes.words[stored++].loaded) return;
                      const float value = request.lanes[lane].value;
                      const bool first = result.lanes.empty();
                      if (first) result.value = value;
                      result.same_value =
                          (first || result.same_value) && word == 0 && value == result.value;
                      const ArrayId beyond = model.origins.beyond_edge(
                          trace, step, site.array, element_at(trace.arrays[site.array], offset));
                      known = known && beyond != kNoArray && (first || beyond == result.beyond);
                      result.beyond = beyond;
                      if (first || result.lanes.back() != lane)
                          result.lanes.push_back(static_cast<std::uint16_t>(lane));
                  });
    if (!known) result.beyond = kNoArray;
    return result;
}

// Whether every element that the request in flight writes to C got a multiply-add before.
bool writes_sums(const ReplayModel& model) {
    const Trace& trace = model.trace;
    const RequestState& request = model.state.request;
    const Site& site = trace.sites[model.schedule.steps[model.at.step].site];
    bool summed = true;
    for_each_element(request.access.lanes, trace.arrays[site.array], site.width_bytes,
                     [&](std::uint32_t, std::uint32_t, Element at_element) {
                         const std::uint32_t index = model.sums.index(at_element);
                         summed = summed && index != kNoElement &&
                                  model.at.sums[index].multiply_adds > 0;
                     });
    return summed;
}

void add_off_lanes(const ReplayModel& model, const Step& step, StepFacts& facts) {
    const Site& site = model.trace.sites[step.site];
    facts.line = site.line;
    facts.file = site.file;
    // All lanes take part in a matrix load or store; some give no address.
    // A product's reads have no lanes.
    if (site.operation == Operation::kCopyStore || is_matrix_access(site.operation) ||
        site.is_of_product())
        return;
    const auto& begins = model.trace.segments.record_begin;
    const SegmentRange range = model.schedule.epochs[step.epoch].segments;
    const auto found =
        std::upper_bound(begins.begin() + static_cast<std::ptrdiff_t>(range.first),
                         begins.begin() + static_cast<std::ptrdiff_t>(range.last), step.record);
    facts.off =
        model.off_lanes.find(static_cast<std::size_t>(found - begins.begin()) - 1, step.record);
}

void add_product_read(const ReplayModel& model, std::uint32_t step, StepFacts& facts) {
    const auto number = model.warpgroups.read_by(step);
    if (!number) return;
    const GroupProduct& product = model.warpgroups.products()[*number];
    const Step& its = model.schedule.steps[step];
    const auto [m, n, k] = product.product.shape;
    const bool of_a =
        model.trace.sites[its.site].variety == static_cast<std::uint8_t>(AccessKind::kFactorA);
    facts.product_read =
        ProductReadFacts{.of_a = of_a,
                         .rows = of_a ? m : k,
                         .columns = of_a ? k : n,
                         .is_last = product.reads[its.warp % product.reads.size()].back() == step,
                         .wait_line = product.wait_line};
}

// The warps that wait at the barrier, and what they have done.
WaitingFacts waiting(const ReplayModel& model) {
    const Trace& trace = model.trace;
    WaitingFacts result;
    if (!model.state.at_barrier || model.at.epochs_begun == 0) return result;
    const SegmentRange range = model.schedule.epochs[model.at.epochs_begun - 1].segments;
    std::size_t last_waiting = range.first;
    bool first = true;
    for (std::size_t segment = range.first; segment < range.last; ++segment) {
        const std::uint16_t warp = trace.segments.warp[segment];
        if (model.at.warps[warp].activity != Activity::kWaitsAtBarrier) continue;
        const SegmentWork work = work_of(trace, segment);
        result.warps.push_back(warp);
        last_waiting = segment;
        if (first) {
            result.stored = work.stored;
            result.multiplied = work.multiplied;
        } else {
            if (result.stored != work.stored) result.stored.clear();
            result.multiplied = result.multiplied && work.multiplied;
        }
        first = false;
    }
    if (result.warps.size() == 1)
        add_share(trace, last_waiting, model.shared_uses, model.state.phase, result);
    return result;
}

}  // namespace

SharedTile target_of_copy(const Trace& trace, const Step& step) {
    const bool begins = trace.sites[step.site].operation == Operation::kCopyLoad;
    const std::uint64_t writes = begins ? step.record + 1 : step.record;
    SharedTile tile;
    tile.array = site_at(trace, writes).array;
    const Array& array = trace.arrays[tile.array];
    tile.plane = plane_of(array, element_at(array, trace.records.base[writes]).row);
    return tile;
}

StepFacts facts_of(const ReplayModel& model) {
    const Trace& trace = model.trace;
    const ReplayState& state = model.state;
    StepFacts facts;
    facts.block = model.block;
    facts.phases = model.rounds.empty() ? model.schedule.phases : 0;
    facts.ticks = model.schedule.ticks;
    facts.complete = is_block_complete(trace, model.block);
    facts.chosen = is_chosen(trace, model.block);
    if (model.schedule.steps.empty()) return facts;
    if (state.step == kNoStep) {
        facts.verb = model.before_first ? Verb::kNotBegun : Verb::kEnded;
        for (const PartialSum& sum : state.sums) facts.c_elements += sum.stored;
        return facts;
    }
    const Step& step = model.schedule.steps[state.step];
    const Site& site = trace.sites[step.site];
    facts.verb = verb_of(trace, site);
    facts.warp = step.warp;
    facts.array = site.array;
    add_place(trace, state.request, site, facts);
    add_cost(state.request, facts);
    if (is_copy(site.operation)) add_copy(trace, step, facts);
    if (is_matrix_access(site.operation))
        if (const auto plain = plain_rows(state.request.access, model.generation)) {
            facts.plain_wavefronts = plain->cost.wavefronts;
            facts.placement = plain->recorded;
        }
    for (const std::uint32_t product : model.tensor.products_at(state.step))
        facts.products += model.tensor.products()[product].step == state.step ? 1 : 0;
    add_product_read(model, state.step, facts);
    add_off_lanes(model, step, facts);
    facts.unit = model.generation.global.unit;
    facts.units = model.generation.global.units;
    if (facts.verb == Verb::kLoads) {
        facts.copies = model.departs[state.step];
        facts.whole_tile = facts.cells == model.regions.touched(site.array, step.phase);
    }
    if (facts.verb == Verb::kChanges) {
        facts.atomic = site.atomic();
        facts.collisions = state.request.cost.collisions;
    }
    if (facts.verb == Verb::kWrites && site.array == matrices_of(trace).c)
        facts.sums = writes_sums(model);
    if (facts.verb == Verb::kStores && trace.product) facts.unloaded = unloaded(model);
    facts.waiting = waiting(model);
    return facts;
}

}  // namespace tilereel
