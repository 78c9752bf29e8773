#include "app/stage/tensor/slots.h"

#include <algorithm>
#include <string>

#include "app/replay/sentence/wording.h"
#include "app/ui/widgets/widgets.h"
#include "instrumentation/trace/lanes.h"

namespace tilereel::stage {
namespace {

constexpr std::uint32_t kLineBytes = 128, kSlotBytes = 16, kSlots = kLineBytes / kSlotBytes;

std::vector<std::uint32_t> lines_of(const WarpAccess& access) {
    std::vector<std::uint32_t> lines;
    for (const std::uint32_t lane : lanes_in(access.lanes.mask))
        lines.push_back(access.lanes.bytes[lane] / kLineBytes);
    std::ranges::sort(lines);
    lines.erase(std::ranges::unique(lines).begin(), lines.end());
    return lines;
}

// A cell of a grid of slots.
Rect slot_rect(const Rect& grid, std::size_t lines, std::size_t line, std::uint32_t slot) {
    const float w = grid.w / kSlots, h = grid.h / static_cast<float>(lines);
    return {grid.x + static_cast<float>(slot) * w, grid.y + static_cast<float>(line) * h, w, h};
}

float words_above(const TensorScene& scene) { return scene.u(4) + scene.f(22); }
float slot_numbers(const TensorScene& scene) { return 1.5f * std::min(scene.f(11), scene.u(14)); }

class SlotsDrawing {
  public:
    SlotsDrawing(TensorScene& scene, const SlotsPlace& place)
        : scene_(scene),
          colors_(scene.colors()),
          place_(place),
          request_(scene.request()),
          array_(scene.replay.trace()
                     .arrays[scene.replay.trace()
                                 .sites[scene.replay.schedule().steps[scene.moment.step].site]
                                 .array]) {}

    void draw() {
        title();
        ground(place_.grid, place_.lines.size());
        for (const SlotPiece& piece : place_.pieces) draw_piece(piece);
        numbers();
        figures();
        if (place_.plain.w > 0) plain();
        register_widget("stage.slots", place_.grid);
    }

  private:
    void title() {
        const float y = place_.all.y + scene_.f(11);
        float x = place_.all.x;
        x += draw_text({x, y}, array_.name,
                       {Face::kBold, std::min(scene_.f(18), scene_.u(24)),
                        colors_.solid(scene_.array_role)}) +
             scene_.u(8);
        const TextStyle style{Face::kRegular, scene_.f(14), colors_.ink2};
        const float right = place_.plain.w > 0 ? place_.plain.x - scene_.u(8) : place_.all.right();
        const float room = right - x;
        const std::string text = longest_that_fits(
            {"shared memory as it lies: a line has 128 bytes, 8 slots of 16",
             "shared memory: lines of 128 bytes, 8 slots", "lines of 128 bytes", ""},
            room, style);
        draw_text({x, y}, text, style);
    }

    void ground(const Rect& grid, std::size_t lines) {
        const float gap = grid.h / static_cast<float>(lines) >= scene_.look.px(6) ? scene_.u(1) : 0;
        for (std::size_t line = 0; line < lines; ++line)
            for (std::uint32_t slot = 0; slot < kSlots; ++slot)
                fill_rect(slot_rect(grid, lines, line, slot).inset(gap), colors_.cell,
                          gap > 0 ? scene_.look.px(2) : 0);
    }

    // Served: the array's tint; now: solid; a piece that waits because its slot is taken: conflict.
    void draw_piece(const SlotPiece& piece) {
        const ImU32 solid = colors_.solid(scene_.array_role);
        const bool now = piece.wavefront == scene_.wavefront;
        const bool conflict = is_conflict(piece);
        const float gap = piece.rect.h >= scene_.look.px(6) ? scene_.u(1) : 0;
        const Rect rect = piece.rect.inset(gap);
        const ImU32 fill = now ? (conflict ? colors_.conflict : solid)
                           : piece.wavefront > scene_.wavefront && conflict
                               ? colors_.conflict_tint
                               : colors_.tint(scene_.array_role);
        draw_box(rect, fill, conflict ? colors_.conflict : solid, scene_.look.line(),
                 gap > 0 ? scene_.look.px(3) : 0);
        const ImU32 ink = now ? colors_.on : colors_.ink;
        const float px = std::min(scene_.f(12), rect.h * 0.8f);
        float x = rect.x + scene_.u(3);
        if (px >= scene_.look.px(9) && rect.w > 2.4f * px) {
            draw_text({x, rect.center().y}, std::to_string(piece.matrix),
                      {Face::kMonoBold, px, ink});
            x += px;
        }
        ticks({x, rect.y, rect.right() - x - scene_.u(3), rect.h}, piece, ink);
        if (scene_.lane == int(piece.lane) || scene_.pointed == int(piece.lane))
            stroke_rect(piece.rect, colors_.accent, scene_.look.frame(), scene_.look.px(3));
    }

    // A piece is served later than the first of its matrix only because of a bank conflict.
    [[nodiscard]] bool is_conflict(const SlotPiece& piece) const {
        std::uint32_t first = piece.wavefront;
        for (const SlotPiece& each : place_.pieces)
            if (each.matrix == piece.matrix) first = std::min(first, each.wavefront);
        return piece.wavefront > first;
    }

    // Eight ticks, the elements of the piece; those that the chosen lane gets are long.
    void ticks(const Rect& area, const SlotPiece& piece, ImU32 ink) {
        if (area.w < scene_.look.px(14) || area.h < scene_.look.px(4)) return;
        for (int i = 0; i < 8; ++i) {
            bool its = false;
            for (int half = 0; half < 2; ++half)
                its = its || matrix_load_element(scene_.moment.transposed, scene_.lane, half) ==
                                 MatrixElement{piece.row, i};
            const float h = area.h * (its ? 0.7f : 0.25f);
            const float w = std::max(1.0f, std::round(scene_.look.px(its ? 2.0f : 1.0f)));
            const float x = area.x + (static_cast<float>(i) + 0.5f) * area.w / 8;
            fill_rect({std::round(x - w / 2), area.center().y - h / 2, w, h},
                      its ? ink : mix(colors_.tint(scene_.array_role), ink, 0.6f));
        }
    }

    // The rows of the matrices that lie in a line, and the slots.
    void numbers() {
        const float px = std::min(scene_.f(11), scene_.u(14)), pitch_x = place_.grid.w / kSlots;
        const TextStyle above{Face::kMono, px, colors_.ink3, Align::kCenter};
        for (std::uint32_t slot = 0; slot < kSlots; ++slot)
            draw_text({place_.grid.x + (static_cast<float>(slot) + 0.5f) * pitch_x,
                       place_.grid.y - 0.75f * px},
                      std::to_string(slot), above);
        const float pitch_y = place_.grid.h / static_cast<float>(place_.lines.size());
        std::size_t step = 1;
        while (static_cast<float>(step) * pitch_y < 1.25f * px) step *= 2;
        for (std::size_t i = 0; i < place_.lines.size(); i += step)
            draw_text({place_.grid.x - scene_.u(4),
                       place_.grid.y + (static_cast<float>(i) + 0.5f) * pitch_y},
                      std::to_string(place_.lines[i]),
                      {Face::kMono, px, colors_.ink3, Align::kRight});
    }

    // Wavefronts and conflicts at the right of the slots, and the wavefront that is served now.
    void figures() {
        const RequestCost& cost = request_.cost;
        const float x = place_.grid.right() + scene_.u(14);
        const float room =
            (place_.plain.w > 0 ? place_.plain.x : place_.all.right()) - scene_.u(6) - x;
        float y = place_.grid.y + scene_.f(12);
        y = figure(x, y, room, std::to_string(cost.wavefronts),
                   cost.wavefronts == 1 ? "wavefront" : "wavefronts", cost.bank_conflicts > 0);
        y = figure(x, y, room, std::to_string(cost.bank_conflicts),
                   cost.bank_conflicts == 1 ? "conflict" : "conflicts", cost.bank_conflicts > 0);
        const TextStyle style{Face::kRegular, scene_.f(13), colors_.ink2};
        const auto line = [&](const std::string& words, ImU32 color) {
            const TextStyle colored{style.face, style.px, color};
            if (y > place_.all.bottom() - scene_.f(7) || text_width(words, style) > room) return;
            draw_text({x, y}, words, colored);
            y += scene_.f(20);
        };
        line(std::to_string(scene_.wavefront + 1) + " of " + std::to_string(cost.wavefronts) +
                 " now",
             colors_.ink2);
        if (!place_.plain_rows || place_.plain.w > 0) return;
        line("plain rows:", colors_.ink2);
        line(std::to_string(place_.plain_rows->cost.wavefronts), colors_.conflict);
        line("computed", colors_.ink2);
    }

    float figure(float x, float y, float room, const std::string& value, const std::string& words,
                 bool conflict) {
        const TextStyle large{Face::kBold, scene_.f(24), conflict ? colors_.conflict : colors_.ink};
        const TextStyle small{Face::kRegular, scene_.f(13), colors_.ink2};
        if (y > place_.all.bottom() - scene_.f(28)) return y + scene_.f(46);
        draw_text({x, y}, value, large);
        if (text_width(words, small) <= room) draw_text({x, y + scene_.f(20)}, words, small);
        return y + scene_.f(46);
    }

    void plain() {
        const PlainRows& rows = *place_.plain_rows;
        const Rect& area = place_.plain;
        const std::vector<std::uint32_t> lines = lines_of(rows.access);
        const float px = scene_.f(14);
        const TextStyle words{Face::kRegular, px, colors_.ink2};
        draw_text(
            {area.x, place_.all.y + scene_.f(11)},
            longest_that_fits({"The same with plain rows", "Plain rows", "Plain"}, area.w, words),
            words);
        const float below = 2 * scene_.f(20) + scene_.f(22);
        const Rect grid{area.x, place_.grid.y, area.w,
                        std::max(scene_.u(8), place_.grid.h - below)};
        ground(grid, lines.size());
        const BankService service = bank_service(rows.access, scene_.replay.generation());
        std::array<std::uint32_t, 4> first{~0u, ~0u, ~0u, ~0u};
        for (const std::uint32_t lane : lanes_in(rows.access.lanes.mask))
            first[lane / 8] = std::min<std::uint32_t>(first[lane / 8], service.wavefront[lane]);
        for (const std::uint32_t lane : lanes_in(rows.access.lanes.mask)) {
            const std::uint32_t address = rows.access.lanes.bytes[lane];
            const auto line = static_cast<std::size_t>(
                std::ranges::lower_bound(lines, address / kLineBytes) - lines.begin());
            const Rect rect = slot_rect(grid, lines.size(), line, address / kSlotBytes % kSlots);
            const bool conflict = service.wavefront[lane] > first[lane / 8];
            draw_box(rect.h > 4 ? rect.inset(1) : rect,
                     conflict ? colors_.conflict_tint : colors_.tint(scene_.array_role),
                     conflict ? colors_.conflict : colors_.solid(scene_.array_role),
                     scene_.look.line(), rect.h > 4 ? scene_.look.px(2) : 0);
        }
        const float y = grid.bottom() + scene_.f(18);
        const bool worse = rows.cost.wavefronts > request_.cost.wavefronts;
        const std::string count = std::to_string(rows.cost.wavefronts);
        const TextStyle large{Face::kBold, scene_.f(24), worse ? colors_.conflict : colors_.ink};
        const float x = area.x + draw_text({area.x, y}, count, large) + scene_.u(8);
        const TextStyle small{Face::kRegular, scene_.f(13), colors_.ink2};
        const std::string conflicts = counted(rows.cost.bank_conflicts, "conflict", "conflicts");
        draw_text({x, y},
                  longest_that_fits({"wavefronts, " + conflicts, "wavefronts", ""},
                                    area.right() - x, small),
                  small);
        const std::string bytes = std::to_string(rows.row_bytes) + " bytes a row";
        const std::string without =
            rows.recorded == RowPlacement::kPadded
                ? "without " + std::to_string(rows.padding_bytes) + " bytes of padding"
                : "without the swizzle";
        draw_text({area.x, y + scene_.f(24)},
                  longest_that_fits(
                      {"computed: " + bytes + ", " + without, "computed: " + bytes, "computed"},
                      area.w, small),
                  small);
        register_widget("stage.plain_rows", grid);
    }

    TensorScene& scene_;
    const Palette& colors_;
    const SlotsPlace& place_;
    const RequestState& request_;
    const Array& array_;
};

}  // namespace

float least_height_of_slots(const TensorScene& scene) {
    const auto lines = static_cast<float>(lines_of(scene.request().access).size());
    return words_above(scene) + slot_numbers(scene) + lines * scene.look.px(6);
}

float most_height_of_slots(const TensorScene& scene) {
    const auto lines = static_cast<float>(lines_of(scene.request().access).size());
    // The figures beside it take as much as some lines.
    return words_above(scene) + slot_numbers(scene) + std::max(6.0f, lines) * scene.f(20);
}

SlotsPlace place_slots(const TensorScene& scene, const Rect& room) {
    SlotsPlace place;
    const RequestState& request = scene.request();
    place.lines = lines_of(request.access);
    place.plain_rows = plain_rows(request.access, scene.replay.generation());
    place.all = room;
    const float px = std::min(scene.f(11), scene.u(14));
    const float left = text_width("0000", Face::kMono, px) + scene.u(4);
    const float top = words_above(scene) + slot_numbers(scene);
    const float figures = scene.u(22) + text_width("wavefronts", Face::kRegular, scene.f(13));
    // The plain rows get a third where that leaves enough for the slots.
    const float words =
        text_width("wavefronts, 28 conflicts", Face::kRegular, scene.f(13)) + scene.f(36);
    const bool beside = place.plain_rows && room.w > left + figures + scene.u(160) + scene.u(100);
    const float plain = beside ? std::clamp(0.3f * room.w, scene.u(100), words) : 0;
    const auto lines = static_cast<float>(place.lines.size());
    const float h = std::min(room.h - top, lines * scene.f(20));
    place.grid = {
        room.x + left, room.y + top,
        std::min(room.w - left - figures - (beside ? plain + scene.u(12) : 0), 8 * scene.f(44)), h};
    if (beside) place.plain = {room.right() - plain, place.grid.y, plain, h};
    for (const std::uint32_t lane : lanes_in(request.access.lanes.mask)) {
        const std::uint32_t address = request.access.lanes.bytes[lane];
        SlotPiece piece{.lane = lane,
                        .matrix = static_cast<int>(lane / 8),
                        .row = static_cast<int>(lane % 8),
                        .slot = address / kSlotBytes % kSlots,
                        .wavefront = request.lanes[lane].wavefront,
                        .rect = {}};
        piece.line = static_cast<std::uint32_t>(
            std::ranges::lower_bound(place.lines, address / kLineBytes) - place.lines.begin());
        piece.rect = slot_rect(place.grid, place.lines.size(), piece.line, piece.slot);
        place.pieces.push_back(piece);
    }
    return place;
}

void draw_slots(TensorScene& scene, const SlotsPlace& place) { SlotsDrawing(scene, place).draw(); }

std::optional<std::size_t> piece_at(const SlotsPlace& place, ImVec2 point) {
    const auto found = std::ranges::find_if(
        place.pieces, [&](const SlotPiece& piece) { return piece.rect.contains(point); });
    if (found == place.pieces.end()) return std::nullopt;
    return static_cast<std::size_t>(found - place.pieces.begin());
}

}  // namespace tilereel::stage
