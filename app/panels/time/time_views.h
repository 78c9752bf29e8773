#pragma once
// The parts of the page "Where the time goes". Hollow is estimated, filled is measured.
//
// Names under which their controls are registered (register_widget):
//   time.size (a menu of M = N = K) time.estimated (the words) time.figure time.axis
//   time.pipe.<name> time.change.<n> time.quiz.<choice> time.variant.<kernel>.<tile>.<pad>
//   time.l2.order (a chooser) time.l2.grid time.l2.<array> time.l2.back time.l2.next
//   time.views.<Time, ...>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/array_role.h"
#include "app/panels/measure.h"
#include "app/panels/panel_column.h"
#include "app/panels/panel_memory.h"
#include "app/panels/time/speed_axis.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {

struct TimeContext {
    const Look& look;
    const Workbench& workbench;
    TimeMemory& memory;
    Commands& commands;
    const GpuModel& gpu;
    const TimeAnswer* answer = nullptr;       // nullptr: none yet
    const EstimatedLaunch* launch = nullptr;  // nullptr: none yet, or it cannot be estimated
    TimedSpeed speed{};                       // of `launch`

    [[nodiscard]] const Palette& colors() const { return look.colors(); }
    [[nodiscard]] float type(float units) const { return type_px(look, units); }
    [[nodiscard]] const TimeEstimate& estimate() const { return launch->estimate; }
    [[nodiscard]] bool is_about() const {
        return launch != nullptr && launch->estimate.kind == EstimateKind::kAbout;
    }
    // By which the time may be longer or shorter.
    [[nodiscard]] double band() const { return estimate().high / estimate().seconds; }
    [[nodiscard]] bool may_show(const TimeChange& change) const {
        return memory.quiz.may_show(static_cast<std::size_t>(&change - launch->changes.data()));
    }
    // Of an array's figures: its role's, or an ink where it has none.
    [[nodiscard]] ImU32 color_of(std::string_view array) const {
        const std::optional<ColorRole> role = role_of_named(workbench.replay(), array);
        if (!role) return colors().ink3;
        return *role == ColorRole::kNone ? colors().ink2 : colors().solid(*role);
    }
    [[nodiscard]] Rect room_of(const Rect& card) const { return inside_card(look, card); }
};

// The changes as they are listed: what to try first is first, except where that would answer a
// question of "Predict first".
[[nodiscard]] std::vector<const TimeChange*> changes_on_page(const EstimatedLaunch& launch,
                                                             const TimeMemory& memory);

// Each draws from the top left corner of `place` and returns its height in pixels.
float draw_time_headline(const TimeContext& time, const Rect& place);
float draw_time_pipes(const TimeContext& time, const Rect& place);
// `seen`: the part of the page in which the rows scroll.
float draw_time_changes(const TimeContext& time, const Rect& place, const Rect& seen,
                        float& scroll);
float draw_time_ladder(const TimeContext& time, const Rect& place);
float draw_time_l2(const TimeContext& time, const Rect& place);

// What a click on the row does; empty: nothing.
[[nodiscard]] Commands commands_of_change(const Workbench& workbench, const TimeChange& change);
// A range of speeds, hollow with a dashed edge, and a diamond at the estimate.
void draw_estimate_mark(const Look& look, const Rect& band, float diamond_x, ImU32 color,
                        ImU32 tint);
void draw_estimated_tag(const TimeContext& time, ImVec2 at, float px);  // at: the left edge, middle
[[nodiscard]] float estimated_tag_width(float px);

}  // namespace tilereel
