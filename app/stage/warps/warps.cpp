// The warps of the block as tokens that move to the barrier.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "app/stage/warps/warp_token.h"
#include "app/ui/draw/glide.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel::stage {
namespace {

// The progress of a warp between two barriers, from 0 to 1.
double advance_of(const Scene& scene, const WarpState& warp, std::uint32_t index) {
    if (warp.activity == Activity::kDone) return 1;
    if (warp.activity == Activity::kReady || warp.step >= scene.steps().size()) return 0;
    const TickSpan span = scene.plan.epoch_of_warp(scene.steps()[warp.step].epoch, index);
    const double length = std::max(span.end - span.begin, 1e-6);
    return std::clamp((scene.workbench.position() - span.begin) / length, 0.0, 1.0);
}

void note_change(Scene& scene, std::size_t index, Activity now) {
    StageView::WarpMotion& motion = scene.view.warps[index];
    if (scene.view.jumped) {
        motion.changed = -1e9;
        motion.waited = false;
        motion.activity = now;
    } else if (motion.activity != now) {
        motion.waited = motion.activity == Activity::kWaitsAtBarrier;
        motion.changed = scene.look.now_seconds;
        motion.activity = now;
    }
}

// The range of x in which tokens move. `right`: left edge of the barrier, if there is one.
struct TokenRange {
    float left = 0, right = 0;
};

// The share of a token's way through the barrier that has just opened; then it returns to the start
// of its row. nullopt: it does not pass one.
std::optional<float> passed_share(const Scene& scene, Activity activity) {
    const std::optional<BarrierOpening>& opening = scene.workbench.barrier_opening();
    if (!opening || activity == Activity::kDone || activity == Activity::kWaitsAtBarrier)
        return std::nullopt;
    return opening->passed();
}

void draw_chosen_token(Scene& scene, const Token& token, std::uint32_t index) {
    draw_token(scene, token, index);
    if (scene.thread().chosen_warp() == index)
        stroke_rect(token.rect.inset(-1), scene.colors().accent, scene.look.px(3),
                    scene.look.corner());
}

void put_token(Scene& scene, const Token& token, std::uint32_t index) {
    register_widget("stage.warp." + std::to_string(index), token.rect);
    draw_chosen_token(scene, token, index);
    if (!scene.points_at(token.rect)) return;
    const bool chosen = scene.thread().chosen_warp() == index;
    scene.hover = {"warp " + std::to_string(index),
                   ColorRole::kNone,
                   {chosen ? "chosen; click to deselect it" : "click to see its part (W)"}};
    if (scene.clicked)
        scene.commands.push_back(ChooseWarp{chosen ? std::nullopt : std::optional(index)});
}

// A token on its way through the open barrier. What leaves at the right edge enters at the left, so
// warps are seen wherever the replay stops.
struct Passing {
    Token token;                   // at the barrier
    ImVec2 to{};                   // its place when it is through
    float share = 0;               // of its way
    float leaves = 0, enters = 0;  // pixels until it is out at the right, and in from the left
};

void put_passing_token(Scene& scene, const Rect& area, const Passing& passing,
                       std::uint32_t index) {
    const Rect& from = passing.token.rect;
    Token out = passing.token, in = passing.token;
    out.rect.x = std::round(from.x + passing.share * passing.leaves);
    in.rect.x = std::round(passing.to.x - (1 - passing.share) * passing.enters);
    in.rect.y = std::round(passing.to.y);
    const auto seen = [&area](const Token& token) {
        return std::min(token.rect.right(), area.right()) - std::max(token.rect.x, area.x);
    };
    if (seen(out) < seen(in)) std::swap(out, in);
    draw_chosen_token(scene, in, index);
    put_token(scene, out, index);  // the larger part is the one that is clicked
}

// One row for each warp, with full tokens.
struct FullRows {
    float pitch = 0, h = 0, px = 0;
    bool fit = false;
};
FullRows full_rows(const Scene& scene, const TokenRange& range, float room) {
    const auto n = static_cast<float>(scene.state.warps.size());
    const float least_pitch = scene.look.snug() + scene.f(24);
    FullRows rows;
    rows.pitch = std::floor(std::clamp(room / n, least_pitch, scene.look.px(14) + scene.f(31)));
    rows.h = std::min(scene.u(14) + scene.f(20), rows.pitch - scene.u(5));
    rows.px = std::min(scene.f(15), rows.h * 0.52f);
    const float name = full_token_width(scene, rows.h, rows.px);
    rows.fit = n * rows.pitch <= room + scene.u(4) && name <= (range.right - range.left) * 0.8f;
    return rows;
}

float draw_full_rows(Scene& scene, const Rect& area, const FullRows& rows,
                     const TokenRange& range) {
    const auto n = static_cast<float>(scene.state.warps.size());
    const float name = full_token_width(scene, rows.h, rows.px);
    // The clip rectangle leaves room for the border of a token at the left edge.
    const float border = scene.look.px(2);
    const Clip clip({area.x - border, area.y, area.w + 2 * border, n * rows.pitch + scene.u(8)});
    for (std::uint32_t i = 0; i < scene.state.warps.size(); ++i) {
        const WarpState& warp = scene.state.warps[i];
        const float rule = area.y + static_cast<float>(i + 1) * rows.pitch;
        draw_list()->AddLine({area.x, rule}, {range.right, rule}, scene.colors().line,
                             scene.look.px(1));
        const float word_w = text_width(word_of(scene, i), Face::kRegular, rows.px * 0.8f);
        const float w = std::min(std::max(name + scene.u(9) + word_w, scene.u(148)),
                                 (range.right - range.left) * 0.86f);
        const float at_barrier = range.right - scene.u(8) - w;
        const float on_its_way =
            range.left + static_cast<float>(advance_of(scene, warp, i)) *
                             std::max(0.0f, at_barrier - scene.u(24) - range.left);
        const float y = rule - scene.u(4) - rows.h;
        const auto token_at = [&](float x) {
            return Token{{std::round(x), std::round(y), w, rows.h}, true, scene.f(15)};
        };
        if (const auto share = passed_share(scene, warp.activity)) {
            put_passing_token(scene, area,
                              {.token = token_at(at_barrier),
                               .to = {on_its_way, y},
                               .share = *share,
                               .leaves = area.right() + border - at_barrier,
                               .enters = on_its_way + w + border - area.x},
                              i);
            continue;
        }
        const bool waits = warp.activity == Activity::kWaitsAtBarrier;
        put_token(scene, token_at(waits ? at_barrier : on_its_way), i);
    }
    return area.y + n * rows.pitch;
}

// Compact tokens in columns. Waiting warps fill the columns from the barrier in order of arrival;
// the others fill them from the left, last warp first. So warps that arrive in turn change colour
// without moving, and no token crosses another.
struct Slots {
    std::uint32_t rows = 0, columns = 0;  // 0: no room for legible tokens
    float w = 0, h = 0, px = 0;
};
Slots slots_for(const Scene& scene, std::uint32_t n, float width, float height) {
    constexpr float kLargest = 15, kLeast = 11, kLegible = 15, kStep = 0.5f;  // units
    const float gap = scene.u(2);
    // Large text is read from a distance. The smallest font does not grow beyond kLegible, so that
    // tokens still fit.
    const float least = std::min(scene.f(kLeast), scene.look.px(kLegible));
    for (float px = scene.f(kLargest); px >= least; px -= scene.look.px(kStep)) {
        Slots slots;
        slots.px = px;
        slots.w = std::ceil(compact_token_width(scene, n, slots.px) + gap);
        slots.h = std::ceil(slots.px * 1.42f + gap);
        const auto across = static_cast<std::uint32_t>(std::max(0.0f, width) / slots.w);
        const auto down = static_cast<std::uint32_t>(std::max(0.0f, height + gap) / slots.h);
        if (across * down < n) continue;
        slots.rows = (n + across - 1) / across;
        slots.columns = (n + slots.rows - 1) / slots.rows;
        const float rows = static_cast<float>(slots.rows);
        slots.h = std::min(std::floor((height + gap) / rows), scene.u(8) + scene.f(24));
        const float widest = std::floor(width / static_cast<float>(slots.columns));
        slots.w = std::min(widest, std::ceil(slots.w * 1.3f));
        return slots;
    }
    return {};
}

// The place of a warp that does not wait, counted from the left.
std::uint32_t place_of_others(const Scene& scene, std::uint32_t index) {
    return static_cast<std::uint32_t>(std::ranges::count_if(
        std::span(scene.state.warps).subspan(index + 1),
        [](const WarpState& warp) { return warp.activity != Activity::kWaitsAtBarrier; }));
}

ImVec2 corner_of_slot(const Slots& slots, const TokenRange& range, float top, std::uint32_t place,
                      bool from_barrier) {
    const auto column = static_cast<float>(place / slots.rows);
    const std::uint32_t down = place % slots.rows;
    const auto row = static_cast<float>(from_barrier ? down : slots.rows - 1 - down);
    const float x =
        from_barrier ? range.right - (column + 1) * slots.w : range.left + column * slots.w;
    return {x, top + row * slots.h};
}

// The share of their way through the barrier that all tokens have passed. nullopt unless they all
// pass together.
std::optional<float> passed_of_all(const Scene& scene) {
    if (std::ranges::any_of(scene.state.warps, [](const WarpState& warp) {
            return warp.activity == Activity::kWaitsAtBarrier || warp.activity == Activity::kDone;
        }))
        return std::nullopt;
    return passed_share(scene, Activity::kReady);
}

float draw_slots(Scene& scene, const Rect& area, const Slots& slots, const TokenRange& range,
                 bool has_barrier) {
    const std::vector<WarpState>& warps = scene.state.warps;
    const float gap = scene.u(2);
    const TokenRange shown{range.left, range.right - (has_barrier ? scene.u(3) - gap : 0)};
    const std::optional<float> share = passed_of_all(scene);
    const Clip clip({area.x, area.y, area.w, area.h + gap});
    const auto token_at = [&](const ImVec2& at) {
        return Token{
            {std::round(at.x), std::round(at.y), slots.w - gap, slots.h - gap}, false, slots.px};
    };
    const float all_columns = static_cast<float>(slots.columns) * slots.w;
    for (std::uint32_t i = 0; i < warps.size(); ++i) {
        StageView::WarpMotion& motion = scene.view.warps[i];
        ImVec2 at{};
        if (warps[i].activity == Activity::kWaitsAtBarrier) {
            motion.place = warps[i].arrival;
            at = corner_of_slot(slots, shown, area.y, motion.place, true);
        } else if (share) {
            // The last warp to arrive did not wait, so it follows behind the others.
            const auto last = static_cast<std::uint32_t>(warps.size() - 1);
            const std::uint32_t place = motion.waited ? motion.place : last;
            put_passing_token(
                scene, area,
                {.token = token_at(corner_of_slot(slots, shown, area.y, place, true)),
                 .to = corner_of_slot(slots, shown, area.y, place_of_others(scene, i), false),
                 .share = *share,
                 .leaves = all_columns + area.right() - shown.right,
                 .enters = all_columns},
                i);
            continue;
        } else if (has_barrier) {
            at = corner_of_slot(slots, shown, area.y, place_of_others(scene, i), false);
        } else {
            at = {range.left + static_cast<float>(i % slots.columns) * slots.w,
                  area.y + static_cast<float>(i / slots.columns) * slots.h};
        }
        put_token(scene, token_at(at), i);
    }
    return area.y + static_cast<float>(slots.rows) * slots.h - gap;
}

struct Count {
    Activity activity;
    std::string words;  // "3 wait"
};
// The warps at the end of their recording: "2 done", "1 in a loop", "5 not begun".
void count_ended(const Scene& scene, std::vector<Count>& counts) {
    constexpr std::array<const char*, 9> kWords = {
        "done", "cut off", "in a loop", "cut off", "wait", "wait", "wait", "not begun", "stopped"};
    std::map<std::string, std::pair<Activity, std::uint32_t>> ended;
    for (std::uint32_t warp = 0; warp < scene.state.warps.size(); ++warp) {
        if (scene.state.warps[warp].activity != Activity::kDone) continue;
        const std::optional<WarpStop> stop = stop_of(scene, warp);
        const bool at_barrier = stop && is_waiting(*stop);
        auto& [activity, count] =
            ended[kWords[static_cast<std::size_t>(stop ? stop->kind : WarpStopKind::kReturned)]];
        activity = at_barrier ? Activity::kWaitsAtBarrier : Activity::kDone;
        ++count;
    }
    for (const auto& [words, warps] : ended)
        counts.push_back({warps.first, std::to_string(warps.second) + " " + words});
}

// Whether the warp waits for a phase of an mbarrier, which other warps may complete.
bool waits_for_phase(const Scene& scene, const WarpState& warp) {
    return warp.activity == Activity::kWaitsForCopy &&
           std::ranges::any_of(scene.trace.sites, [&warp](const Site& site) {
               return site.operation == Operation::kWaitPhase && site.line == warp.line;
           });
}

std::vector<Count> counts_of(const Scene& scene) {
    std::vector<Count> counts;
    for (const ActivityWords& words : kActivities) {
        if (words.activity == Activity::kDone) {
            count_ended(scene, counts);
            continue;
        }
        const auto count =
            std::ranges::count(scene.state.warps, words.activity, &WarpState::activity);
        if (count == 0) continue;
        std::string_view many = words.many;
        if (words.activity == Activity::kWaitsForCopy) {
            const auto phases = std::ranges::count_if(
                scene.state.warps,
                [&scene](const WarpState& warp) { return waits_for_phase(scene, warp); });
            if (phases > 0) many = phases == count ? "wait for mbarriers" : "wait";
        }
        counts.push_back({words.activity, std::to_string(count) + " " + std::string(many)});
    }
    return counts;
}

// "8 warps: 3 wait, 5 load"
std::string summary(const Scene& scene) {
    std::string text = counted(scene.state.warps.size(), "warp", "warps");
    const char* separator = ": ";
    for (const Count& count : counts_of(scene)) {
        text += separator + count.words;
        separator = ", ";
    }
    return text;
}

// If no token would be readable: draws the number of warps in each state, as many per line as fit.
float draw_counts(Scene& scene, const Rect& area) {
    const Palette& colors = scene.colors();
    const std::vector<Count> counts = counts_of(scene);
    const float line = scene.f(20), space = scene.f(12);
    float x = area.x, y = area.y + line / 2;
    for (const Count& count : counts) {
        const bool waits = count.activity == Activity::kWaitsAtBarrier ||
                           count.activity == Activity::kWaitsForCopy;
        const TextStyle style = scene.text(waits ? Face::kSemiBold : Face::kRegular, 14,
                                           waits ? colors.wait_text : colors.ink2);
        // "7 wait for copies" or, where that is too long, "7 wait"
        const std::string brief = count.words.substr(0, count.words.find(" for "));
        const std::string& words = text_width(count.words, style) <= area.w ? count.words : brief;
        const float w = text_width(words, style);
        if (x > area.x && x + w > area.right()) x = area.x, y += line;
        if (y + line / 2 > area.bottom() + 1) break;
        draw_text_shrunk(scene, {x, y}, area.right() - x, words, style);
        x += w + space;
    }
    return y + line / 2;
}

// Draws the text above the tokens, as much of it as fits.
void draw_label(Scene& scene, const Rect& area, float y, bool has_barrier, bool with_counts) {
    const Palette& colors = scene.colors();
    const TextStyle style = scene.body(colors.ink3);
    const std::string plain = counted(scene.state.warps.size(), "warp", "warps");
    const auto width = [&style](const std::string& text) { return text_width(text, style); };
    const float barrier = text_width("barrier", Face::kSemiBold, style.px) + scene.u(12);
    const bool names_barrier = has_barrier && width(plain) + barrier <= area.w;
    const float free = area.w - (names_barrier ? barrier : 0);
    const std::string full = summary(scene);
    draw_text_shrunk(scene, {area.x, y}, free, with_counts && width(full) <= free ? full : plain,
                     style);
    if (!names_barrier) return;
    const TextStyle name = scene.text(Face::kSemiBold, 14, colors.wait_text, Align::kRight);
    draw_text({area.right(), y}, scene.workbench.barrier_opening() ? "opens" : "barrier", name);
}

}  // namespace

void draw_barrier(Scene& scene, const Rect& bar) {
    constexpr float kPost = 0.12f;  // what stays of the bar at either end, as a share of its height
    const auto& opening = scene.workbench.barrier_opening();
    const float half = bar.h / 2, open = opening ? opening->gap() : 0;
    const float part = between(half, kPost * bar.h, open);
    register_widget("stage.barrier", {bar.x, bar.y, bar.w, open > 0 ? part : bar.h});
    if (open <= 0) return fill_rect(bar, scene.colors().wait, scene.look.px(2));
    for (const float y : {bar.y, bar.bottom() - part})
        fill_rect({bar.x, y, bar.w, part}, scene.colors().wait, scene.look.px(2));
}

float draw_warps(Scene& scene, const Rect& area) {
    const auto n = static_cast<std::uint32_t>(scene.state.warps.size());
    if (n == 0) return area.y;
    scene.view.warps.resize(n);
    for (std::size_t i = 0; i < n; ++i) note_change(scene, i, scene.state.warps[i].activity);
    register_widget("stage.warps", area);
    const bool has_barrier = !scene.replay.schedule().barriers.empty();
    const float bar_w = scene.u(kBarrierWidth);
    const float label_y = area.y + scene.f(8);
    const float top = label_y + scene.f(12) + scene.u(6);
    const float room = area.bottom() - top - scene.u(6);
    TokenRange range{area.x, area.right() - scene.u(has_barrier ? 22 : 0)};
    const FullRows rows = full_rows(scene, range, room);
    if (!rows.fit && has_barrier) range.right = area.right() - scene.u(10);
    const Slots slots =
        slots_for(scene, n, range.right - scene.u(has_barrier ? 4 : 0) - range.left, room);
    const bool tokens = rows.fit || slots.rows > 0;
    const float counts_w = area.w - (has_barrier && !tokens ? bar_w + scene.u(4) : 0);
    draw_label(scene, {area.x, area.y, counts_w, area.h}, label_y, has_barrier && tokens,
               tokens && !rows.fit);
    const Rect inner{area.x, top, area.w, room};
    if (!tokens) {
        const float first = label_y + scene.f(10);
        const float end = draw_counts(scene, {area.x, first, counts_w, area.bottom() - first});
        if (has_barrier) draw_barrier(scene, {area.right() - bar_w, area.y, bar_w, end - area.y});
        return end;
    }
    const float bottom = rows.fit ? draw_full_rows(scene, inner, rows, range)
                                  : draw_slots(scene, inner, slots, range, has_barrier);
    if (has_barrier)
        draw_barrier(scene, {range.right, top, bar_w, bottom + scene.u(rows.fit ? 6 : 0) - top});
    return bottom;
}

}  // namespace tilereel::stage
