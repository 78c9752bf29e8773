// The banks: in rows of 16 below the tiles, or 4 to a row beside them.
#include <algorithm>
#include <cmath>

#include "app/replay/facts.h"
#include "app/stage/bank_use.h"
#include "app/ui/widgets.h"

namespace tilereel::stage {
namespace {

std::string number(std::uint32_t n) { return std::to_string(n); }

// Draws a bank with `text`, or else the lane that it serves, and a bar if it serves several lanes
// with one word.
void draw_bank(Scene& scene, const Rect& rect, std::uint32_t bank, const BanksNow& now, float px,
               std::string text = {}) {
    const BankUse& use = now.bank[bank];
    const CellLook look = look_of_bank(use);
    if (text.empty() && !use.now.empty()) text = number(use.now.front());
    draw_bank_cell(scene, rect, look, scene.role_of_request(), text, px);
    if (use.now.size() > 1) {  // a broadcast: all these lanes read the same word
        const Rect bar{rect.x + scene.u(3), rect.y + scene.u(3), rect.w - scene.u(6), scene.u(2)};
        fill_rect(bar, scene.colors().on);
    }
    if (scene.points_at(rect)) hover_bank(scene, bank);
}

// Draws the banks. Those of a wide access are drawn as one cell. `gap`: between two cells.
void draw_cells_of_banks(Scene& scene, const CellWindow& grid, ImVec2 gap, const BanksNow& now,
                         float px, bool index_inside) {
    for (std::uint32_t bank = 0, joined = 1; bank < scene.banks(); bank += joined) {
        const std::uint32_t row = bank / grid.columns, column = bank % grid.columns;
        joined = joined_banks(scene, now, bank, (row + 1) * grid.columns);
        const Rect cells = grid.cells({row, column, row + 1, column + joined});
        draw_bank(scene,
                  {std::round(cells.x), cells.y, std::floor(cells.w - gap.x), cells.h - gap.y},
                  bank, now, px,
                  index_inside ? number(bank) + (joined > 1 ? ".." + number(bank + joined - 1) : "")
                               : std::string());
    }
    register_widget("stage.banks", grid.window);
}

// The banks in rows of `across`.
CellWindow grid_of_banks(const Scene& scene, const Rect& area, float top, std::uint32_t across,
                         float pitch_y) {
    const std::uint32_t rows = (scene.banks() + across - 1) / across;
    return {{area.x, top, area.w, static_cast<float>(rows) * pitch_y},
            area.w / static_cast<float>(across),
            pitch_y,
            0,
            0,
            rows,
            across};
}

// Draws the lanes that wait at the bank with the longest queue.
void draw_queue(Scene& scene, const Rect& area, float pitch, float height, const BanksNow& now) {
    if (now.worst == kNoIndex) return;
    const BankUse& use = now.bank[now.worst];
    const float px = std::min(scene.f(11), pitch * 0.66f);
    const auto across = static_cast<std::uint32_t>(std::max(1.0f, area.w / pitch));
    const CellWindow grid{area, pitch, height + scene.u(4)};
    for (std::uint32_t i = 0; i < use.waiting.size(); ++i) {
        const Rect cell = grid.cell({i / across, i % across});
        if (cell.y + height > area.bottom()) return;
        draw_bank_cell(scene, {std::round(cell.x), cell.y, pitch - scene.u(2), height},
                       CellLook::kConflictWaiting, ColorRole::kNone, number(use.waiting[i]), px);
    }
}

void draw_two_rows(Scene& scene, const BanksNow& now) {
    const Palette& colors = scene.colors();
    const Rect& area = scene.layout.bank_area;
    const float heading = area.y + scene.u(8) + scene.f(9);
    const float w =
        draw_text({area.x, heading}, number(scene.banks()) + " banks",
                  scene.text(Face::kSemiBold, scene.layout.small ? 15 : 20, colors.ink));
    draw_text_shrunk(scene, {area.right(), heading}, area.w - w - scene.u(12),
                     caption_of_banks(scene, now), caption_style(scene, now, Align::kRight));

    const LastShared last = last_shared(scene, now);
    const float cell_h = scene.u(30), index_h = scene.f(11), index_gap = scene.u(9);
    const CellWindow grid = grid_of_banks(scene, area, heading + scene.u(11) + scene.f(12), 16,
                                          cell_h + index_h + index_gap);
    const float px = std::min(scene.f(11), grid.pitch_x * 0.7f);
    draw_cells_of_banks(scene, grid, {scene.look.frame(), index_h + index_gap}, now, px, false);
    for (std::uint32_t bank = 0; bank < scene.banks(); ++bank) {
        const Rect cell = grid.cell({bank / 16, bank % 16});
        const Rect rect{std::round(cell.x), cell.y, std::floor(cell.w - scene.look.frame()),
                        cell_h};
        mark_last_shared(scene, rect, last, bank);
        draw_text({rect.center().x, rect.bottom() + scene.u(4) + index_h / 2}, number(bank),
                  {Face::kMono, px, colors.ink3, Align::kCenter});
    }
    const float below = grid.window.bottom() + scene.u(5) + scene.f(8);
    if (below > area.bottom() - scene.u(6)) return;
    const TextStyle style = scene.body(colors.ink3);
    if (last.site != nullptr) {
        const std::string wavefronts = ", " + counted(last.wavefronts, "wavefront", "wavefronts");
        const std::string whole =
            "last request: " + std::string(request_word(last.site->operation)) + " " +
            scene.trace.arrays[last.site->array].name + wavefronts;
        const char* const prefix = text_width(whole, style) > area.w ? "last: " : "last request: ";
        const float x = area.x + draw_request(scene, {area.x, below}, prefix, *last.site, style);
        draw_text_shrunk(scene, {x, below}, area.right() - x, wavefronts, style);
        return;
    }
    draw_text_shrunk(scene, {area.x, below}, area.w, banks_text(scene, now, true), style);
    const float queue = below + scene.f(10) + scene.u(6);
    draw_queue(scene, {area.x, queue, area.w, area.bottom() - scene.u(6) - queue}, grid.pitch_x,
               scene.u(4) + scene.f(14), now);
}

void draw_eight_rows(Scene& scene, const BanksNow& now) {
    const Palette& colors = scene.colors();
    const Rect& area = scene.layout.bank_area;
    const bool small = scene.layout.small;
    const float heading = area.y + (small ? scene.u(2) + scene.f(14) : scene.u(14) + scene.f(18));
    draw_text_shrunk(scene, {area.x, heading}, area.w, number(scene.banks()) + " banks",
                     scene.text(Face::kSemiBold, small ? 15 : 20, colors.ink));
    const float top = heading + scene.u(8) + scene.f(small ? 10 : 14);
    // Below the banks: the number of wavefronts, then lanes and banks, or the queue if it is only
    // partly visible.
    const float below = scene.u(6) + scene.f(10) + scene.f(12) + scene.u(4);
    const float pitch_x = area.w / 4;
    const auto bank_rows = static_cast<float>((scene.banks() + 3) / 4);
    const float pitch_y = std::min({scene.u(8) + scene.f(20), pitch_x * 0.9f,
                                    std::floor((area.bottom() - below - top) / bank_rows)});
    const CellWindow grid = grid_of_banks(scene, area, top, 4, pitch_y);
    draw_cells_of_banks(scene, grid, {scene.u(3), scene.u(4)}, now,
                        std::min({scene.f(11), pitch_y * 0.6f, pitch_x * 0.5f}), true);
    float y = grid.window.bottom() + scene.u(6) + scene.f(10);
    const bool conflict = now.worst != kNoIndex;
    std::string head = caption_of_banks(scene, now);
    if (!now.idle && !conflict)
        head = counted(scene.state.request.cost.wavefronts, "wavefront", "wavefronts");
    draw_text_shrunk(scene, {area.x, y}, area.w, head,
                     scene.text(now.idle ? Face::kRegular : Face::kBold, now.idle ? 14 : 20,
                                conflict   ? colors.conflict
                                : now.idle ? colors.ink2
                                           : colors.ink));
    if (now.idle) return;
    y += scene.f(24);
    if (y + scene.f(8) > area.bottom()) return;
    std::string words =
        counted(now.lanes, "lane", "lanes") + ", " + counted(now.used, "bank", "banks");
    if (text_width(words, Face::kRegular, scene.f(14)) > area.w)
        words = counted(now.used, "bank", "banks");
    if (conflict) words = "queue at bank " + number(now.worst);
    draw_text_shrunk(scene, {area.x, y}, area.w, words, scene.body(colors.ink2));
    y += scene.f(11) + scene.u(4);
    draw_queue(scene, {area.x, y, area.w, area.bottom() - scene.u(8) - y}, area.w / 6,
               scene.u(4) + scene.f(14), now);
}

}  // namespace

void draw_banks(Scene& scene) {
    const BanksNow now = banks_now(scene);
    if (scene.layout.banks == BanksForm::kEightRows)
        draw_eight_rows(scene, now);
    else
        draw_two_rows(scene, now);
}

}  // namespace tilereel::stage
