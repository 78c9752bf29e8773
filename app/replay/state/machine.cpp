#include "app/replay/state/machine.h"

#include <limits>

#include "instrumentation/base/check.h"

namespace tilereel {
namespace {

constexpr std::size_t kNeverRan = ~std::size_t{0};

Activity activity_of(const Trace& trace, const Site& site) {
    const bool shared = trace.arrays[site.array].space != Space::kGlobal;
    if (site.operation == Operation::kCopyStore) return Activity::kWaitsForCopy;
    if (site.operation == Operation::kAtomic)
        return shared ? Activity::kComputes : Activity::kStores;
    if (site.operation == Operation::kStore) return shared ? Activity::kLoads : Activity::kStores;
    return shared ? Activity::kComputes : Activity::kLoads;
}

// Whether begin_step() marked the words of a copy's store: a box of zeros alone has no step that
// begins it.
bool begins_with_a_load(const Trace& trace, std::uint64_t store) {
    while (brings_zeros(trace, store)) {
        if (store == 0 || site_at(trace, store - 1).operation != Operation::kCopyStore)
            return false;
        --store;
    }
    return true;
}

}  // namespace

Machine::Machine(const Trace& trace, const BlockRecords& records, const Schedule& schedule,
                 const SumMap& sums)
    : trace_(trace),
      records_(records),
      schedule_(schedule),
      sums_(sums),
      last_segment_(trace.launch.warps(), kNeverRan),
      shared_words_(shared_words_of(trace)) {
    for (std::size_t segment = records.segments.first; segment < records.segments.last; ++segment) {
        const std::uint16_t warp = trace.segments.warp[segment];
        if (warp >= last_segment_.size()) last_segment_.resize(warp + std::size_t{1}, kNeverRan);
        last_segment_[warp] = segment;
    }
}

BlockState Machine::start() const {
    BlockState state = before_first();
    begin_step(state);
    return state;
}

BlockState Machine::before_first() const {
    BlockState state;
    state.words.resize(shared_words_);
    state.warps.resize(last_segment_.size());
    state.sums.resize(sums_.size());
    for (std::size_t warp = 0; warp < state.warps.size(); ++warp)
        if (last_segment_[warp] == kNeverRan) state.warps[warp].activity = Activity::kDone;
    begin_epochs(state);
    return state;
}

void Machine::advance(BlockState& state) const {
    if (state.step >= schedule_.steps.size()) return;
    const Step& step = schedule_.steps[state.step];
    const Site& site = trace_.sites[step.site];
    if (writes(site.operation)) store(state, step.record);
    const std::uint64_t deferred_end = schedule_.deferred_end[state.step];
    for (std::uint64_t record = schedule_.deferred_begin[state.step]; record < deferred_end;
         ++record)
        multiply_add(state, record, step.warp);
    const std::size_t segment = records_.segments.first + schedule_.segment[state.step];
    if (deferred_end == trace_.segments.record_begin[segment + 1])
        finish_segment(state, segment);
    else
        stop_at_wait(state, deferred_end, step.warp);
    ++state.step;
    begin_epochs(state);
    begin_step(state);
}

// Begins every epoch whose first request is the next step. There are several if an epoch has no
// requests.
void Machine::begin_epochs(BlockState& state) const {
    while (state.epochs_begun < schedule_.epochs.size() &&
           schedule_.epochs[state.epochs_begun].first_step == state.step) {
        begin_epoch(state, schedule_.epochs[state.epochs_begun]);
        ++state.epochs_begun;
    }
    if (state.step < schedule_.steps.size()) return;
    for (WarpState& warp : state.warps) warp.activity = Activity::kDone;
}

void Machine::begin_epoch(BlockState& state, const EpochSpan& epoch) const {
    state.arrived = 0;
    for (WarpState& warp : state.warps) {
        if (warp.activity == Activity::kWaitsAtBarrier) warp.activity = Activity::kReady;
        warp.arrival = 0;
    }
    for (std::size_t segment = epoch.segments.first; segment < epoch.segments.last; ++segment) {
        const std::uint64_t begin = trace_.segments.record_begin[segment];
        const std::uint64_t lead_end = schedule_.lead_end[segment - records_.segments.first];
        const std::uint16_t warp = trace_.segments.warp[segment];
        state.warps[warp].activity = Activity::kReady;
        for (std::uint64_t record = begin; record < lead_end; ++record)
            multiply_add(state, record, warp);
        if (lead_end == trace_.segments.record_begin[segment + 1])
            finish_segment(state, segment);
        else
            stop_at_wait(state, lead_end, warp);
    }
}

void Machine::begin_step(BlockState& state) const {
    if (state.step >= schedule_.steps.size()) return;
    const Step& step = schedule_.steps[state.step];
    const Site& site = trace_.sites[step.site];
    WarpState& warp = state.warps[step.warp];
    warp.activity = activity_of(trace_, site);
    warp.line = site_at(trace_, schedule_.runs_at[state.step]).line;
    warp.step = state.step;
    if (site.operation != Operation::kCopyLoad) return;
    begin_copy(state, step.record + 1);
    for (std::uint64_t zeros = step.record + 2;
         zeros < records_.last && brings_zeros(trace_, zeros); ++zeros)
        begin_copy(state, zeros);
}

// If the warp's next record is a wait for copies, the warp waits until they arrive.
void Machine::stop_at_wait(BlockState& state, std::uint64_t record, std::uint16_t warp) const {
    dcheck(record < trace_.records.size());
    const Site& site = site_at(trace_, record);
    if (site.operation != Operation::kWaitCopies && site.operation != Operation::kWaitPhase) return;
    state.warps[warp].activity = Activity::kWaitsForCopy;
    state.warps[warp].line = site.line;
}

// Marks the words that the copy will write. Until the step of that write, no thread may touch them.
void Machine::begin_copy(BlockState& state, std::uint64_t record) const {
    dcheck(record < trace_.records.size());
    for_each_word(lane_offsets(trace_, record), words_of(site_at(trace_, record)),
                  [&](std::uint32_t, std::uint32_t, std::uint32_t offset) {
                      if (offset / 4 < state.words.size())
                          ++state.words[offset / 4].copies_under_way;
                  });
}

// The warp has no more records in this epoch: it waits at the barrier, or has returned.
void Machine::finish_segment(BlockState& state, std::size_t segment) const {
    dcheck(segment < trace_.segments.size());
    const std::uint64_t begin = trace_.segments.record_begin[segment];
    const std::uint64_t end = trace_.segments.record_begin[segment + 1];
    const std::uint16_t warp_number = trace_.segments.warp[segment];
    WarpState& warp = state.warps[warp_number];
    const bool at_barrier =
        end > begin && site_at(trace_, end - 1).operation == Operation::kBarrier;
    if (at_barrier) {
        warp.activity = Activity::kWaitsAtBarrier;
        warp.line = site_at(trace_, end - 1).line;
        warp.arrival = state.arrived++;
    } else if (last_segment_[warp_number] == segment) {
        warp.activity = Activity::kDone;
    }
}

void Machine::store(BlockState& state, std::uint64_t record) const {
    dcheck(record < trace_.records.size());
    const Site& site = site_at(trace_, record);
    const Array& array = trace_.arrays[site.array];
    if (array.space != Space::kShared && site.array != matrices_of(trace_).c) return;
    if (array.space != Space::kShared) return store_sums(state, record);
    const std::span<const std::uint32_t> values = words_of_record(trace_, records_, record);
    const bool begun = is_copy(site.operation) && begins_with_a_load(trace_, record);
    std::size_t next = 0;
    for_each_word(
        lane_offsets(trace_, record), words_of(site),
        [&](std::uint32_t, std::uint32_t, std::uint32_t offset) {
            const std::uint32_t value = next < values.size() ? values[next++] : kUnknownWord;
            const std::uint32_t stored = state.words_stored++;
            if (offset / 4 >= state.words.size()) return;
            SharedWord& word = state.words[offset / 4];
            word.bits = with_bytes(word.bits, offset, site.width_bytes, value);
            word.bytes_written |=
                site.width_bytes >= 4 ? 15u : ((1u << site.width_bytes) - 1) << offset % 4;
            word.stored = stored;
            if (begun) --word.copies_under_way;
        });
}

// Stores the elements of C that a record writes.
void Machine::store_sums(BlockState& state, std::uint64_t record) const {
    dcheck(record < trace_.records.size());
    const Site& site = site_at(trace_, record);
    const Array& array = trace_.arrays[site.array];
    const LaneOffsets lanes = lane_offsets(trace_, record);
    const KeptNumbers numbers(words_of_record(trace_, records_, record), array.type,
                              site.width_bytes);
    for_each_element(
        lanes, array, site.width_bytes, [&](std::uint32_t lane, std::uint32_t value, Element at) {
            const std::uint32_t index = sums_.index(at);
            if (index == kNoElement) return;
            const auto number = numbers.at(lane_index(lanes, lane), value);
            state.sums[index].value =
                static_cast<float>(number.value_or(std::numeric_limits<double>::quiet_NaN()));
            state.sums[index].stored = true;
        });
}

// Takes any record; only multiply-adds change the state.
void Machine::multiply_add(BlockState& state, std::uint64_t record, std::uint16_t warp) const {
    dcheck(record < trace_.records.size());
    const Site& site = site_at(trace_, record);
    if (site.operation != Operation::kMultiplyAdd) return;
    if (state.warps[warp].activity != Activity::kReady)
        state.warps[warp].activity = Activity::kComputes;
    const LaneOffsets lanes = lane_offsets(trace_, record);
    const KeptNumbers numbers(words_of_record(trace_, records_, record), type_of_sum(trace_, site),
                              site.width_bytes);
    for_each_word(lanes, 1, [&](std::uint32_t lane, std::uint32_t, std::uint32_t accumulator) {
        const std::uint32_t index =
            sums_.element_of(std::uint32_t{warp} * kWarpSize + lane, accumulator, record);
        if (index == kNoElement) return;
        ++state.sums[index].multiply_adds;
        if (const auto number = numbers.at(lane_index(lanes, lane), 0))
            state.sums[index].value = static_cast<float>(*number);
    });
}

}  // namespace tilereel
