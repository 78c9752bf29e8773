// The row of banks below tiles that are shown by bank: the lanes at each bank, the queue and the
// wavefronts.
#include <algorithm>
#include <cmath>

#include "app/stage/bank_use.h"
#include "app/ui/widgets.h"

namespace tilereel::stage {
namespace {

constexpr std::uint32_t kMostWavefronts = 64;  // largest number of wavefronts drawn separately

// A row of cells.
struct Row {
    Rect area;
    float pitch = 0, gap = 0, px = 0;
    [[nodiscard]] Rect slot(std::uint32_t column) const {
        const float x = std::round(area.x + static_cast<float>(column) * pitch);
        return {x, area.y, pitch - gap, area.h};
    }
};
struct Rows {
    Row banks, lanes;  // the lanes are below the banks
};

void connect(Scene& scene, const Rect& upper, const Rect& lower, ImU32 color) {
    const float x = upper.center().x;
    draw_list()->AddLine({x, upper.bottom() + scene.u(3)}, {x, lower.y - scene.u(3)}, color,
                         scene.look.hair());
}

void draw_bank_row(Scene& scene, const Row& banks, const BanksNow& now) {
    const LastShared last = last_shared(scene, now);
    for (int pass = 0; pass < 2; ++pass) {  // cells that are larger than their slot are drawn last
        for (std::uint32_t bank = 0; bank < scene.banks(); ++bank) {
            const CellLook look = look_of_bank(now.bank[bank]);
            if ((look == CellLook::kConflictCurrent) != (pass == 1)) continue;
            const Rect rect = banks.slot(bank);
            draw_bank_cell(scene, rect, look, scene.role_of_request(), std::to_string(bank),
                           banks.px);
            mark_last_shared(scene, rect, last, bank);
            if (scene.points_at(rect)) hover_bank(scene, bank);
        }
    }
}

// Draws one queue: the lane at the bank, then the waiting lanes to its right, as many as fit.
void draw_long_queue(Scene& scene, const Rows& rows, const BanksNow& now) {
    const Palette& colors = scene.colors();
    const BankUse& use = now.bank[now.worst];
    const auto length = static_cast<std::uint32_t>(use.waiting.size()) + 1;
    const Rect bank = rows.banks.slot(now.worst);
    const std::uint32_t columns = scene.banks();
    const std::uint32_t first = std::min(now.worst, columns - std::min(length, columns));
    const Rect head = rows.lanes.slot(first);
    if (!use.now.empty()) {
        // If the queue does not fit, it is shifted to the left, and the line is drawn at an angle.
        const ImVec2 from{bank.center().x, bank.bottom() + scene.u(3)};
        const ImVec2 to{head.center().x, head.y - scene.u(3)};
        draw_list()->AddLine(from, to, colors.conflict, scene.look.px(2));
    }
    for (std::uint32_t i = 0; i < use.waiting.size() && first + 1 + i < columns; ++i)
        draw_bank_cell(scene, rows.lanes.slot(first + 1 + i), CellLook::kConflictWaiting,
                       ColorRole::kNone, std::to_string(use.waiting[i]), rows.lanes.px);
    if (!use.now.empty())
        draw_bank_cell(scene, head, CellLook::kConflictCurrent, ColorRole::kNone,
                       std::to_string(use.now.front()), rows.lanes.px);
    const float label = text_width("queue", Face::kSemiBold, scene.f(14)) + scene.u(8);
    if (const float left = rows.lanes.area.x; head.x - left > label)
        draw_text({left, head.center().y}, "queue",
                  scene.text(Face::kSemiBold, 14, colors.conflict));
}

// Draws below each bank the lane that it serves and, if lanes wait, the next one.
void draw_lane_row(Scene& scene, const Rows& rows, const BanksNow& now) {
    const ColorRole role = scene.role_of_request();
    const ImU32 line = scene.colors().solid(role);
    std::uint32_t joined = 1;
    for (std::uint32_t bank = 0; bank < scene.banks(); bank += joined) {
        const BankUse& use = now.bank[bank];
        joined = joined_banks(scene, now, bank, scene.banks());
        if (use.now.empty() && use.waiting.empty()) continue;
        Rect rect = rows.lanes.slot(bank);
        rect.w += static_cast<float>(joined - 1) * rows.lanes.pitch;
        for (std::uint32_t i = bank; i < bank + joined; ++i)
            connect(scene, rows.banks.slot(i), rect,
                    use.conflicted() ? scene.colors().conflict : line);
        const bool waits = use.now.empty();
        draw_bank_cell(scene, rect,
                       waits ? (use.conflicted() ? CellLook::kConflictWaiting : CellLook::kStale)
                       : use.conflicted() ? CellLook::kConflictCurrent
                                          : CellLook::kValid,
                       role, std::to_string(waits ? use.waiting.front() : use.now.front()),
                       rows.lanes.px);
        if (use.now.size() > 1)  // more lanes read the same word
            fill_rect({rect.x + scene.u(4), rect.y + scene.u(3), rect.w - scene.u(8), scene.u(2)},
                      scene.colors().ink);
    }
}

// `row`: as high as the row of lanes.
void draw_wavefronts(Scene& scene, Row row) {
    const RequestState& request = scene.state.request;
    // As many slots as banks, or as wavefronts if there are more.
    const std::uint32_t count = std::min(request.cost.wavefronts, kMostWavefronts);
    const std::uint32_t places = std::max(scene.banks(), count);
    row.pitch = row.area.w / static_cast<float>(places);
    row.px = std::min(row.px, row.pitch * 0.705f);
    const ColorRole role = scene.role_of_request();
    const bool conflict = request.cost.bank_conflicts > 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (std::uint32_t i = 0; i < places; ++i) {
            const bool current = i == request.wavefront && scene.state.step != kNoStep;
            if ((current && conflict) != (pass == 1)) continue;
            CellLook look = CellLook::kStale;
            if (i < count) {
                look = i < request.wavefront ? CellLook::kSolid
                       : current ? (conflict ? CellLook::kConflictCurrent : CellLook::kSolid)
                                 : (conflict ? CellLook::kConflictWaiting : CellLook::kValid);
            }
            draw_bank_cell(scene, row.slot(i), look, role,
                           i < count ? std::to_string(i + 1) : std::string(), row.px);
        }
    }
}

}  // namespace

void draw_bank_columns(Scene& scene) {
    const Palette& colors = scene.colors();
    const Rect& area = scene.layout.bank_area;
    const BanksNow now = banks_now(scene);
    const bool small = scene.layout.small;
    const float pitch = area.w / static_cast<float>(scene.banks());
    const float px = std::min(scene.f(11), pitch * 0.705f);
    // Leaves room for the number above the bar of the last request.
    const float bank_h = std::max(scene.u(small ? 22 : 30), std::ceil(px) + scene.u(10));
    const Row banks{{area.x, area.y, area.w, bank_h}, pitch, scene.u(2), px};
    Row lanes = banks;
    lanes.area.y += bank_h + scene.u(small ? 12 : 22);
    lanes.area.h = scene.u(small ? 20 : 26);
    draw_bank_row(scene, banks, now);
    register_widget("stage.banks", banks.area);
    if (!now.idle) {
        if (now.queues == 1)
            draw_long_queue(scene, {banks, lanes}, now);
        else
            draw_lane_row(scene, {banks, lanes}, now);
    }
    float y = lanes.area.bottom() + scene.u(6) + scene.f(9);
    if (y + scene.f(8) > area.bottom()) return;
    const float w = draw_text({area.x, y}, caption_of_banks(scene, now), caption_style(scene, now));
    float words_x = area.x + w + scene.u(16);
    if (!now.idle) {
        const TextStyle style = scene.body(colors.ink2);
        const auto text_for = [&](float width) {
            return longest_that_fits({banks_text(scene, now, small), banks_text(scene, now, true)},
                                     width, style);
        };
        std::string words = text_for(area.right() - words_x);
        if (text_width(words, style) > area.right() - words_x) {  // on a separate line
            words_x = area.x;
            y += scene.f(20);
            words = text_for(area.w);
        }
        if (y + scene.f(6) <= area.bottom() && text_width(words, style) <= area.w)
            draw_text({words_x, y}, words, style);
    }
    y += scene.u(12) + scene.f(14);
    if (now.idle || y + scene.f(10) + lanes.area.h > area.bottom()) return;
    draw_text({area.x, y}, "wavefronts of this request",
              scene.text(Face::kRegular, 13, colors.ink3));
    lanes.area.y = y + scene.u(6) + scene.f(8);
    draw_wavefronts(scene, lanes);
}

}  // namespace tilereel::stage
