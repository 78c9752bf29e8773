// The use of the memory pipe over time, below the transport controls.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/measure.h"
#include "app/panels/panel_memory.h"
#include "app/panels/timeline/timeline_former.h"
#include "app/panels/timeline/timeline_header.h"
#include "app/panels/timeline/timeline_roles.h"
#include "app/replay/sentence/wording.h"
#include "app/ui/draw/glide.h"
#include "app/ui/widgets/tip.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

// The layout of the panel.
struct Places {
    Rect header;
    Rect track;    // the time axis; its height includes labels, rows and baseline
    float labels;  // middle of the phase labels
    // Tops: global, shared, conflicts, buffers, products of tensor cores.
    std::array<float, 5> rows;
    float row, bar;  // heights of a row and of the intervals in it
    float bottom;    // of the last row
    float caption_px;
    bool conflicts, buffers, tensor;  // the row is shown
    std::size_t roles;                // in place of global, shared, conflicts and products
};
constexpr std::string_view kNoConflicts = "no conflicts";
// In lower rows names would touch, or be much smaller than the other text. Rows of roles have names
// in their bars, too.
float least_row(const Look& look, bool roles) {
    return std::max(look.px(10), (roles && extra_px(look) > 0 ? 0.8f : 0.65f) * type_px(look, 14));
}

Places places_of(const Look& look, const Rect& rect, const TimelineRows& shown) {
    const auto [conflicts, buffers, tensor, roles] = shown;
    const bool low = rect.h < look.px(118) + 4.6f * extra_px(look);
    Places p{};
    p.conflicts = conflicts, p.buffers = buffers, p.tensor = tensor, p.roles = roles;
    const float pad = look.pad(), top = look.px(10);
    const float control =
        std::min(std::round(look.px(low ? 30 : 36) + 1.2f * extra_px(look)), rect.h * 0.36f);
    p.header = {rect.x + pad, rect.y + top, rect.w - 2 * pad, control};
    const float body_top = p.header.bottom() + look.px(low ? 2 : 6);
    const float body = rect.bottom() - look.gap() - body_top;
    const float label_row = body * (buffers ? 0.24f : 0.28f);
    const float height = body - label_row;
    const auto single = static_cast<float>(shown.single());
    // The row of buffers is higher than the others, as long as these hold their captions.
    const float buffers_row =
        buffers ? std::clamp(height / look.px(11.5f) - single, 1.5f, 2.5f) : 0;
    p.row = std::floor(height / (single + buffers_row));
    p.bar = std::round(p.row * 0.72f);
    p.labels = body_top + label_row * 0.45f;
    const auto top_of = [&](int row) {
        return std::round(body_top + label_row + static_cast<float>(row) * p.row);
    };
    int row = 0;
    p.rows[0] = top_of(row++);
    p.rows[1] = top_of(row++);
    p.rows[4] = top_of(tensor ? row++ : row);
    p.rows[2] = top_of(conflicts ? row++ : row);
    p.rows[3] = top_of(roles > 0 ? static_cast<int>(roles) : row);
    p.bottom = top_of(static_cast<int>(shown.single())) + buffers_row * p.row;
    p.caption_px = std::min(type_px(look, 13),
                            std::max({p.row * 0.86f, std::min(p.row, look.wide()), look.px(11)}));
    const float captions = text_width(kNoConflicts, Face::kRegular, p.caption_px) + look.pad();
    p.track = {std::round(p.header.x + captions), body_top, 0, body};
    p.track.w = p.header.right() - p.track.x;
    return p;
}

// Intervals before the play head are strong, the current one solid, those after it pale. `color`:
// of all intervals; otherwise each has the colour of its arrays.
void draw_intervals(const Look& look, const std::vector<TrackInterval>& intervals, const Rect& row,
                    float head, bool merged, std::optional<ImU32> color = {}) {
    const Palette& colors = look.colors();
    for (const TrackInterval& interval : intervals) {
        const float begin = row.x + interval.begin, end = std::max(row.x + interval.end, begin + 1);
        const float toward = begin > head                ? kFutureShare
                             : !merged && head < end + 1 ? 0
                                                         : kPastShare;
        const float height = std::max(1.0f, interval.fill * row.h);
        draw_list()->AddRectFilled(
            {begin, row.bottom() - height}, {end, row.bottom()},
            mix(color.value_or(color_of_interval(colors, interval)), colors.panel, toward),
            merged ? 0 : look.px(2));
    }
}

// Draws a thin line while a plane is filled and a thick one while it is read. Planes are stacked,
// and within each plane As is above Bs.
void draw_uses(const Look& look, const TimelineTracks& tracks, const Places& p, float head) {
    const Palette& colors = look.colors();
    const float lane = (p.bottom - p.rows[3] - look.line()) / static_cast<float>(tracks.planes);
    const float line = std::max(1.0f, std::floor((lane - 1) / 2));
    for (const TrackUse& use : tracks.uses) {
        const float begin = p.track.x + use.begin, end = p.track.x + use.end;
        const float y = std::round(p.rows[3] + static_cast<float>(use.plane) * lane) +
                        (use.role == ColorRole::kB ? line : 0);
        const bool now = head >= begin && head < end;
        const ImU32 color = mix(colors.panel, colors.solid(use.role),
                                now        ? 1.0f
                                : use.read ? 0.6f
                                           : 0.45f);
        const float height = use.read ? line : std::max(1.0f, std::floor(line * 0.5f));
        draw_list()->AddRectFilled({begin, y + (line - height) / 2},
                                   {end - (end - begin > 3 ? 1.0f : 0.0f), y + (line + height) / 2},
                                   color);
    }
}

void draw_roles(const Look& look, const TimelineTracks& tracks, const Places& p, float head) {
    for (std::size_t i = 0; i < p.roles; ++i) {
        const Rect row{p.track.x, std::round(p.rows[0] + static_cast<float>(i) * p.row), p.track.w,
                       p.bar};
        const float room = p.track.x - p.header.x - look.hair();
        const std::vector<std::string>& names = tracks.roles[i].names;
        const TextStyle style{Face::kRegular, p.caption_px, look.colors().ink2};
        draw_text({p.header.x, row.center().y}, longest_that_fits(names, room, style), style);
        draw_role(look, tracks.roles[i], row, head);
        register_widget("timeline.role." + std::to_string(i), row);
    }
}

// `opening`: the barrier that has just opened. Its mark is wider, and parts in the middle.
void draw_barriers(const Look& look, const TimelineTracks& tracks, const Places& p,
                   const std::optional<BarrierOpening>& opening) {
    constexpr float kPost = 0.15f;  // what stays at either end, as a share of the mark's height
    if (tracks.barriers.empty()) return;
    const float spacing = p.track.w / static_cast<float>(tracks.barriers.size());
    const float width = std::clamp(spacing / 3, 1.0f, look.px(4));
    const float top = p.rows[0] - look.tight(), height = p.bottom - top;
    // Very many barriers would hide the tracks: their marks stand above these.
    const bool dense = spacing < look.px(8);
    const float bottom = dense ? p.rows[0] - look.hair() : p.bottom;
    const TrackMark* opened = nullptr;
    for (const TrackMark& mark : tracks.barriers) {
        if (opening && mark.index <= opening->barrier) opened = &mark;
        const float x = std::round(p.track.x + mark.at - width / 2);
        draw_list()->AddRectFilled({x, top}, {x + width, bottom}, look.colors().wait,
                                   width > 2 ? look.line() : 0);
    }
    if (opened == nullptr || dense) return;
    const float gap = opening->gap(), part = height * between(0.5f, kPost, gap);
    const float wide = width + gap * look.px(6);
    const Rect mark{p.track.x + opened->at - wide / 2, top, wide, height};
    draw_list()->AddRectFilled({mark.x, top}, {mark.right(), p.bottom}, look.colors().panel);
    for (const float y : {top, p.bottom - part})
        draw_list()->AddRectFilled({mark.x, y}, {mark.right(), y + part}, look.colors().wait,
                                   look.line());
    register_widget("timeline.opening", mark);
}

// Draws the label of a part. Where the play head stands in its text, the text has a plate: a line
// through a name makes it unreadable.
void draw_label(const Look& look, ImVec2 at, std::string_view text, const TextStyle& style,
                float head) {
    const float width = text_width(text, style), pad = look.px(2);
    if (head > at.x - pad && head < at.x + width + pad)
        fill_rect({at.x - pad, at.y - 0.6f * style.px, width + 2 * pad, 1.2f * style.px},
                  look.colors().panel);
    draw_text(at, text, style);
}

// Draws the label of the part that runs now, whose own room is too narrow: it lies over those of
// its neighbours. `taken`: the rectangle of other text in the row. Returns that of the label.
Rect draw_narrow_label(const Look& look, const TrackLabel& now, const Places& p, const Rect& taken,
                       float head) {
    const TextStyle style{Face::kBold, p.caption_px, look.colors().ink};
    const std::string& text = now.texts.back();
    const float width = text_width(text, style);
    const float x = std::clamp(p.track.x + (now.begin + now.end - width) / 2, p.track.x,
                               std::max(p.track.x, p.track.right() - width));
    if (taken.w > 0 && x <= taken.right() && x + width >= taken.x) return {};
    draw_label(look, {x, p.labels}, text, style, head);
    return Rect{x, p.labels - style.px / 2, width, style.px}.inset(-look.gap());
}

// `taken`: the rectangle of other text in the row.
void draw_labels(const Look& look, const TimelineTracks& tracks, const Replay& replay,
                 const Places& p, double position, const Rect& taken, float head) {
    const Palette& colors = look.colors();
    const std::optional<TrackLabel> now = label_at(replay, p.track.w, position);
    const auto runs = [&](const TrackLabel& label) { return now && now->span == label.span; };
    const auto style_of = [&](const TrackLabel& label) {
        return TextStyle{runs(label) ? Face::kBold : Face::kRegular, p.caption_px,
                         runs(label) ? colors.ink : colors.ink3};
    };
    // The text that fits; empty: none. The label of a copy may extend to the next label.
    const auto text_of = [&](std::size_t i) {
        const TrackLabel& label = tracks.labels[i];
        const float until = i + 1 < tracks.labels.size() ? tracks.labels[i + 1].begin : p.track.w;
        const float end = label.texts.size() > 1 ? until : label.end;
        const TextStyle style = style_of(label);
        return first_that_fits(label.texts, end - label.begin - look.snug(), style.face, style.px);
    };
    const auto own = std::ranges::find_if(tracks.labels, runs);
    const bool has_room = own != tracks.labels.end() &&
                          !text_of(static_cast<std::size_t>(own - tracks.labels.begin())).empty();
    const Rect narrow = now && !has_room ? draw_narrow_label(look, *now, p, taken, head) : Rect{};
    for (std::size_t i = 0; i < tracks.labels.size(); ++i) {
        const TrackLabel& label = tracks.labels[i];
        const std::string_view text = text_of(i);
        if (text.empty()) continue;
        const TextStyle style = style_of(label);
        const float width = text_width(text, style);
        const float x =
            p.track.x + label.begin + std::max(look.px(3), (label.end - label.begin - width) / 2);
        const bool is_free = (x > taken.right() || x + width < taken.x) &&
                             (narrow.w <= 0 || x > narrow.right() || x + width < narrow.x);
        if (is_free) draw_label(look, {x, p.labels}, text, style, head);
    }
}

// Draws a line between the two accesses of the finding at the shown moment, and says on it that no
// barrier is between them.
void draw_finding(const Look& look, const Replay& replay, const FindingScene* scene,
                  const Places& p) {
    if (scene == nullptr || !scene->pair || scene->pair->other_block) return;
    const Palette& colors = look.colors();
    const auto x_of = [&](Tick tick) {
        return p.track.x +
               p.track.w * static_cast<float>(static_cast<double>(tick) /
                                              static_cast<double>(replay.schedule().ticks));
    };
    const float from = x_of(std::min(scene->pair->earlier, scene->pair->later));
    const float to = x_of(std::max(scene->pair->earlier, scene->pair->later));
    const float size = std::min(p.bar, look.px(14)), middle = p.rows[1] + p.bar / 2;
    const float top = p.rows[0] + p.bar / 2;
    register_widget("timeline.finding",
                    {from, p.rows[0], std::max(1.0f, to - from), p.rows[1] + p.bar - p.rows[0]});
    const float bend = std::min(look.px(40), (to - from) / 2);
    draw_list()->AddBezierCubic({from, middle}, {from + bend, top}, {to - bend, top}, {to, middle},
                                colors.panel, look.px(5));
    draw_list()->AddBezierCubic({from, middle}, {from + bend, top}, {to - bend, top}, {to, middle},
                                colors.accent, std::max(2.0f, look.px(2)));
    draw_hazard_mark(colors, {from, middle}, size, true);
    draw_hazard_mark(colors, {to, middle}, size, true);
    const TextStyle style{Face::kBold, p.caption_px, colors.accent, Align::kCenter};
    // The words lie on the line, but under the labels of the phases.
    const float half = 0.7f * style.px, under = p.labels + 0.75f * style.px + half;
    const float line = std::clamp(top, under, std::max(under, p.bottom - half));
    for (const std::string_view words :
         {"no barrier between: either may come first", "no barrier between"}) {
        const float width = text_width(words, style.face, style.px) + look.pad();
        if (width > to - from - 3 * size) continue;
        const float center = (from + to) / 2;
        const Rect box{center - width / 2, line - half, width, 2 * half};
        fill_rect(box, colors.panel, look.px(4));
        draw_text({center, line}, words, style);
        register_widget("timeline.finding.words", box);
        return;
    }
}

void draw_head(const Look& look, const Rect& panel, const Places& p, float x) {
    const ImU32 accent = look.colors().accent;
    const float half = look.px(7), top = p.header.bottom() + look.line();
    draw_list()->AddRectFilled({x - look.px(1.5f), top},
                               {x + look.px(1.5f), panel.bottom() - look.tight()}, accent);
    draw_list()->AddTriangleFilled({x - half, top}, {x + half, top}, {x, top + half * 1.25f},
                                   accent);
}

std::string tip_at(const Replay& replay, double tick) {
    const std::uint32_t index = step_at(replay, tick);
    std::string text = "tick " + with_commas(static_cast<Tick>(tick) + 1);
    if (index == kNoStep) return text;
    const Step& step = replay.schedule().steps[index];
    const Site& site = replay.trace().sites[step.site];
    const RequestCost& cost = replay.schedule().costs[index];
    text += ": warp " + std::to_string(step.warp) + " " +
            std::string(site.is_of_product() ? "multiplies, wgmma reads"
                                             : words_for(site.operation).moment) +
            " " + replay.trace().arrays[site.array].name + ", line " + std::to_string(site.line);
    if (cost.bank_conflicts > 0)
        text += ", " + counted(cost.bank_conflicts, "bank conflict", "bank conflicts");
    return text;
}

void scrub(const Look& look, const Rect& panel, const Places& p, const Replay& replay,
           TimelineMemory& memory, Commands& commands) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const double share = std::clamp((mouse.x - p.track.x) / p.track.w, 0.0f, 1.0f);
    const double tick = share * static_cast<double>(replay.schedule().ticks);
    const Rect area{p.track.x, p.header.bottom() + look.hair(), p.track.w,
                    p.track.bottom() - p.header.bottom()};
    const Interaction touch = interact(look, "timeline.track", area, "");
    if (touch.hovered && !touch.held) {
        draw_tip(look, {mouse.x, panel.y, 1, panel.h}, tip_at(replay, tick));
        draw_list()->AddRectFilled({mouse.x, p.rows[0] - look.tight()},
                                   {mouse.x + look.line(), p.bottom}, look.colors().ink3);
    }
    if (touch.hovered) memory.pointed_tick = tick;
    if (touch.held)
        commands.push_back(SeekTo{tick, true});
    else if (memory.scrubbing)
        commands.push_back(SeekTo{tick, false});
    memory.scrubbing = touch.held;
}

const TimelineTracks& tracks_of(TimelineMemory& memory, const Look& look, const Replay& replay,
                                const Places& p) {
    if (replay.id() == memory.replay && memory.width == p.track.w && memory.scale == look.scale)
        return memory.tracks;
    memory.tracks = make_tracks(replay, p.track.w, look.hair(),
                                text_width("load 1", Face::kRegular, p.caption_px));
    memory.tracks.roles = make_roles(replay, p.track.w);
    memory.replay = replay.id();
    memory.width = p.track.w;
    memory.scale = look.scale;
    return memory.tracks;
}

// The second track has the requests that do not go to global memory.
std::string_view caption_of_second(const Replay* replay) {
    const auto has = [replay](Space space) {
        return replay != nullptr &&
               std::ranges::any_of(replay->trace().arrays,
                                   [space](const Array& array) { return array.space == space; });
    };
    return has(Space::kConstant) && !has(Space::kShared) ? "constant" : "shared";
}

}  // namespace

Commands draw_timeline(const Look& look, const Rect& rect, const Workbench& workbench,
                       PanelMemory& memory) {
    draw_card(look, rect);
    const Replay* replay = workbench.replay();
    Places p = places_of(look, rect, {});
    const float whole = p.track.w;
    const FormerEnd former = former_end(workbench, whole);
    p.track.w = former.track;
    if (replay != nullptr && replay->schedule().ticks > 0) {
        tracks_of(memory.parts().timeline, look, *replay, p);
        const float x = p.track.x, w = p.track.w;
        TimelineRows rows = rows_of(replay, memory.parts().timeline.rows);
        p = places_of(look, rect, rows);
        if (rows.buffers &&
            p.row < least_row(look, rows.roles > 0)) {  // not enough height for all rows
            rows.buffers = false;
            p = places_of(look, rect, rows);
        }
        p.track.x = x, p.track.w = w;  // keeps the width for which the tracks were made
    }

    Commands commands = draw_timeline_header(look, p.header, workbench, memory);

    const bool any_conflict = memory.parts().timeline.tracks.any_conflict;
    const std::array<std::string_view, 5> captions = {"global", caption_of_second(replay),
                                                      any_conflict ? "conflicts" : kNoConflicts,
                                                      "buffers", "tensor"};
    const bool by_space = p.roles == 0;
    const std::array<bool, 5> shown = {by_space, by_space, p.conflicts, p.buffers, p.tensor};
    for (std::size_t i = 0; i < captions.size(); ++i)
        if (shown[i])
            draw_text({p.header.x, p.rows[i] + (i == 3 ? p.bottom - p.rows[3] : p.bar) / 2},
                      captions[i], {Face::kRegular, p.caption_px, look.colors().ink2});
    if (replay == nullptr || replay->schedule().ticks == 0) {
        register_widget("timeline.track", p.track);
        return commands;
    }
    const TimelineTracks& tracks = memory.parts().timeline.tracks;
    const double share = workbench.position() / static_cast<double>(replay->schedule().ticks);
    const float head = p.track.x + p.track.w * static_cast<float>(std::clamp(share, 0.0, 1.0));
    const auto row = [&](std::size_t i) { return Rect{p.track.x, p.rows[i], p.track.w, p.bar}; };
    if (by_space) {
        draw_intervals(look, tracks.global, row(0), head, tracks.merged);
        draw_intervals(look, tracks.shared, row(1), head, tracks.merged);
    }
    draw_roles(look, tracks, p, head);
    if (p.tensor) draw_intervals(look, tracks.tensor, row(4), head, tracks.merged);
    if (p.conflicts)
        draw_intervals(look, tracks.conflicts, row(2), head, true, look.colors().conflict);
    if (p.buffers) draw_uses(look, tracks, p, head);
    draw_barriers(look, tracks, p, workbench.barrier_opening());
    const Rect taken = draw_former_end(
        look, former, {p.track.x, p.rows[0], whole, p.bottom - p.rows[0]}, p.labels, p.caption_px);
    scrub(look, rect, p, *replay, memory.parts().timeline, commands);
    draw_finding(look, *replay, workbench.finding_scene(), p);
    draw_head(look, rect, p, head);
    draw_labels(look, tracks, *replay, p, workbench.position(), taken, head);
    return commands;
}

}  // namespace tilereel
