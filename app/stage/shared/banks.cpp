// The banks: in rows of 16 below the tiles, 4 to a row beside them, or in one row below arrays that
// are shown by bank.
#include <algorithm>
#include <cmath>

#include "app/replay/sentence/sentence_facts.h"
#include "app/stage/shared/bank_use.h"
#include "app/stage/word_glide.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel::stage {
namespace {

constexpr float kTypeInBank = 0.7f;  // font size as a share of a bank's width

std::string number(std::uint32_t n) { return std::to_string(n); }

// Banks or lanes as cells with gaps between them, and numbers of this font size.
struct BankGrid : CellWindow {
    ImVec2 gap{};
    float px = 0;
    [[nodiscard]] Rect place(std::uint32_t index, std::uint32_t joined = 1) const {
        return slot(index, gap, joined);
    }
};

// Draws the banks, each with the lane that it serves or, if `with_index`, its number. Those of a
// wide access are drawn as one cell.
void draw_cells_of_banks(Scene& scene, const BankGrid& grid, const RequestBanks& now,
                         bool with_index) {
    std::vector<BankCell> cells;
    for (std::uint32_t bank = 0, joined = 1; bank < scene.banks(); bank += joined) {
        const BankUse& use = now.bank[bank];
        joined = joined_banks(scene, now, bank, (bank / grid.columns + 1) * grid.columns);
        std::string text = use.now.empty() ? "" : number(use.now.front());
        if (with_index) text = number(bank) + (joined > 1 ? ".." + number(bank + joined - 1) : "");
        const Rect rect = grid.place(bank, joined);
        cells.push_back({rect, look_of_bank(use), text, use.now.size() > 1});
        if (scene.points_at(rect)) hover_bank(scene, bank);
    }
    draw_bank_cells(scene, std::move(cells), grid.px);
    register_widget("stage.banks", grid.window);
}

// The banks in rows of `across`.
BankGrid grid_of_banks(const Scene& scene, const Rect& area, float top, std::uint32_t across,
                       float pitch_y) {
    BankGrid grid{{.rows = (scene.banks() + across - 1) / across, .columns = across}};
    grid.show_all({area.x, top}, {area.w / static_cast<float>(across), pitch_y});
    return grid;
}

// Draws the lanes that wait at the bank with the longest queue, as many as fit. After a change of
// PAD or TILE the queue grows or shrinks to its new length, without the numbers of its lanes.
void draw_queue(Scene& scene, const Rect& area, float pitch, const RequestBanks& now) {
    std::vector<std::string> waiting;
    if (const auto gliding = gliding_wavefronts(scene))
        waiting.resize(*gliding - std::min(*gliding, 1u));
    else if (now.worst != kNoIndex)
        for (const std::uint32_t lane : now.bank[now.worst].waiting)
            waiting.push_back(number(lane));
    const ImVec2 gap{scene.u(2), scene.u(4)};
    const CellWindow grid{.window = area,
                          .pitch_x = pitch,
                          .pitch_y = scene.u(4) + scene.f(14) + gap.y,
                          .columns = static_cast<std::uint32_t>(std::max(1.0f, area.w / pitch))};
    std::vector<BankCell> cells;
    for (std::uint32_t i = 0; i < waiting.size(); ++i)
        if (const Rect rect = grid.slot(i, gap); rect.bottom() <= area.bottom())
            cells.push_back({rect, CellLook::kConflictWaiting, waiting[i]});
    draw_bank_cells(scene, std::move(cells), std::min(scene.f(11), pitch * 0.66f));
}

void draw_two_rows(Scene& scene, const RequestBanks& now) {
    const Palette& colors = scene.colors();
    const Rect area = scene.above_chips(scene.layout.bank_area);
    const float heading = area.y + scene.u(8) + scene.f(9);
    const float w =
        draw_text({area.x, heading}, number(scene.banks()) + " banks",
                  scene.text(Face::kSemiBold, scene.layout.small ? 15 : 20, colors.ink));
    const std::string caption = caption_of_banks(scene, now);
    const TextStyle right = caption_style(scene, now, Align::kRight);
    const float room = area.w - w - scene.u(12);
    const std::string brief = caption.substr(0, caption.find_first_of(",:"));
    draw_text_shrunk(scene, {area.right(), heading}, room,
                     longest_that_fits({caption, brief}, room, right), right);

    const LastShared last = last_shared(scene, now);
    const float index_h = scene.f(11) + scene.u(9);  // the banks' numbers below them
    BankGrid grid =
        grid_of_banks(scene, area, heading + scene.u(11) + scene.f(12), 16, scene.u(30) + index_h);
    grid.gap = {scene.look.frame(), index_h};
    grid.px = std::min(scene.f(11), grid.pitch_x * kTypeInBank);
    draw_cells_of_banks(scene, grid, now, false);
    std::vector<BankCell> numbers;
    for (std::uint32_t bank = 0; bank < scene.banks(); ++bank) {
        const Rect rect = grid.place(bank);
        mark_last_shared(scene, rect, last, bank);
        numbers.push_back(
            {{rect.x, rect.bottom(), rect.w, index_h}, CellLook::kNothing, number(bank)});
    }
    draw_bank_cells(scene, std::move(numbers), grid.px);
    const float below = grid.window.bottom() + scene.u(5) + scene.f(8);
    if (below > area.bottom() - scene.u(6)) return;
    const TextStyle style = scene.body(colors.ink3);
    if (last.site != nullptr) {
        const std::string wavefronts = ", " + counted(last.wavefronts, "wavefront", "wavefronts");
        const std::string whole =
            "last request: " + std::string(words_for(last.site->operation).request) + " " +
            scene.trace.arrays[last.site->array].name + wavefronts;
        const char* const prefix = text_width(whole, style) > area.w ? "last: " : "last request: ";
        const float x = area.x + draw_request(scene, {area.x, below}, prefix, *last.site, style);
        draw_text_shrunk(scene, {x, below}, area.right() - x, wavefronts, style);
        return;
    }
    if (!gliding_wavefronts(scene))
        draw_text_shrunk(scene, {area.x, below}, area.w, banks_text(scene, now, true), style);
    const float queue = below + scene.f(10) + scene.u(6);
    draw_queue(scene, {area.x, queue, area.w, area.bottom() - scene.u(6) - queue}, grid.pitch_x,
               now);
}

void draw_eight_rows(Scene& scene, const RequestBanks& now) {
    const Palette& colors = scene.colors();
    const Rect area = scene.above_chips(scene.layout.bank_area);
    const bool small = scene.layout.small;
    const float heading = area.y + (small ? scene.u(2) + scene.f(14) : scene.u(14) + scene.f(18));
    draw_text_shrunk(scene, {area.x, heading}, area.w, number(scene.banks()) + " banks",
                     scene.text(Face::kSemiBold, small ? 15 : 20, colors.ink));
    const float top = heading + scene.u(8) + scene.f(small ? 10 : 14);
    // The banks leave room below them for the number of wavefronts. More lines are drawn if they
    // fit: the number of lanes and banks, or the longest queue.
    const float below = scene.u(6) + scene.f(10) + scene.f(12) + scene.u(4);
    const float pitch_x = area.w / 4;
    const auto bank_rows = static_cast<float>((scene.banks() + 3) / 4);
    const float pitch_y = std::min({scene.u(8) + scene.f(20), pitch_x * 0.9f,
                                    std::floor((area.bottom() - below - top) / bank_rows)});
    BankGrid grid = grid_of_banks(scene, area, top, 4, pitch_y);
    grid.gap = {scene.u(3), scene.u(4)};
    grid.px = std::min({scene.f(11), pitch_y * 0.6f, pitch_x * 0.5f});
    draw_cells_of_banks(scene, grid, now, true);
    float y = grid.window.bottom() + scene.u(6) + scene.f(10);
    const bool conflict = now.worst != kNoIndex;
    std::string head = caption_of_banks(scene, now);
    const bool glides = gliding_wavefronts(scene).has_value();
    if (!now.idle && !conflict && !glides)
        head = counted(scene.state.request.cost.wavefronts, "wavefront", "wavefronts");
    draw_text_shrunk(scene, {area.x, y}, area.w, head,
                     scene.text(now.idle ? Face::kRegular : Face::kBold, now.idle ? 14 : 20,
                                conflict || glides ? colors.conflict
                                : now.idle         ? colors.ink2
                                                   : colors.ink));
    if (now.idle) return;
    y += scene.f(24);
    if (y + scene.f(8) > area.bottom()) return;
    std::string words = counted(scene.state.request.cost.lanes, "lane", "lanes") + ", " +
                        counted(now.used, "bank", "banks");
    if (text_width(words, Face::kRegular, scene.f(14)) > area.w)
        words = counted(now.used, "bank", "banks");
    if (conflict) words = "queue at bank " + number(now.worst);
    if (!glides) draw_text_shrunk(scene, {area.x, y}, area.w, words, scene.body(colors.ink2));
    y += scene.f(11) + scene.u(4);
    draw_queue(scene, {area.x, y, area.w, area.bottom() - scene.u(8) - y}, area.w / 6, now);
}

constexpr std::uint32_t kMostWavefronts = 64;  // largest number of wavefronts drawn separately

struct Rows {
    BankGrid banks, lanes;  // the lanes are below the banks
};

// Draws a line from a bank to a point below it.
void connect(Scene& scene, const Rect& bank, ImVec2 to, ImU32 color) {
    draw_list()->AddLine({bank.center().x, bank.bottom() + scene.u(3)}, {to.x, to.y - scene.u(3)},
                         color, scene.look.hair());
}

void draw_bank_row(Scene& scene, const BankGrid& banks, const RequestBanks& now) {
    std::vector<BankCell> cells;
    for (std::uint32_t bank = 0; bank < scene.banks(); ++bank) {
        cells.push_back({banks.place(bank), look_of_bank(now.bank[bank]), std::to_string(bank)});
        if (scene.points_at(cells.back().rect)) hover_bank(scene, bank);
    }
    draw_bank_cells(scene, std::move(cells), banks.px);
    const LastShared last = last_shared(scene, now);
    for (std::uint32_t bank = 0; bank < scene.banks(); ++bank)
        mark_last_shared(scene, banks.place(bank), last, bank);
}

// Draws one queue: the lane at the bank, then the waiting lanes to its right, as many as fit.
void draw_long_queue(Scene& scene, const Rows& rows, const RequestBanks& now) {
    const BankUse& use = now.bank[now.worst];
    const auto length = static_cast<std::uint32_t>(use.waiting.size()) + 1;
    const std::uint32_t columns = scene.banks();
    const std::uint32_t first = std::min(now.worst, columns - std::min(length, columns));
    const Rect head = rows.lanes.place(first);
    std::vector<BankCell> cells;
    if (!use.now.empty()) {
        // If the queue does not fit, it is shifted to the left, and the line is drawn at an angle.
        connect(scene, rows.banks.place(now.worst), {head.center().x, head.y},
                scene.colors().conflict);
        cells.push_back({head, CellLook::kConflictCurrent, std::to_string(use.now.front())});
    }
    for (std::uint32_t i = 0; i < use.waiting.size() && first + 1 + i < columns; ++i)
        cells.push_back({rows.lanes.place(first + 1 + i), CellLook::kConflictWaiting,
                         std::to_string(use.waiting[i])});
    draw_bank_cells(scene, std::move(cells), rows.lanes.px);
    const TextStyle style = scene.text(Face::kSemiBold, 14, scene.colors().conflict);
    if (const float left = rows.lanes.window.x;
        head.x - left > text_width("queue", style) + scene.look.gap())
        draw_text({left, head.center().y}, "queue", style);
}

// Draws a queue that grows or shrinks to its new length after a change of PAD or TILE.
void draw_gliding_queue(Scene& scene, const Rows& rows, std::uint32_t length) {
    const std::uint32_t shown = std::min(length, scene.banks());
    std::vector<BankCell> cells;
    for (std::uint32_t i = 0; i < shown; ++i)
        cells.push_back({rows.lanes.place(i),
                         i == 0 ? CellLook::kConflictCurrent : CellLook::kConflictWaiting});
    draw_bank_cells(scene, std::move(cells), rows.lanes.px);
}

// Draws below each bank the lane that it serves or, if it serves none now, the next waiting one.
void draw_lane_row(Scene& scene, const Rows& rows, const RequestBanks& now) {
    const ImU32 line = scene.colors().solid(scene.role_of_request());
    std::vector<BankCell> cells;
    std::uint32_t joined = 1;
    for (std::uint32_t bank = 0; bank < scene.banks(); bank += joined) {
        const BankUse& use = now.bank[bank];
        joined = joined_banks(scene, now, bank, scene.banks());
        if (use.now.empty() && use.waiting.empty()) continue;
        const Rect rect = rows.lanes.place(bank, joined);
        for (std::uint32_t i = bank; i < bank + joined; ++i) {
            const Rect upper = rows.banks.place(i);
            connect(scene, upper, {upper.center().x, rect.y},
                    use.conflicted() ? scene.colors().conflict : line);
        }
        const CellLook look = look_of_bank(use);
        cells.push_back({rect, look == CellLook::kSolid ? CellLook::kValid : look,
                         std::to_string(use.now.empty() ? use.waiting.front() : use.now.front()),
                         use.now.size() > 1});
    }
    draw_bank_cells(scene, std::move(cells), rows.lanes.px);
}

// `row`: as high as the row of lanes.
void draw_wavefronts(Scene& scene, BankGrid row) {
    const RequestState& request = scene.state.request;
    // As many places as banks, or as wavefronts if there are more.
    const std::uint32_t count = std::min(request.cost.wavefronts, kMostWavefronts);
    row.columns = std::max(scene.banks(), count);
    row.pitch_x = row.window.w / static_cast<float>(row.columns);
    const bool conflict = request.cost.bank_conflicts > 0;
    std::vector<BankCell> cells;
    for (std::uint32_t i = 0; i < row.columns; ++i) {
        const bool now = i == request.wavefront && scene.state.step != kNoStep;
        CellLook look = conflict ? CellLook::kConflictWaiting : CellLook::kValid;
        if (now && conflict)
            look = CellLook::kConflictCurrent;
        else if (now || i < request.wavefront)
            look = CellLook::kSolid;
        if (i < count)
            cells.push_back({row.place(i), look, std::to_string(i + 1)});
        else
            cells.push_back({row.place(i), CellLook::kStale});  // not needed
    }
    draw_bank_cells(scene, std::move(cells), std::min(row.px, row.pitch_x * kTypeInBank));
}

}  // namespace

void draw_banks(Scene& scene) {
    const RequestBanks now = banks_of_request(scene);
    const bool wide = scene.layout.bank_area.w >= 16 * scene.u(26);  // room for 16 in a row
    if (scene.layout.banks == BanksForm::kEightRows && !wide)
        draw_eight_rows(scene, now);
    else
        draw_two_rows(scene, now);
}

void draw_bank_columns(Scene& scene) {
    const Palette& colors = scene.colors();
    const Rect& area = scene.layout.bank_area;
    const RequestBanks now = banks_of_request(scene);
    const bool small = scene.layout.small;
    const float px =
        std::min(scene.f(11), area.w / static_cast<float>(scene.banks()) * kTypeInBank);
    // Leaves room for the number above the bar of the last request.
    const float bank_h = std::max(scene.u(small ? 22 : 30), std::ceil(px) + scene.u(10));
    const auto row_at = [&](float y, float h) {
        return BankGrid{
            CellWindow::filling({area.x, y, area.w, h}, 1, scene.banks()), {scene.u(2), 0}, px};
    };
    const BankGrid banks = row_at(area.y, bank_h);
    BankGrid lanes = row_at(banks.window.bottom() + scene.u(small ? 12 : 22),
                            std::max(scene.u(small ? 20 : 26), std::ceil(px) + scene.u(4)));
    draw_bank_row(scene, banks, now);
    register_widget("stage.banks", banks.window);
    const std::optional<std::uint32_t> gliding = gliding_wavefronts(scene);
    if (gliding) {
        draw_gliding_queue(scene, {banks, lanes}, *gliding);
    } else if (!now.idle) {
        if (now.queues == 1)
            draw_long_queue(scene, {banks, lanes}, now);
        else
            draw_lane_row(scene, {banks, lanes}, now);
    }
    float y = lanes.window.bottom() + scene.u(6) + scene.f(9);
    if (y + scene.f(8) > area.bottom()) return;
    const TextStyle caption = caption_style(scene, now);
    const float w = draw_text_shrunk(
        scene, {area.x, y}, scene.right_of_words(y, area.right()) - area.x,
        number(scene.banks()) + (now.idle ? " banks " : " banks: ") + caption_of_banks(scene, now),
        caption);
    float words_x = area.x + w + scene.u(16);
    if (!now.idle && !gliding) {  // during the glide the words would contradict the number
        const TextStyle style = scene.body(colors.ink2);
        const auto text_for = [&](float width) {
            return longest_that_fits({banks_text(scene, now, small), banks_text(scene, now, true)},
                                     width, style);
        };
        float right = scene.right_of_words(y, area.right());
        std::string words = text_for(right - words_x);
        if (text_width(words, style) > right - words_x) {  // on a separate line
            words_x = area.x;
            y += scene.f(20);
            right = scene.right_of_words(y, area.right());
            words = text_for(right - words_x);
        }
        if (y + scene.f(6) <= area.bottom() && text_width(words, style) <= right - words_x)
            draw_text({words_x, y}, words, style);
    }
    y += scene.u(12) + scene.f(14);
    if (now.idle || y + scene.f(10) + lanes.window.h > scene.above_chips(area).bottom()) return;
    draw_text({area.x, y}, "wavefronts of this request",
              scene.text(Face::kRegular, 13, colors.ink3));
    lanes.window.y = y + scene.u(6) + scene.f(8);
    draw_wavefronts(scene, lanes);
}

}  // namespace tilereel::stage
