#include "app/stage/scene.h"

#include <algorithm>

#include "app/replay/places/stops.h"
#include "app/replay/sentence/sentence_facts.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel::stage {
namespace {

// If the replay stands just before a barrier opens, what lands when it opens counts as landed.
constexpr double kAllButLanded = 2 * kBeforeBarrier;

}  // namespace

bool Scene::has_controls() const {
    return !workbench.view().presenting && workbench.view().mode != WindowMode::kLessons;
}

const Site* Scene::site() const {
    if (state.request.step >= steps().size()) return nullptr;
    return &trace.sites[steps()[state.request.step].site];
}

const Site* Scene::running_on(ArrayId array) const {
    const Site* s = state.step == kNoStep ? nullptr : site();
    return s != nullptr && s->array == array ? s : nullptr;
}

ColorRole Scene::role_of_request() const {
    const Site* s = site();
    return s == nullptr || s->array == kNoArray ? ColorRole::kNone : plan.role(s->array);
}

bool Scene::shared_request() const {
    const Site* s = site();
    return s != nullptr && s->array != kNoArray && trace.arrays[s->array].space == Space::kShared;
}

bool Scene::conflicted() const { return shared_request() && state.request.cost.bank_conflicts > 0; }

Progress Scene::progress() const {
    const std::vector<Round>& rounds = replay.rounds();
    Progress progress;
    progress.now = state.phase + 1;
    progress.done = state.phases_done;
    progress.of = replay.schedule().phases;
    if (rounds.empty()) return progress;
    const bool elements = std::ranges::all_of(rounds, [](const Round& round) {
        return round.stores.row0 + 1 == round.stores.row1 &&
               round.stores.column0 + 1 == round.stores.column1;
    });
    if (elements)
        progress.name = "Element", progress.one = "element", progress.many = "elements";
    else
        progress.name = "Strip", progress.one = "strip", progress.many = "strips";
    const auto begun = std::ranges::upper_bound(rounds, state.tick, {}, &Round::begin);
    const auto ended = std::ranges::upper_bound(rounds, state.tick, {}, &Round::end);
    progress.now = static_cast<std::uint32_t>(begun - rounds.begin());
    progress.done = static_cast<std::uint32_t>(ended - rounds.begin());
    progress.of = static_cast<std::uint32_t>(rounds.size());
    return progress;
}

const PartialSum* Scene::sum_of(Element element) const {
    const CellRect& own = replay.regions().c;
    if (!contains(own, element)) return nullptr;
    const std::size_t index = own.index_of(element);
    return index < state.sums.size() ? &state.sums[index] : nullptr;
}

bool Scene::all_stored() const {
    return !state.sums.empty() && std::ranges::all_of(state.sums, &PartialSum::stored);
}

Element Scene::element_of_sum(std::uint32_t index) const {
    const CellRect& own = replay.regions().c;
    const std::uint32_t columns = std::max(1u, own.columns());
    return {own.row0 + index / columns, own.column0 + index % columns};
}

LaneService Scene::service_of_wavefront(std::uint32_t wavefront) const {
    if (state.step == kNoStep || wavefront < state.request.wavefront) return LaneService::kServed;
    return wavefront == state.request.wavefront ? LaneService::kNow : LaneService::kWaiting;
}

double flight_progress(const Scene& scene, std::uint32_t index) {
    const Flight& flight = scene.replay.flights()[index];
    const DrawnFlight& drawn_flight = scene.plan.drawn_flight(index);
    const double land = static_cast<double>(flight.land) - kAllButLanded;
    if (!scene.workbench.view().motion) return land <= scene.workbench.position() ? 1 : 0;
    if (land <= scene.workbench.moved_from()) return 1;
    double ticks = scene.workbench.position();
    const bool run_out = !scene.workbench.moving() && land <= ticks;
    if (ticks <= drawn_flight.leave) return 0;
    if (ticks >= drawn_flight.land && !run_out) return 1;
    // While the replay is paused, flights that have landed in the model are drawn to their end.
    if (run_out) {
        const double s = std::clamp(scene.view.settled_seconds / kRunOutSeconds, 0.0, 1.0);
        ticks += (std::max(drawn_flight.land, ticks) - ticks) * s;
    }
    return drawn_flight.progress(ticks);
}

FlightRange recent_flights(const Scene& scene) {
    const std::vector<Flight>& flights = scene.replay.flights();
    const double now = scene.workbench.position();
    const auto depart = [](const Flight& flight) { return static_cast<double>(flight.depart); };
    const auto begin = std::ranges::lower_bound(
        flights, now - scene.plan.longest_flight_ticks() - 2 * kFlightTicks, {}, depart);
    const auto end = std::ranges::upper_bound(begin, flights.end(), now, {}, depart);
    return {static_cast<std::uint32_t>(begin - flights.begin()),
            static_cast<std::uint32_t>(end - flights.begin())};
}

std::vector<MovingLeg> moving_legs(const Scene& scene) {
    constexpr double kTooFast = 8;  // at this speed and above nothing can be followed
    std::vector<MovingLeg> moving;
    const Workbench& bench = scene.workbench;
    if (!bench.view().motion || (bench.playing() && bench.speed() >= kTooFast)) return moving;
    const Transfers& transfers = scene.plan.transfers();
    const auto [begin, end] = transfers.legs_near(bench.position());
    for (std::size_t i = begin; i < end && moving.size() < kMostMoving; ++i) {
        const Leg& leg = transfers.legs()[i];
        const double all = std::max(leg.end - leg.begin, 1e-6);
        double progress = (bench.position() - leg.begin) / all;
        // What has landed in the model lands in the picture, too, while the replay is paused.
        const auto& flight = scene.replay.flights()[leg.flights.front()];
        const double land = static_cast<double>(flight.land) - kAllButLanded;
        if (leg.kind == LegKind::kDirect && land <= bench.moved_from()) continue;
        if (leg.kind == LegKind::kDirect && !bench.moving() && land <= bench.position())
            progress +=
                (1 - progress) * std::clamp(scene.view.settled_seconds / kRunOutSeconds, 0.0, 1.0);
        // A request that begins at this tick is the one that the sentence is about.
        const bool begins = progress == 0 && leg.step == scene.state.request.step;
        if ((progress > 0 || begins) && progress < 1) moving.push_back({leg, progress});
    }
    return moving;
}

const Leg* shown_leg(const Scene& scene, const std::vector<MovingLeg>& moving) {
    if (moving.empty()) return nullptr;
    const Leg* const current = scene.plan.transfers().leg_of(scene.state.request.step);
    const bool stands = !scene.workbench.moving();
    const bool lands_later = current != nullptr && scene.workbench.position() < current->end;
    return current != nullptr && (stands || lands_later) ? current : &moving.back().leg;
}

const SharedView* view_of_row(const Scene& scene, ArrayId array, std::uint32_t row) {
    for (const SharedView& view : scene.layout.arrays)
        if (view.shows(array, row)) return &view;
    return nullptr;
}

const MatrixView* matrix_of_array(const Scene& scene, ArrayId array) {
    if (array == kNoArray) return nullptr;
    const MatrixProduct matrices = matrices_of(scene.trace);
    if (array == matrices.a) return &scene.layout.a;
    if (array == matrices.b) return &scene.layout.b;
    if (array == matrices.c) return &scene.layout.c;
    return nullptr;
}

float draw_text_shrunk(const Scene& scene, ImVec2 at, float width, const std::string& text,
                       const TextStyle& style) {
    return draw_text_fit(at, width, text, scene.shrunk(style, text, width));
}

float draw_request(const Scene& scene, ImVec2 at, const std::string& before, const Site& site,
                   const TextStyle& style) {
    const ImU32 color = scene.colors().solid(scene.plan.role(site.array));
    const float w =
        draw_text(at, before + std::string(words_for(site.operation).request) + " ", style);
    return w + draw_text({at.x + w, at.y}, scene.trace.arrays[site.array].name,
                         {Face::kSemiBold, style.px, color});
}

float draw_text_on_top(Scene& scene, ImVec2 at, const std::string& text, const TextStyle& style) {
    scene.texts_on_top.push_back({at, 0, text, style});
    return text_width(text, style);
}

void draw_text_on_top_shrunk(Scene& scene, ImVec2 at, float width, const std::string& text,
                             const TextStyle& style) {
    scene.texts_on_top.push_back({at, width, text, scene.shrunk(style, text, width)});
}

Rect area_of(const TextOnTop& text) {
    float w = text_width(text.text, text.style.face, text.style.px);
    if (text.width > 0) w = std::min(w, text.width);
    const float x = text.at.x - (text.style.align == Align::kRight ? w : 0);
    return {x - 1, text.at.y - 0.55f * text.style.px, w + 2, 1.1f * text.style.px};
}

void draw_texts_on_top(Scene& scene) {
    for (const TextOnTop& text : scene.texts_on_top) {
        const Rect area = area_of(text);
        const auto covers = [&area](const Rect& rect) { return rect.overlaps(area); };
        if (!std::ranges::any_of(scene.flying, covers)) continue;
        fill_rect(area, scene.colors().panel);
        register_widget("stage.plate." + text.text, area);
    }
    for (const TextOnTop& text : scene.texts_on_top)
        if (text.width > 0)
            draw_text_fit(text.at, text.width, text.text, text.style);
        else
            draw_text(text.at, text.text, text.style);
}

void note_value(Scene& scene, const Rect& cell) {
    Rect* const row = scene.values.empty() ? nullptr : &scene.values.back();
    if (row != nullptr && row->y == cell.y && row->h == cell.h && cell.x >= row->x &&
        cell.x <= row->right() + 1)
        *row = row->joined(cell);
    else
        scene.values.push_back(cell);
}

void draw_in_cell(const Scene& scene, const Rect& rect, std::string_view text, const Cell& cell,
                  float px) {
    if (px > 0) draw_text(rect.center(), text, style_in_cell(scene.colors(), cell, px));
}

TextStyle style_in_cell(const Palette& colors, const Cell& cell, float px) {
    switch (cell.look) {
        case CellLook::kInFlight:
        case CellLook::kSolid:
        case CellLook::kConflictCurrent:
            return {Face::kMonoBold, px, cell.role == ColorRole::kNone ? colors.panel : colors.on,
                    Align::kCenter};
        case CellLook::kBand:
        case CellLook::kBeingCopied:
            return {Face::kMono, px, colors.ink2, Align::kCenter};
        case CellLook::kNotLoaded:
            return {Face::kMono, px, colors.ink, Align::kCenter};
        case CellLook::kNothing:
        case CellLook::kIdle:
        case CellLook::kOff:
        case CellLook::kStale:
        case CellLook::kStaleNotLoaded:
            return {Face::kMono, px, colors.ink3, Align::kCenter};
        default:
            return {Face::kMonoBold, px, colors.ink, Align::kCenter};
    }
}

}  // namespace tilereel::stage
