#include "app/stage/plan/plan.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "app/replay/elements.h"
#include "app/replay/schedule/lane_work.h"
#include "app/replay/state/provenance.h"
#include "app/stage/plan/values.h"

namespace tilereel::stage {
namespace {

ColorRole role_of_name(const std::string& name) {
    const int letter = name.empty() ? 0 : std::toupper(static_cast<unsigned char>(name[0]));
    return letter == 'A'   ? ColorRole::kA
           : letter == 'B' ? ColorRole::kB
           : letter == 'C' ? ColorRole::kC
                           : ColorRole::kNone;
}

ColorRole role_of_tone(Tone tone) {
    return tone == Tone::kA   ? ColorRole::kA
           : tone == Tone::kB ? ColorRole::kB
           : tone == Tone::kC ? ColorRole::kC
                              : ColorRole::kNone;
}

// The list of this phase; empty if there is none.
template <class List>
const List& of_phase(const std::vector<List>& lists, std::uint32_t phase) {
    static const List none;
    return phase < lists.size() ? lists[phase] : none;
}

// When a flight lands in the picture: at the end of its store, or later so that it takes
// kFlightTicks. But it lands before the barrier that waits for it, and before its cell is read or
// overwritten.
double landing(const Replay& replay, const Flight& flight) {
    const std::vector<Step>& steps = replay.schedule().steps;
    const auto barrier =
        std::ranges::lower_bound(replay.schedule().barriers, flight.land, {}, &Barrier::at);
    auto land = static_cast<double>(flight.depart) + kFlightTicks;
    for (const std::uint32_t step : {flight.first_read, flight.replaced})
        if (step < steps.size()) land = std::min(land, static_cast<double>(steps[step].begin));
    if (barrier != replay.schedule().barriers.end())
        land = std::min(land, static_cast<double>(barrier->at));
    return std::max(land, static_cast<double>(flight.land));
}

}  // namespace

bool StagePlan::refresh(const Replay& replay) {
    const Trace& trace = replay.trace();
    if (replay.id() == replay_) return false;
    replay_ = replay.id();
    roles_.clear();
    names_.clear();
    for (ArrayId id = 0; id < trace.arrays.size(); ++id) {
        const Array& array = trace.arrays[id];
        const ColorRole named = trace.product ? role_of_name(array.name) : ColorRole::kNone;
        const bool shared = array.space == Space::kShared;
        roles_.push_back(shared && named != ColorRole::kNone ? named
                                                             : role_of_tone(replay.tone_of(id)));
        names_.push_back(array.name);
    }
    product_ = trace.product;
    spans_.assign(std::max(1u, replay.schedule().phases), {});
    for (const PhaseSpan& span : replay.schedule().spans)
        if (span.phase < spans_.size()) spans_[span.phase].push_back(span);
    plan_flights(replay);
    transfers_.plan(replay, drawn_flights_);
    plan_warps(replay);
    plan_shared(replay);
    const ArrayId c = find("C");
    blocks_ = c == kNoArray ? BlockGrid{} : grid_of_blocks(trace, c);
    map_ = map_of_blocks(blocks_, trace.launch);
    holds_operands_ = !replay.held_operands().empty();
    fragments_ = {};
    if (replay.provenance().lanes_own_tiles()) {
        const LaneWork work = replay.provenance().lane_work(0, 0);
        fragments_ = {static_cast<std::uint32_t>(work.rows.size()),
                      static_cast<std::uint32_t>(work.columns.size()), work.k_of_a, work.k_of_b};
    }
    digits_ = std::max(widest(matrix_of(trace, MatrixRole::kA)),
                       widest(matrix_of(trace, MatrixRole::kB)));
    digits_of_sums_ = widest(matrix_of(trace, MatrixRole::kC));
    return true;
}

void StagePlan::plan_flights(const Replay& replay) {
    const std::vector<Flight>& flights = replay.flights();
    drawn_flights_.assign(flights.size(), {});
    flies_.assign(replay.schedule().steps.size(), false);
    flying_lanes_.assign(replay.schedule().steps.size(), 0);
    by_phase_.assign(std::max(1u, replay.schedule().phases), {});
    held_.assign(by_phase_.size(), {});
    longest_flight_ticks_ = 0;
    std::map<std::pair<ArrayId, std::uint64_t>, std::uint32_t> last;
    for (std::uint32_t i = 0; i < flights.size(); ++i) {
        const Flight& f = flights[i];
        DrawnFlight& drawn_flight = drawn_flights_[i];
        drawn_flight.leave = static_cast<double>(f.depart);
        drawn_flight.land = landing(replay, f);
        drawn_flight.stored_from = static_cast<double>(replay.schedule().steps[f.store_step].begin);
        drawn_flight.phase = replay.schedule().steps[f.load_step].phase;
        longest_flight_ticks_ =
            std::max(longest_flight_ticks_, drawn_flight.land - drawn_flight.leave);
        const std::uint64_t cell = std::uint64_t{f.to_row} << 32 | f.to_column;
        const auto [entry, fresh] = last.try_emplace({f.to, cell}, i);
        if (!fresh) {
            drawn_flight.previous = entry->second;
            drawn_flights_[drawn_flight.previous].next = i;
            entry->second = i;
        }
        flies_[f.load_step] = flies_[f.store_step] = true;
        flying_lanes_[f.store_step] |= 1u << f.lane;
        by_phase_[drawn_flight.phase].push_back(i);
        if (f.first_read == kNoStep) continue;
        for (std::uint32_t phase = drawn_flight.phase + 1; phase <= f.last_read_phase; ++phase)
            held_[phase].push_back(i);
    }
}

bool StagePlan::holds(const Replay& replay, std::uint32_t flight, std::uint32_t step) const {
    const std::vector<Flight>& flights = replay.flights();
    const std::uint32_t next = drawn_flights_[flight].next;
    return flights[flight].store_step < step &&
           (next == kNoIndex || flights[next].store_step >= step);
}

void StagePlan::plan_warps(const Replay& replay) {
    warps_ = std::max(1u, replay.trace().launch.warps());
    epochs_.clear();
    for (const Step& step : replay.schedule().steps) {
        const std::size_t index = std::size_t{step.epoch} * warps_ + step.warp;
        if (index >= epochs_.size()) epochs_.resize(index + 1, {-1, -1});
        TickSpan& span = epochs_[index];
        if (span.begin < 0) span.begin = static_cast<double>(step.begin);
        span.end = std::max(span.end, static_cast<double>(step.end()));
    }
}

void StagePlan::plan_shared(const Replay& replay) {
    const Trace& trace = replay.trace();
    shared_.clear();
    for (std::size_t i = 0; i < trace.arrays.size(); ++i)
        if (trace.arrays[i].space == Space::kShared) shared_.push_back({static_cast<ArrayId>(i)});
    for (std::uint32_t i = 0; i < replay.schedule().steps.size(); ++i) {
        const ArrayId array = trace.sites[replay.schedule().steps[i].site].array;
        for (SharedUse& use : shared_) {
            if (use.array == array) use.conflicts += replay.schedule().costs[i].bank_conflicts;
        }
    }
}

const std::vector<std::uint32_t>& StagePlan::flights_of_phase(std::uint32_t phase) const {
    return of_phase(by_phase_, phase);
}

const std::vector<std::uint32_t>& StagePlan::flights_held(std::uint32_t phase) const {
    return of_phase(held_, phase);
}

const std::vector<PhaseSpan>& StagePlan::spans_of_phase(std::uint32_t phase) const {
    return of_phase(spans_, phase);
}

TickSpan StagePlan::epoch_of_warp(std::uint32_t epoch, std::uint32_t warp) const {
    const std::size_t index = std::size_t{epoch} * warps_ + warp;
    return index < epochs_.size() ? epochs_[index] : TickSpan{};
}

ArrayId StagePlan::find(const char* name) const {
    const std::string_view wanted = name;
    if (product_ && wanted == "A") return product_->a;
    if (product_ && wanted == "B") return product_->b;
    if (product_ && wanted == "C") return product_->c;
    for (std::size_t i = 0; i < names_.size(); ++i)
        if (names_[i] == name) return static_cast<ArrayId>(i);
    return kNoArray;
}

}  // namespace tilereel::stage
