#include "app/stage/tensor/warpgroup_picture.h"

#include <algorithm>

#include "app/replay/elements.h"
#include "app/replay/sentence/wording.h"
#include "app/stage/plan/values.h"
#include "app/stage/tensor/draw_fragment.h"
#include "app/stage/tensor/tensor_head.h"
#include "app/stage/tensor/warpgroup_layout.h"
#include "app/ui/draw/wrap_text.h"
#include "app/ui/widgets/tip.h"
#include "app/ui/widgets/widgets.h"
#include "instrumentation/trace/fragments/instruction_parts.h"

namespace tilereel::stage {
namespace {

constexpr int kLaneElementsOfPart = 4;
constexpr ColorRole kSums = ColorRole::kC;

std::optional<WarpgroupMoment> warpgroup_moment_of(const Workbench& workbench) {
    const Replay* const replay = workbench.replay();
    if (replay == nullptr || !shows_stage(workbench)) return std::nullopt;
    return warpgroup_moment(*replay, workbench.watched_thread().chosen_warp());
}

// "[3]", "[8..15]"
std::string range(int first, int count) {
    return "[" + std::to_string(first) +
           (count > 1 ? ".." + std::to_string(first + count - 1) : "") + "]";
}

class WarpgroupPicture {
  public:
    WarpgroupPicture(WarpgroupScene& scene, const Rect& rect)
        : scene_(scene), moment_(scene.moment), colors_(scene.colors()) {
        layout_ = layout_warpgroup(scene, rect.inset(scene.look.pad()), longest_value());
    }

    void draw() {
        point();
        head();
        figures();
        tile(layout_.b, false);
        if (!layout_.a.lines.empty()) tile(layout_.a, true);
        warps();
        sums();
        if (layout_.legend.h > 0) legend();
        if (!tip_.empty()) draw_tip(scene_.look, tip_at_, tip_);
    }

  private:
    [[nodiscard]] int per_piece(bool of_a) const {
        const MatrixType type = of_a ? scene_.product.product.a : scene_.product.product.b;
        return std::max(1, 8 * static_cast<int>(kMatrixPieceBytes) / element_bits(type));
    }
    // The row and the columns of a cell of D, and the lane and its first element there.
    [[nodiscard]] static int lane_of(int row, int pair) { return row % 8 * 4 + pair % 4; }
    [[nodiscard]] static int element_of(int row, int pair) {
        return pair / kPairsOfPart * kLaneElementsOfPart + row % kRowsOfWarp / 8 * 2;
    }
    [[nodiscard]] std::optional<float> value(int row, int pair, int i) const {
        const int warp = row / kRowsOfWarp;
        return sum_of(scene_.replay, moment_, warp, lane_of(row, pair), element_of(row, pair) + i,
                      !scene_.is_summed(warp));
    }
    [[nodiscard]] std::size_t longest_value() const {
        std::size_t longest = 1;
        const int first = kPairsOfPart * scene_.part;
        for (int row = 0; row < kRowsOfGroup; ++row)
            for (int pair = first; pair < first + kPairsOfPart; ++pair)
                for (const bool former : {false, true})
                    for (int i = 0; i < 2; ++i)
                        if (const auto sum =
                                sum_of(scene_.replay, moment_, row / kRowsOfWarp,
                                       lane_of(row, pair), element_of(row, pair) + i, former))
                            longest = std::max(longest, text_of(*sum).view().size());
        return longest;
    }

    // What is under the pointer, and clicks on it.
    void point() {
        point_at_tile(layout_.a, true);
        point_at_tile(layout_.b, false);
        const SumsPlace& sums = layout_.sums;
        const Interaction touch = interact(scene_.look, "stage.wgmma.sums", sums.grid, "");
        if (!touch.hovered) return;
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        const auto index = [](const std::vector<float>& edges, float at) {
            return static_cast<int>(std::ranges::upper_bound(edges, at) - edges.begin()) - 1;
        };
        const int row = std::clamp(index(sums.top, mouse.y), 0, kRowsOfGroup - 1);
        const int pair = std::clamp(index(sums.left, mouse.x), 0, scene_.columns() / 2 - 1);
        const int warp = row / kRowsOfWarp, lane = lane_of(row, pair);
        const int element = element_of(row, pair);
        tip_at_ = sums.cell(row, pair);
        tip_ = "D" + range(row, 1) + range(2 * pair, 2);
        if (const auto first = value(row, pair, 0), second = value(row, pair, 1); first && second)
            tip_.append(" = ")
                .append(text_of(*first).view())
                .append(", ")
                .append(text_of(*second).view());
        tip_ += ": warp " + std::to_string(moment_.first_warp + static_cast<std::uint32_t>(warp)) +
                ", lane " + std::to_string(lane) + ", elements " + std::to_string(element) + ", " +
                std::to_string(element + 1);
        scene_.pointed = lane;
        if (!touch.clicked) return;
        if (warp != moment_.chosen)
            scene_.commands.push_back(
                ChooseWarp{moment_.first_warp + static_cast<std::uint32_t>(warp)});
        if (pair / kPairsOfPart != scene_.part && !moment_.stores)
            scene_.commands.push_back(
                ChooseTensorProduct{static_cast<std::uint32_t>(pair / kPairsOfPart)});
        scene_.commands.push_back(ChooseLane{static_cast<std::uint32_t>(lane)});
    }

    void point_at_tile(const TilePlace& place, bool of_a) {
        if (place.lines.empty()) return;
        const Interaction touch =
            interact(scene_.look, of_a ? "stage.wgmma.a" : "stage.wgmma.b", place.grid, "");
        if (!touch.hovered) return;
        for (const ReadPiece& each : moment_.pieces) {
            if (each.of_a != of_a) continue;
            const Rect rect = place.slot(each.piece.address);
            if (!rect.contains(ImGui::GetIO().MousePos)) continue;
            tip_at_ = rect;
            tip_ = name_of(each) + ": line " + std::to_string(each.piece.address / 128) +
                   ", slot " + std::to_string(each.piece.address % 128 / kMatrixPieceBytes) +
                   "; modelled";
            return;
        }
    }
    // "A[3][8..15]", "B[5][16..23]"
    [[nodiscard]] std::string name_of(const ReadPiece& each) const {
        const int count = per_piece(each.of_a);
        const WarpgroupOperands& operands = scene_.product.operands;
        const bool along_k =
            (each.of_a ? operands.a_major : operands.b_major) == MajorDimension::kK;
        const std::string x = range(each.piece.x, along_k ? 1 : count);
        const std::string k = range(each.piece.k, along_k ? count : 1);
        return each.of_a ? "A" + x + k : "B" + k + x;
    }

    void head() {
        const WarpgroupProduct& product = scene_.product.product;
        const std::string first = std::to_string(moment_.first_warp);
        const std::string last = std::to_string(moment_.first_warp + kWarps - 1);
        TensorHead head{.operation = moment_.stores ? "store of sums" : "wgmma",
                        .warp = "warps " + first + " to " + last};
        const std::string line = ", line " + std::to_string(scene_.product.line);
        const std::string before = moment_.stores ? "the sums of " : "";
        const std::string shape = shape_text(product.shape);
        const std::string types = std::string(ptx_name(product.a)) + " \xc3\x97 " +
                                  std::string(ptx_name(product.b)) + " + " +
                                  std::string(ptx_name(product.d));
        head.product = {before + instruction_of(product) + line,
                        before + "wgmma " + shape + ": " + types + line, before + shape + line,
                        before + shape};
        const auto parts = static_cast<std::uint32_t>(product.shape.n / 8);
        if (parts > 1 && !moment_.stores) {
            const auto part = static_cast<std::uint32_t>(scene_.part);
            head.next = "columns " + std::to_string(8 * scene_.part) + " to " +
                        std::to_string(8 * scene_.part + 7);
            head.next_tip = "The next 8 columns of D with values (X)";
            head.next_product = (part + 1) % parts;
        }
        draw_tensor_head(scene_, layout_.head, head, layout_.is_low);
    }

    // What the request costs and how much of A and B is read: beside B.
    void figures() {
        const Rect& area = layout_.figures;
        float y = area.y + scene_.f(12);
        const auto figure = [&](const std::string& number, const std::string& words) {
            const TextStyle large{Face::kBold, scene_.f(24), colors_.ink};
            const TextStyle small{Face::kRegular, scene_.f(13), colors_.ink2};
            if (y + scene_.f(14) > area.bottom()) return;
            const float w = draw_text({area.x, y}, number, large) + scene_.u(6);
            if (w + text_width(words, small) <= area.w) draw_text({area.x + w, y}, words, small);
            y += scene_.f(32);
        };
        if (!moment_.stores) {
            const std::uint32_t wavefronts = scene_.request().cost.wavefronts;
            figure(std::to_string(wavefronts), wavefronts == 1 ? "wavefront" : "wavefronts");
        }
        figure(std::to_string(pieces_read()),
               "of " + std::to_string(moment_.pieces.size()) + " pieces read");
        const std::string text =
            "wgmma reads A and B from shared memory itself: no lane loads them. These reads are "
            "modelled, because no GPU counts them.";
        const float px = scene_.f(13), leading = 1.4f * px;
        const auto lines = wrap_text(text, area.w, Face::kRegular, px);
        if (y + leading * static_cast<float>(lines.size()) > area.bottom() + px) return;
        draw_lines({area.x, y}, lines, {Face::kRegular, px, colors_.ink2}, leading);
    }
    [[nodiscard]] std::size_t pieces_read() const {
        return static_cast<std::size_t>(
            std::ranges::count_if(moment_.pieces, [&](const ReadPiece& each) {
                return moment_.stores || each.since == HeldSince::kBefore ||
                       (each.since == HeldSince::kNow &&
                        each.wavefront <= scene_.request().wavefront);
            }));
    }

    // A matrix as it lies: ground for the slots of its lines, the pieces of the product on it.
    void tile(const TilePlace& place, bool of_a) {
        const ColorRole role = of_a ? scene_.role_a : scene_.role_b;
        title_of_tile(place, of_a, role);
        for (std::size_t line = 0; line < place.lines.size(); ++line)
            for (std::uint32_t slot = 0; slot < 8; ++slot) {
                const Rect rect = place.slot(place.lines[line] * 128 + slot * kMatrixPieceBytes);
                fill_rect(framed(rect), colors_.cell, rect.h >= 6 ? scene_.look.px(2) : 0);
            }
        for (const ReadPiece& each : moment_.pieces)
            if (each.of_a == of_a) piece(place.slot(each.piece.address), each, role);
        numbers_of_tile(place);
    }
    [[nodiscard]] Rect framed(const Rect& rect) const {
        const float gap = std::min(rect.w, rect.h) >= scene_.look.px(5) ? scene_.u(1) : 0;
        return rect.inset(gap);
    }

    void title_of_tile(const TilePlace& place, bool of_a, ColorRole role) {
        const auto array = of_a ? moment_.a : moment_.b;
        std::string name = of_a ? "A" : "B";
        if (array) {
            const Array& its = scene_.replay.trace().arrays[*array];
            const auto first = std::ranges::find(moment_.pieces, of_a, &ReadPiece::of_a);
            name = plane_name(its, plane_of(its, element_at(its, first->piece.address).row));
        }
        const auto [m, n, k] = scene_.product.product.shape;
        const std::string size = std::to_string(of_a ? m : k) + " \xc3\x97 " +
                                 std::to_string(of_a ? k : n) + " of " + (of_a ? "A" : "B");
        const float y = place.all.y + scene_.f(11);
        const TextStyle bold{Face::kBold, std::min(scene_.f(18), scene_.u(24)),
                             colors_.solid(role)};
        const float x = place.all.x + draw_text({place.all.x, y}, name, bold) + scene_.u(8);
        const TextStyle style{Face::kRegular, scene_.f(14), colors_.ink2};
        const float room = place.all.right() - x;
        const std::string text =
            longest_that_fits({size + " as it lies in shared memory: 8 slots of 16 bytes a line",
                               size + ", as it lies in shared memory", size, ""},
                              room, style);
        draw_text({x, y}, text, style);
    }

    // Read before: the role's tint. Now: solid, in the order of wavefronts. Later: an outline.
    void piece(const Rect& rect, const ReadPiece& each, ColorRole role) {
        const ImU32 solid = colors_.solid(role);
        const bool now = each.since == HeldSince::kNow;
        const bool served = now && each.wavefront == scene_.request().wavefront;
        const bool done = moment_.stores || each.since == HeldSince::kBefore ||
                          (now && each.wavefront < scene_.request().wavefront);
        const float radius = rect.h >= 6 ? scene_.look.px(2) : 0;
        const Rect inner = framed(rect);
        if (served)
            fill_rect(inner, solid, radius);
        else if (done)
            fill_rect(inner, mix(colors_.panel, solid, 0.45f), radius);
        else
            draw_box(inner, mix(colors_.panel, solid, 0.12f), mix(colors_.panel, solid, 0.5f),
                     scene_.look.line(), radius);
        if (feeds_chosen(each))
            stroke_rect(rect, colors_.accent, std::max(1.0f, scene_.look.px(1.5f)), radius);
        label(inner, each, served);
    }
    // Whether the chosen lane's sums of the shown part are made of the piece.
    [[nodiscard]] bool feeds_chosen(const ReadPiece& each) const {
        if (each.of_a)
            return each.piece.x / kRowsOfWarp == moment_.chosen &&
                   each.piece.x % 8 == scene_.lane / 4;
        const bool along_k = scene_.product.operands.b_major == MajorDimension::kK;
        const int first = 8 * scene_.part + scene_.lane % 4 * 2;
        return along_k ? each.piece.x == first || each.piece.x == first + 1
                       : each.piece.x <= first && first < each.piece.x + per_piece(false);
    }
    // The first k of a piece of A, the first column of a piece of B.
    void label(const Rect& rect, const ReadPiece& each, bool served) {
        const std::string text =
            each.of_a ? "k " + std::to_string(each.piece.k) : std::to_string(each.piece.x);
        const float px = std::min(scene_.f(11), rect.h * 0.85f);
        if (px < scene_.look.px(9) || text_width(text, Face::kMono, px) > rect.w) return;
        draw_text(rect.center(), text,
                  {served ? Face::kMonoBold : Face::kMono, px, served ? colors_.on : colors_.ink2,
                   Align::kCenter});
    }

    void numbers_of_tile(const TilePlace& place) {
        const float px = std::min(scene_.f(11), scene_.u(14));
        for (std::uint32_t slot = 0; slot < 8; ++slot) {
            const Rect rect = place.slot(place.lines.front() * 128 + slot * kMatrixPieceBytes);
            draw_text({rect.center().x, place.grid.y - 0.75f * px}, std::to_string(slot),
                      {Face::kMono, px, colors_.ink3, Align::kCenter});
        }
        const bool at_left = place.grid.x > place.all.x;
        float free_from = place.grid.y;
        for (std::size_t i = 0; i < place.lines.size(); ++i) {
            const float y = (place.top[i] + place.top[i + 1]) / 2;
            if (y - 0.6f * px < free_from) continue;
            free_from = y + 0.6f * px;
            const float x = at_left ? place.grid.x - scene_.u(4) : place.grid.right() + scene_.u(4);
            draw_text({x, y}, std::to_string(place.lines[i]),
                      {Face::kMono, px, colors_.ink3, at_left ? Align::kRight : Align::kLeft});
        }
        register_widget(&place == &layout_.a ? "stage.wgmma.a" : "stage.wgmma.b", place.grid);
    }

    // The four warps, each beside its 16 rows.
    void warps() {
        for (int warp = 0; warp < kWarps; ++warp) {
            const Rect rows = layout_.sums.rows(kRowsOfWarp * warp, kRowsOfWarp);
            const bool chosen = warp == moment_.chosen, runs = warp == moment_.warp;
            const std::string name =
                "warp " + std::to_string(moment_.first_warp + static_cast<std::uint32_t>(warp));
            const float px = std::min(scene_.f(13), rows.h);
            if (px < scene_.look.px(9)) continue;
            const float x = layout_.warps.right() - scene_.u(8);
            draw_text({x, rows.center().y}, name,
                      {chosen ? Face::kBold : Face::kRegular, px,
                       chosen ? colors_.accent
                       : runs ? colors_.ink
                              : colors_.ink2,
                       Align::kRight});
            fill_rect({layout_.warps.right() - scene_.u(5), rows.y, scene_.u(2), rows.h - 1},
                      chosen ? colors_.accent
                      : runs ? colors_.ink
                             : mix(colors_.panel, colors_.ink3, 0.6f));
        }
    }

    void sums() {
        title_of_sums();
        for (int row = 0; row < kRowsOfGroup; ++row) sums_of_row(row);
        column_numbers();
        const int first = kPairsOfPart * scene_.part;
        const Rect upper = layout_.sums.cell(kRowsOfWarp * moment_.chosen, first);
        const Rect lower =
            layout_.sums.cell(kRowsOfWarp * moment_.chosen + kRowsOfWarp - 1, first + 3);
        register_widget("stage.wgmma.part", upper.joined(lower));
    }

    void title_of_sums() {
        const SumsPlace& place = layout_.sums;
        const WarpgroupProduct& product = scene_.product.product;
        const float y = place.all.y + scene_.f(11);
        const TextStyle bold{Face::kBold, std::min(scene_.f(18), scene_.u(24)),
                             colors_.solid(kSums)};
        const float x = place.all.x + draw_text({place.all.x, y}, "D", bold) + scene_.u(8);
        const std::string size =
            std::to_string(product.shape.m) + " \xc3\x97 " + std::to_string(product.shape.n);
        const std::string registers =
            std::to_string(registers_of(product, MatrixOperand::kD)) + " registers a lane";
        const std::string when = time_words();
        const TextStyle style{Face::kRegular, scene_.f(14), colors_.ink2};
        const float room = place.all.right() - x;
        const std::string text = longest_that_fits(
            {size + ", " + registers + ", " + when, size + ", " + when, when, size}, room, style);
        draw_text({x, y}, text, style);
    }
    [[nodiscard]] std::string time_words() const {
        if (scene_.product.sums.empty()) return "values not known";
        const std::string waits = scene_.product.wait_line == 0 ? ", and nothing waits for it" : "";
        if (moment_.stores) return "being stored" + waits;
        if (scene_.is_summed(moment_.chosen)) return "with this product" + waits;
        return scene_.product.adds_to == moment_.number ? "nothing summed yet" : "sums so far";
    }

    // A row of D: its lanes are those of one group of four.
    void sums_of_row(int row) {
        const SumsPlace& place = layout_.sums;
        const int warp = row / kRowsOfWarp;
        const bool summed = scene_.is_summed(warp), chosen_warp = warp == moment_.chosen;
        const bool there = summed || scene_.product.adds_to != moment_.number;
        const ImU32 solid = colors_.solid(kSums);
        const ImU32 tint =
            there ? group_tint(scene_, kSums, row % 8 * 4) : mix(colors_.panel, solid, 0.05f);
        const bool large = chosen_warp && place.rows(row, 1).h >= scene_.look.px(6);
        for (int part = 0; part < scene_.columns() / 8; ++part) {
            const Rect first = place.cell(row, kPairsOfPart * part);
            const Rect all = first.joined(place.cell(row, kPairsOfPart * part + 3));
            if (!large || first.w < scene_.look.px(4)) {
                fill_rect({all.x, all.y, all.w - 1, all.h}, tint);
                if (chosen_warp && row % 8 == scene_.lane / 4)
                    fill_rect(framed(place.cell(row, kPairsOfPart * part + scene_.lane % 4)),
                              solid);
                continue;
            }
            for (int i = 0; i < kPairsOfPart; ++i) cell(row, kPairsOfPart * part + i, tint, there);
        }
        if (moment_.sums[static_cast<std::size_t>(warp)] == HeldSince::kNow && summed &&
            row % kRowsOfWarp == 0 && !moment_.stores)
            stroke_rect(place.rows(row, kRowsOfWarp), solid, scene_.look.px(1.5f));
    }

    void cell(int row, int pair, ImU32 tint, bool there) {
        const SumsPlace& place = layout_.sums;
        const Rect rect = place.cell(row, pair), inner = framed(rect);
        const int lane = lane_of(row, pair);
        const bool chosen = lane == scene_.lane, in_part = pair / kPairsOfPart == scene_.part;
        const bool stored = moment_.stores && row / kRowsOfWarp == moment_.warp &&
                            element_of(row, pair) == moment_.stored_element;
        const ImU32 fill = chosen && there ? colors_.solid(kSums) : tint;
        fill_rect(inner, fill, scene_.look.px(2));
        if (stored) stroke_rect(inner, colors_.ink, scene_.look.line(), scene_.look.px(2));
        if (chosen || scene_.pointed == lane)
            stroke_rect(rect, colors_.accent, std::max(1.0f, scene_.look.px(chosen ? 2 : 1)),
                        scene_.look.px(2));
        if (place.type <= 0) return;
        const std::string text = std::to_string(lane);
        const ImU32 ink = chosen && there ? colors_.on : colors_.ink2;
        const Face face = chosen ? Face::kMonoBold : Face::kMono;
        if (!in_part) {
            if (text_width("00", Face::kMono, place.lane_type) <= inner.w)
                draw_text(inner.center(), text, {face, place.lane_type, ink, Align::kCenter});
            return;
        }
        const Rect number{inner.x, inner.y, place.lane_width, inner.h};
        if (chosen) fill_rect(number, colors_.accent, scene_.look.px(2));
        draw_text(number.center(), text,
                  {face, place.lane_type, chosen ? colors_.on : colors_.ink2, Align::kCenter});
        const float w = (inner.right() - number.right()) / 2;
        for (int i = 0; i < 2; ++i)
            if (const auto sum = value(row, pair, i))
                draw_text({number.right() + (static_cast<float>(i) + 0.5f) * w, inner.center().y},
                          text_of(*sum).view(),
                          {Face::kMonoBold, place.type, chosen ? colors_.on : colors_.ink,
                           Align::kCenter});
    }

    // The first column of each part, and of the shown part all of them.
    void column_numbers() {
        const SumsPlace& place = layout_.sums;
        const float px = std::min(scene_.f(11), scene_.u(14)), y = place.grid.y - 0.75f * px;
        const int first_pair = kPairsOfPart * scene_.part;
        const float part_left = place.left[static_cast<std::size_t>(first_pair)];
        float free_from = place.grid.x;
        const auto number = [&](float x, int column, bool in_part) {
            const std::string text = std::to_string(column);
            const float w = text_width(text, Face::kMono, px);
            if (x - w / 2 < free_from || (!in_part && x < part_left && x + w > part_left)) return;
            free_from = x + w / 2 + scene_.u(4);
            const bool chosen = in_part && (column % 8) / 2 == scene_.lane % 4;
            draw_text({x, y}, text,
                      {chosen ? Face::kMonoBold : Face::kMono, px,
                       chosen ? colors_.accent : colors_.ink3, Align::kCenter});
        };
        for (int pair = 0; pair < scene_.columns() / 2; ++pair) {
            const Rect rect = place.cell(0, pair);
            if (pair / kPairsOfPart != scene_.part) {
                if (pair % kPairsOfPart == 0)
                    number(rect.x + text_width("000", Face::kMono, px) / 2, 2 * pair, false);
                continue;
            }
            const float from = rect.x + (place.type > 0 ? place.lane_width : 0);
            const float w = (rect.right() - from) / 2;
            for (int i = 0; i < 2; ++i)
                number(from + (static_cast<float>(i) + 0.5f) * w, 2 * pair + i, true);
        }
    }

    void legend() {
        const Rect& area = layout_.legend;
        const float y = area.center().y, box = scene_.u(18);
        const TextStyle style{Face::kRegular, scene_.f(13), colors_.ink2};
        float x = area.x;
        const auto entry = [&](std::string_view words, ImU32 fill, ImU32 edge) {
            const float needed = box + scene_.u(6) + text_width(words, style);
            if (x + needed > area.right()) return;
            draw_box({x, y - scene_.u(8), box, scene_.u(16)}, fill, edge, scene_.look.line(),
                     scene_.look.px(3));
            draw_text({x + box + scene_.u(6), y}, words, style);
            x += needed + scene_.u(22);
        };
        const ColorRole role = moment_.reads_a ? scene_.role_a : scene_.role_b;
        const ImU32 solid = colors_.solid(role);
        if (!moment_.stores) {
            entry("read now", solid, solid);
            entry("read before", mix(colors_.panel, solid, 0.45f),
                  mix(colors_.panel, solid, 0.45f));
            entry("read later", mix(colors_.panel, solid, 0.12f), mix(colors_.panel, solid, 0.5f));
        }
        entry("lane " + std::to_string(scene_.lane) + ", and what its sums are made of",
              colors_.panel, colors_.accent);
        entry("one tint: lanes 4g to 4g + 3", group_tint(scene_, kSums, 12),
              group_tint(scene_, kSums, 12));
    }

    WarpgroupScene& scene_;
    const WarpgroupMoment& moment_;
    const Palette& colors_;
    WarpgroupLayout layout_;
    std::string tip_;
    Rect tip_at_;
};

}  // namespace

bool has_warpgroup_picture(const Workbench& workbench) {
    return warpgroup_moment_of(workbench).has_value();
}

Commands draw_warpgroup_picture(const Look& look, const Rect& rect, const Workbench& workbench) {
    const std::optional<WarpgroupMoment> moment = warpgroup_moment_of(workbench);
    if (!moment) return {};
    const Replay& replay = *workbench.replay();
    WarpgroupScene scene{
        {look, workbench, replay}, *moment, replay.warpgroups().products()[moment->number]};
    scene.lane = static_cast<int>(workbench.watched_thread().lane());
    scene.part = moment->stores
                     ? moment->stored_element / kLaneElementsOfPart
                     : static_cast<int>(workbench.view().tensor_product) % (scene.columns() / 8);
    WarpgroupPicture(scene, rect).draw();
    return std::move(scene.commands);
}

}  // namespace tilereel::stage
