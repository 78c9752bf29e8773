#include "app/replay/model.h"

#include <atomic>

namespace tilereel {
namespace {

// A seek replays at most this many requests, or this share of the block where that is longer.
constexpr std::uint32_t kRequestsBetweenKeyframes = 256;
constexpr std::uint32_t kMostKeyframes = 96;

std::uint64_t next_number() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

}  // namespace

Replay::Model::Model(const Trace& the_trace, std::uint32_t the_block,
                     const Generation& the_generation)
    : number(next_number()),
      trace(the_trace),
      block(the_block),
      generation(the_generation),
      records(records_of_block(trace, block)),
      schedule(schedule_block(trace, records, phases_of_block(trace, block), generation)),
      sums(map_sums(trace, records)),
      lifetimes(find_lifetimes(trace, schedule)),
      flights(find_flights(trace, records, schedule)),
      regions(find_regions(trace, schedule, lifetimes, flights)),
      shared_uses(find_shared_uses(trace, schedule)),
      turns(find_plane_turns(trace, schedule)),
      operands(find_held_operands(trace, schedule)),
      provenance(trace, schedule, sums, flights),
      departs(schedule.steps.size()),
      array_tones(trace.arrays.size(), Tone::kStrong),
      machine(trace, records, schedule, sums) {
    note_reads();
    note_flights();
    origins = find_origins(trace, schedule, lifetimes, flights);
    make_keyframes();
    at = keyframes.front();
    show(0);
}

// Until when each flight's value is needed.
void Replay::Model::note_reads() {
    std::vector<std::uint32_t> last_phase(lifetimes.words.size(), 0);
    for (const Lifetimes::Reading& reading : lifetimes.readings)
        last_phase[reading.word] = std::max(last_phase[reading.word], reading.phase);
    for (Flight& flight : flights) {
        flight.first_read = lifetimes.words[flight.stored_word].first_read;
        flight.last_read_phase = last_phase[flight.stored_word];
        lifetimes.words[flight.stored_word].loaded = true;
    }
}

// A shared array has the colour of the matrix whose elements fly to it, or else of its first
// letter.
void Replay::Model::note_flights() {
    constexpr std::array kRoles = {Tone::kA, Tone::kB, Tone::kC};
    for (std::size_t id = 0; id < array_tones.size(); ++id) {
        const std::string& name = trace.arrays[id].name;
        if (id < kRoles.size())
            array_tones[id] = kRoles[id];
        else if (!name.empty() && name[0] >= 'A' && name[0] <= 'C')
            array_tones[id] = kRoles[static_cast<std::size_t>(name[0] - 'A')];
    }
    for (const Flight& flight : flights) {
        departs[flight.load_step] = true;
        if (flight.from < kRoles.size()) array_tones[flight.to] = kRoles[flight.from];
    }
}

void Replay::Model::make_keyframes() {
    const auto steps = static_cast<std::uint32_t>(schedule.steps.size());
    keyframe_interval = std::max(kRequestsBetweenKeyframes, steps / kMostKeyframes + 1);
    keyframes.reserve(steps / keyframe_interval + 1);
    BlockState moving = machine.start();
    keyframes.push_back(moving);
    for (std::uint32_t step = 1; step <= steps; ++step) {
        machine.advance(moving);
        if (step % keyframe_interval == 0) keyframes.push_back(moving);
    }
}

void Replay::Model::go_to_step(std::uint32_t step) {
    const std::uint32_t keyframe = step / keyframe_interval;
    if (step < at.step || keyframe > at.step / keyframe_interval) at = keyframes[keyframe];
    while (at.step < step) machine.advance(at);
}

void Replay::Model::show(Tick tick) {
    const std::vector<Step>& steps = schedule.steps;
    const bool over = at.step >= steps.size();
    const std::uint32_t shown_step = over ? at.step - 1 : at.step;  // kNoStep if there is none
    state.tick = tick;
    state.step = over ? kNoStep : at.step;
    state.phase = steps.empty() ? 0 : steps[shown_step].phase;
    state.part = steps.empty() ? Part::kLoad : steps[shown_step].part;
    state.request = request_of(shown_step);
    if (!steps.empty()) state.request.wavefront = wavefront_at(shown_step, tick);
    state.warps = at.warps;
    state.at_barrier = std::ranges::any_of(
        at.warps, [](const WarpState& warp) { return warp.activity == Activity::kWaits; });
    state.sums = at.sums;
    const auto& until = schedule.steps_until_phase_done;
    state.phases_done =
        steps.empty()
            ? 0
            : static_cast<std::uint32_t>(std::ranges::upper_bound(until, at.step) - until.begin());
    show_shared();
}

// Measured time gives a request other ticks than wavefronts (or lines): they share them evenly.
std::uint32_t Replay::Model::wavefront_at(std::uint32_t index, Tick tick) const {
    const Step& step = schedule.steps[index];
    const bool shared = trace.arrays[trace.sites[step.site].array].space == Space::kShared;
    const RequestCost& cost = schedule.costs[index];
    const std::uint64_t units = std::max<std::uint32_t>(shared ? cost.wavefronts : cost.lines, 1);
    const std::uint64_t ticks_begun = std::min<Tick>(tick - step.begin + 1, step.ticks);
    return static_cast<std::uint32_t>((ticks_begun * units + step.ticks - 1) / step.ticks - 1);
}

void Replay::Model::show_shared() {
    std::size_t shown = 0;
    for (ArrayId id = 0; id < trace.arrays.size(); ++id) {
        const Array& array = trace.arrays[id];
        if (array.space != Space::kShared) continue;
        if (shown == state.shared.size()) state.shared.emplace_back();
        SharedArrayState& view = state.shared[shown++];
        view.array = id;
        view.landed = view.expected = 0;
        view.planes.assign(array.planes(), {});
        view.cells.assign(std::size_t{array.rows} * array.leading_dimension, SharedCell{});
        const std::size_t plane_cells =
            std::size_t{array.rows_of_plane()} * array.leading_dimension;
        for (std::size_t plane = 0; plane < view.planes.size(); ++plane)
            view.planes[plane].landed =
                show_cells(array, plane * plane_cells, (plane + 1) * plane_cells, view.cells);
        show_planes(view);
    }
}

// The cells [first, last) of an array; returns how many of them were written in this phase.
std::uint32_t Replay::Model::show_cells(const Array& array, std::size_t first, std::size_t last,
                                        std::vector<SharedCell>& cells) const {
    std::uint32_t landed = 0;
    for (std::size_t cell = first; cell < last; ++cell) {
        const std::size_t word = (array.base_bytes + cell * array.element_bytes) / 4;
        if (word >= at.words.size()) continue;
        const bool under_way = at.words[word].copies_under_way > 0;
        if (under_way) cells[cell].state = CellState::kUnderWay;
        if (at.words[word].stored == SharedWord::kNeverWritten) continue;
        const StoredWord& stored = lifetimes.words[at.words[word].stored];
        const bool stale = at.step >= stored.stale_from;
        cells[cell] = {at.words[word].value,
                       under_way ? CellState::kUnderWay
                       : stale   ? CellState::kStale
                                 : CellState::kValid,
                       stored.loaded};
        landed += stored.phase == state.phase;
    }
    return landed;
}

void Replay::Model::show_planes(SharedArrayState& view) const {
    for (std::uint32_t i = 0; i < view.planes.size(); ++i) {
        SharedPlaneState& plane = view.planes[i];
        plane.expected = shared_uses.expected_of(state.phase, view.array, i);
        view.landed += plane.landed;
        view.expected += plane.expected;
        const PlaneTurn* turn = turn_at(turns.of_plane[turns.first[view.array] + i], at.step);
        if (turn == nullptr) continue;
        plane.stage = turn->stage_at(at.step);
        plane.phase = turn->phase;
    }
}

RequestState Replay::Model::request_of(std::uint32_t index) const {
    RequestState request;
    if (index >= schedule.steps.size()) return request;
    const Step& step = schedule.steps[index];
    const Site& site = trace.sites[step.site];
    const Array& array = trace.arrays[site.array];
    const bool shared = array.space == Space::kShared;
    request.step = index;
    request.access = access_of(trace, step.record);
    request.cost = schedule.costs[index];
    if (shared) request.service = bank_service(request.access, generation);
    if (shared) request.words = word_service(request.access, generation);
    const FloatValues values = values_of(trace, records, step.record);
    std::size_t next = 0;
    const auto present_value = [&](std::uint32_t offset) {
        if (shared && offset / 4 < at.words.size() &&
            at.words[offset / 4].stored != SharedWord::kNeverWritten)
            return at.words[offset / 4].value;
        const std::uint32_t sum =
            site.array == kArrayC ? sums.index(element_at(array, offset)) : kNoElement;
        if (sum != kNoElement && at.sums[sum].stored) return at.sums[sum].value;
        return input_value(trace, site.array, offset);
    };
    for_each_word(request.access.lanes, words_of(site),
                  [&](std::uint32_t lane, std::uint32_t word, std::uint32_t offset) {
                      const float value =
                          next < values.size() ? values[next++] : present_value(offset);
                      LaneState& view = request.lanes[lane];
                      view.values[word % view.values.size()] = value;
                      if (word != 0) return;
                      const Element element = element_at(array, offset);
                      view.active = true;
                      view.row = element.row;
                      view.column = element.column;
                      view.offset_bytes = offset;
                      view.value = value;
                      if (!shared) view.sector = offset / 32;
                      if (shared) view.bank = request.service.bank[lane];
                      if (shared) view.wavefront = request.service.wavefront[lane];
                  });
    return request;
}

}  // namespace tilereel
