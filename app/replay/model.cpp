#include "app/replay/model.h"

#include <atomic>
#include <bit>
#include <limits>

#include "app/replay/schedule/schedule_block.h"
#include "app/replay/state/element_text.h"

namespace tilereel {
namespace {

// A seek replays at most this many requests, or more in a block that would need more keyframes than
// kMostKeyframes.
constexpr std::uint32_t kRequestsBetweenKeyframes = 256;
constexpr std::uint32_t kMostKeyframes = 96;

std::uint64_t next_number() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

}  // namespace

ReplayModel::ReplayModel(const Trace& the_trace, std::uint32_t the_block,
                         const Generation& the_generation)
    : number(next_number()),
      replayed(the_trace, the_block),
      trace(replayed.trace()),
      block(the_block),
      generation(the_generation),
      records(records_of_block(trace, block)),
      schedule(schedule_block(trace, records, phases_of_block(trace, block), generation)),
      rounds(find_rounds(trace, schedule)),
      sums(map_sums(trace, records)),
      lifetimes(find_lifetimes(trace, schedule)),
      loaded(trace, records, schedule),
      flights(find_flights(trace, records, schedule, loaded)),
      regions(find_regions(trace, schedule, lifetimes, flights, sums.c_rect)),
      shared_uses(find_shared_uses(trace, schedule)),
      fills(find_buffer_fills(trace, schedule)),
      held_operands(find_held_operands(trace, schedule)),
      provenance(trace, schedule, sums, flights),
      off_lanes(trace, block),
      departs(schedule.steps.size()),
      array_tones(trace.arrays.size(), Tone::kStrong),
      machine(trace, records, schedule, sums) {
    note_reads();
    note_flights();
    origins = find_origins(trace, schedule, lifetimes, flights);
    make_keyframes();
    at = keyframes.front();
    find_tensor_steps();
    show(0);
}

// Sets for each flight when its value is read first and last and when it is replaced, and marks the
// words that flights store as loaded.
void ReplayModel::note_reads() {
    std::vector<std::uint32_t> last_phase(lifetimes.words.size(), 0);
    for (const Lifetimes::Reading& reading : lifetimes.readings)
        last_phase[reading.word] = std::max(last_phase[reading.word], reading.phase);
    for (Flight& flight : flights) {
        flight.first_read = lifetimes.words[flight.stored_word].first_read;
        flight.replaced = lifetimes.words[flight.stored_word].replaced;
        flight.last_read_phase = last_phase[flight.stored_word];
        lifetimes.words[flight.stored_word].loaded = true;
    }
}

namespace {

// In a product an array whose name begins with A, B or C has the colour of that matrix. The three
// matrices have their colours whatever their names.
void add_tones_of_product(const Trace& trace, std::vector<Tone>& tones) {
    constexpr std::array kRoles = {Tone::kA, Tone::kB, Tone::kC};
    for (std::size_t id = 0; id < tones.size(); ++id) {
        const std::string& name = trace.arrays[id].name;
        if (!name.empty() && name[0] >= 'A' && name[0] <= 'C')
            tones[id] = kRoles[static_cast<std::size_t>(name[0] - 'A')];
    }
    const MatrixProduct& matrices = *trace.product;
    const std::array ids = {matrices.a, matrices.b, matrices.c};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < tones.size()) tones[ids[i]] = kRoles[i];
}

// The first three global arrays get colours, in the order of their first access, which is the order
// of the sites.
void add_tones_by_first_access(const Trace& trace, std::vector<Tone>& tones) {
    constexpr std::array kRoles = {Tone::kA, Tone::kB, Tone::kC};
    std::size_t next = 0;
    std::vector<bool> seen(tones.size(), false);
    for (const Site& site : trace.sites) {
        if (!accesses(trace, site) || seen[site.array]) continue;
        seen[site.array] = true;
        if (trace.arrays[site.array].space == Space::kGlobal && next < kRoles.size())
            tones[site.array] = kRoles[next++];
    }
}

}  // namespace

void ReplayModel::choose_tones() {
    if (trace.product)
        add_tones_of_product(trace, array_tones);
    else
        add_tones_by_first_access(trace, array_tones);
}

// A shared array has the colour of the array whose elements fly to it.
void ReplayModel::note_flights() {
    choose_tones();
    for (const Flight& flight : flights) {
        departs[flight.load_step] = true;
        if (array_tones[flight.from] != Tone::kStrong)
            array_tones[flight.to] = array_tones[flight.from];
    }
}

void ReplayModel::make_keyframes() {
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

// Ends in the state in which it begins.
void ReplayModel::find_tensor_steps() {
    if (!TensorFinder::applies(trace)) return;
    TensorFinder finder(trace, records, schedule);
    WarpgroupFinder warpgroup_finder(trace, records, schedule);
    for (std::uint32_t step = 0; step < schedule.steps.size(); ++step) {
        go_to_step(step);
        const RequestState request = request_of(step);
        finder.add(step, request);
        warpgroup_finder.add(step, request);
    }
    tensor = finder.take();
    warpgroups = warpgroup_finder.take();
    go_to_step(0);
}

void ReplayModel::go_to_step(std::uint32_t step) {
    const std::uint32_t keyframe = step / keyframe_interval;
    if (step < at.step || keyframe > at.step / keyframe_interval) at = keyframes[keyframe];
    while (at.step < step) machine.advance(at);
}

void ReplayModel::show(Tick tick) {
    const std::vector<Step>& steps = schedule.steps;
    const bool over = at.step >= steps.size();
    const std::uint32_t shown_step = over ? at.step - 1 : at.step;  // kNoStep if there is none
    state.tick = tick;
    before_first = false;
    state.step = over ? kNoStep : at.step;
    state.phase = steps.empty() ? 0 : steps[shown_step].phase;
    state.part = steps.empty() ? Part::kLoad : steps[shown_step].part;
    state.request = request_of(shown_step);
    if (!steps.empty()) state.request.wavefront = wavefront_at(shown_step, tick);
    state.warps = at.warps;
    state.at_barrier = std::ranges::any_of(
        at.warps, [](const WarpState& warp) { return warp.activity == Activity::kWaitsAtBarrier; });
    state.sums = at.sums;
    const auto& until = schedule.steps_until_phase_done;
    state.phases_done =
        steps.empty()
            ? 0
            : static_cast<std::uint32_t>(std::ranges::upper_bound(until, at.step) - until.begin());
    show_shared();
}

void ReplayModel::show_before_first() {
    at = machine.before_first();
    show(0);
    at = keyframes.front();
    state.step = kNoStep;
    state.request = {};
    before_first = true;
}

// In measured time the ticks of a request are not its wavefronts (or lines): the wavefronts share
// the ticks evenly.
std::uint32_t ReplayModel::wavefront_at(std::uint32_t index, Tick tick) const {
    const Step& step = schedule.steps[index];
    const RequestCost& cost = schedule.costs[index];
    const std::uint64_t units = std::max(cost.wavefronts + cost.lines, 1u);  // one of them is 0
    const std::uint64_t ticks_begun = std::min<Tick>(tick - step.begin + 1, step.ticks);
    return static_cast<std::uint32_t>((ticks_begun * units + step.ticks - 1) / step.ticks - 1);
}

void ReplayModel::show_shared() {
    std::size_t shown = 0;
    for (ArrayId id = 0; id < trace.arrays.size(); ++id) {
        const Array& array = trace.arrays[id];
        if (array.space != Space::kShared) continue;
        if (shown == state.shared.size()) state.shared.emplace_back();
        SharedArrayState& view = state.shared[shown++];
        view.array = id;
        view.landed = view.expected = 0;
        view.planes.assign(array.planes(), {});
        const std::size_t plane_cells =
            std::size_t{array.rows_of_plane()} * array.leading_dimension;
        view.cells.resize(std::size_t{array.rows} * array.leading_dimension);
        for (std::size_t plane = 0; plane < view.planes.size(); ++plane)
            view.planes[plane].landed =
                show_cells(array, plane * plane_cells, (plane + 1) * plane_cells, view.cells);
        std::fill(
            view.cells.begin() + static_cast<std::ptrdiff_t>(view.planes.size() * plane_cells),
            view.cells.end(), SharedCell{});
        show_planes(view);
    }
}

// Sets the cells [first, last) of an array. Returns how many of them were written in this phase.
std::uint32_t ReplayModel::show_cells(const Array& array, std::size_t first, std::size_t last,
                                      std::vector<SharedCell>& cells) const {
    // Most arrays hold floats. A seek sets every cell, so their loop makes no call.
    if (array.type == ElementType::kFloat32 && array.element_bytes == 4)
        return show_cells(array, first, last, cells, [this](std::size_t byte) {
            const std::uint32_t bits = at.words[byte / 4].bits;
            return SharedCell{.value = std::bit_cast<float>(bits), .bits = bits};
        });
    return show_cells(array, first, last, cells,
                      [&](std::size_t byte) { return cell_at(array, byte); });
}

template <class CellAt>
std::uint32_t ReplayModel::show_cells(const Array& array, std::size_t first, std::size_t last,
                                      std::vector<SharedCell>& cells, CellAt cell_at_byte) const {
    std::uint32_t landed = 0;
    for (std::size_t index = first; index < last; ++index) {
        SharedCell cell;
        const std::size_t byte = array.base_bytes + index * array.element_bytes;
        if (byte / 4 < at.words.size()) {
            const SharedWord& word = at.words[byte / 4];
            const bool under_way = word.copies_under_way > 0;
            if ((word.bytes_written >> byte % 4 & 1u) != 0) {
                const StoredWord& stored = lifetimes.words[word.stored];
                cell = cell_at_byte(byte);
                cell.state = at.step >= stored.stale_from ? CellState::kStale : CellState::kValid;
                cell.loaded = stored.loaded;
                landed += stored.phase == state.phase;
            }
            if (under_way) cell.state = CellState::kUnderWay;
        }
        cells[index] = cell;
    }
    return landed;
}

// The value of an element of shared memory. Not for arrays of floats.
SharedCell ReplayModel::cell_at(const Array& array, std::size_t byte) const {
    SharedCell cell;
    const std::uint32_t word = at.words[byte / 4].bits;
    cell.bits = bytes_in_word(word, static_cast<std::uint32_t>(byte), array.element_bytes);
    if (array.element_bytes > 4 && byte / 4 + 1 < at.words.size())
        cell.bits |= std::uint64_t{at.words[byte / 4 + 1].bits} << 32;
    cell.value = static_cast<float>(number_of_bits(array, cell.bits));
    return cell;
}

void ReplayModel::show_planes(SharedArrayState& view) const {
    for (std::uint32_t i = 0; i < view.planes.size(); ++i) {
        SharedPlaneState& plane = view.planes[i];
        plane.expected = shared_uses.expected_of(state.phase, view.array, i);
        view.landed += plane.landed;
        view.expected += plane.expected;
        const BufferFill* fill = fill_at(fills.of_plane[fills.first[view.array] + i], at.step);
        if (fill == nullptr) continue;
        plane.state = fill->state_at(at.step);
        plane.phase = fill->phase;
    }
}

RequestState ReplayModel::request_of(std::uint32_t index) const {
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
    add_values(step, site, request);
    return request;
}

std::optional<std::uint32_t> ReplayModel::word_at(const Site& site, std::uint32_t offset,
                                                  std::uint32_t step) const {
    const Array& array = trace.arrays[site.array];
    if (array.space == Space::kShared) {
        if (offset / 4 >= at.words.size()) return std::nullopt;
        const SharedWord& word = at.words[offset / 4];
        if ((word.bytes_written >> offset % 4 & 1u) == 0) return std::nullopt;
        return bytes_in_word(word.bits, offset, site.width_bytes);
    }
    const bool is_sum = site.array == matrices_of(trace).c && array.type == ElementType::kFloat32;
    const std::uint32_t sum = is_sum ? sums.index(element_at(array, offset)) : kNoElement;
    if (sum != kNoElement && at.sums[sum].stored)
        return std::bit_cast<std::uint32_t>(at.sums[sum].value);
    return loaded.at(site, offset, step);
}

void ReplayModel::add_values(const Step& step, const Site& site, RequestState& request) const {
    const Array& array = trace.arrays[site.array];
    const bool shared = array.space == Space::kShared;
    const std::span<const std::uint32_t> values = words_of_record(trace, records, step.record);
    std::size_t next = 0;
    for_each_word(request.access.lanes, site.words(),
                  [&](std::uint32_t lane, std::uint32_t word, std::uint32_t offset) {
                      const std::optional<std::uint32_t> bits =
                          next < values.size() ? std::optional(values[next++])
                                               : word_at(site, offset, request.step);
                      LaneState& view = request.lanes[lane];
                      view.words[word % view.words.size()] = bits.value_or(kUnknownWord);
                      view.known = (word == 0 || view.known) && bits.has_value();
                      if (word != 0) return;
                      const Element element = element_at(array, offset);
                      view.active = true;
                      view.row = element.row;
                      view.column = element.column;
                      view.offset_bytes = offset;
                      if (!shared) view.sector = offset / 32;
                      if (shared) view.bank = request.service.bank[lane];
                      if (shared) view.wavefront = request.service.wavefront[lane];
                  });
    for (LaneState& view : request.lanes) {
        if (!view.active) continue;
        const ElementType type = array.type_at(view.offset_bytes - array.base_bytes);
        const std::size_t size = type_bytes(type);
        const auto bytes = std::as_bytes(std::span(view.words)).first(site.width_bytes);
        for (std::size_t i = 0; i < view.values.size() && (i + 1) * size <= bytes.size(); ++i)
            view.values[i] = view.known || type == ElementType::kFloat32
                                 ? static_cast<float>(number_of(type, bytes.subspan(i * size)))
                                 : std::numeric_limits<float>::quiet_NaN();
        view.value = view.values[0];
    }
}

}  // namespace tilereel
