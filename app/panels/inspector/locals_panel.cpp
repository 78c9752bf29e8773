// The watched thread's local variables: all of them in the watched lane, and one of them in all 32
// lanes.
#include "app/panels/inspector/locals_lanes.h"
#include "app/panels/measure.h"
#include "app/panels/panel_column.h"
#include "app/panels/panel_memory.h"
#include "app/panels/panel_table.h"
#include "app/ui/widgets/scroll_bar.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

struct Row {
    LaneValues values{};
    std::string name{}, type{}, value{}, in_warp{};
    bool changed = false;  // in the watched lane, in this step
};

class LocalsColumn : public Column {
  public:
    LocalsColumn(const Look& look, const Rect& rect, const Replay& replay, const WarpLocals& locals,
                 std::uint32_t of_warp, std::uint32_t of_lane, LocalsMemory& memory)
        : Column(look, rect),
          replay_(replay),
          locals_(locals),
          warp_(of_warp),
          lane_(of_lane % kWarpSize),
          memory_(memory),
          small_(type_px(look, 13)) {
        const Trace& trace = replay_.trace();
        for (std::size_t i = 0; i < locals_.variables().size(); ++i) {
            const LocalVariable& variable = locals_.variables()[i];
            Row row{.values = locals_.values(i), .name = variable.name, .type = variable.type};
            const LocalValue& own = row.values[lane()];
            row.value = own.known ? short_text(trace, variable, own) : "-";
            row.in_warp = warp_values_text(trace, variable, row.values);
            row.changed = own.changed;
            rows_.push_back(std::move(row));
        }
    }

    float draw() {
        const Palette& colors = look_.colors();
        space(look_.gap());
        styled({{"Lane " + std::to_string(lane()) + " of warp " + std::to_string(warp_),
                 Face::kSemiBold, colors.ink},
                {"   keys: L lane, W warp", Face::kRegular, colors.ink3}},
               px_);
        if (rows_.empty()) {
            paragraph("This warp has assigned no variable.", Face::kRegular, colors.ink2);
            return height();
        }
        draw_variables();
        space(look_.gap());
        rule();
        space(look_.gap());
        draw_lanes(shown());
        space(look_.gap());
        return height();
    }

    [[nodiscard]] Commands commands() && { return std::move(commands_); }

  private:
    [[nodiscard]] std::uint32_t lane() const { return lane_; }

    // The index of the variable that is shown in all lanes.
    [[nodiscard]] std::size_t shown() const {
        for (std::size_t i = 0; i < rows_.size(); ++i)
            if (rows_[i].name == memory_.chosen) return i;
        // A floating-point variable is usually a sum, which is what one wants to see.
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const Local& local = replay_.trace().locals[locals_.variables()[i].local];
            if (local.type <= ElementType::kBfloat16) return i;
        }
        return rows_.size() - 1;
    }

    // Name, value, type, and the range of the values in this warp.
    void draw_variables() {
        const Palette& colors = look_.colors();
        WrapTable table(look_, small_, {Align::kLeft, Align::kRight, Align::kLeft, Align::kRight},
                        2);
        table.add({{"name", Face::kRegular, colors.ink3},
                   {"value", Face::kRegular, colors.ink3},
                   {"type", Face::kRegular, colors.ink3},
                   {"in this warp", Face::kRegular, colors.ink3}});
        for (const Row& row : rows_)
            table.add({{row.name, Face::kMonoBold, colors.ink},
                       {row.value, Face::kMonoBold, row.changed ? colors.c : colors.ink},
                       {row.type, Face::kMono, colors.ink3},
                       {row.in_warp, Face::kRegular, colors.ink2}});
        table.place(rect_.w);
        table.draw_row(0, {rect_.x, y_});
        space(table.row_height());
        for (std::size_t i = 0; i < rows_.size(); ++i)
            row(table.row_height(), [&](const Rect& place) {
                const Rect rect{place.x - look_.gap(), place.y, place.w + look_.pad(), place.h};
                const Interaction touch =
                    interact(look_, "locals." + rows_[i].name, rect,
                             "Show this variable in all lanes of the warp: " + rows_[i].type + " " +
                                 rows_[i].name);
                if (touch.clicked) memory_.chosen = rows_[i].name;
                draw_row_mark(look_, rect, i == shown(), touch.hovered);
                if (rows_[i].changed)
                    fill_rect(
                        {rect.x, rect.y + look_.hair(), look_.tight(), rect.h - look_.tight()},
                        colors.c, look_.px(2));
                table.draw_row(i + 1, place.min());
            });
    }

    // One variable in all lanes, with a bar and its value for each lane. Above them the iterations
    // of the loop that changes it or, without a loop, its latest values.
    void draw_lanes(std::size_t variable) {
        const Palette& colors = look_.colors();
        const ShownLanes lanes{replay_, locals_, variable, rows_[variable].values, lane()};
        styled({{rows_[variable].name, Face::kMonoBold, colors.c},
                {" in all lanes of warp " + std::to_string(warp_), Face::kRegular, colors.ink2}},
               px_);
        const float strip = draw_iterations(look_, {rect_.x, y_, rect_.w, 0}, small_, replay_,
                                            locals_, variable, lane());
        space(strip);
        if (strip == 0) styled(latest_values(colors, lanes), small_);
        space(look_.snug());
        row(1.5f * small_ * static_cast<float>(kLaneRows), [&](const Rect& rect) {
            if (const auto clicked = draw_lane_values(look_, rect, small_, lanes))
                commands_.push_back(ChooseLane{*clicked});
        });
    }

    const Replay& replay_;
    const WarpLocals& locals_;
    const std::uint32_t warp_, lane_;  // that are watched
    LocalsMemory& memory_;
    Commands commands_;
    const float small_;  // font size
    std::vector<Row> rows_;
};

const WarpLocals& locals_of(LocalsMemory& memory, const Replay& replay, std::uint32_t warp) {
    if (memory.replay != replay.id()) {
        memory.by_warp.clear();
        memory.replay = replay.id();
    }
    std::unique_ptr<WarpLocals>& locals = memory.by_warp[warp];
    if (locals == nullptr) locals = std::make_unique<WarpLocals>(replay, warp);
    return *locals;
}

}  // namespace

bool has_locals(const Workbench& workbench) {
    return workbench.replay() != nullptr && !workbench.replay()->trace().locals.empty();
}

Commands draw_locals(const Look& look, const Rect& rect, const Workbench& workbench,
                     PanelMemory& memory) {
    if (!has_locals(workbench)) return {};
    const Replay& replay = *workbench.replay();
    LocalsMemory& own = memory.parts().locals;
    const WatchedThread& thread = workbench.watched_thread();
    const std::uint32_t warp = thread.warp(replay.state(), replay);
    const WarpLocals& locals = locals_of(own, replay, warp);
    Commands commands;
    const float pad = look.pad();
    scrolled(look, rect, own.scroll, [&](const Rect& place) {
        const Rect room{rect.x + pad, place.y, rect.w - 2 * pad, 0};
        LocalsColumn column(look, room, replay, locals, warp, thread.lane(), own);
        const float height = column.draw();
        append(commands, std::move(column).commands());
        return height;
    });
    return commands;
}

}  // namespace tilereel
