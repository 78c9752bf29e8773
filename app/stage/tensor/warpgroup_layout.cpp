#include "app/stage/tensor/warpgroup_layout.h"

#include <algorithm>

#include "app/stage/tensor/fragment_place.h"
#include "app/stage/tensor/tensor_head.h"

namespace tilereel::stage {
namespace {

constexpr std::uint32_t kBytesOfLine = 128, kSlotsOfLine = 8;
constexpr float kWidthOfDigit = 0.6f;  // of the monospaced face, of its size

std::vector<std::uint32_t> lines_of(const WarpgroupMoment& moment, bool of_a) {
    std::vector<std::uint32_t> lines;
    for (const ReadPiece& each : moment.pieces)
        if (each.of_a == of_a) lines.push_back(each.piece.address / kBytesOfLine);
    std::ranges::sort(lines);
    lines.erase(std::ranges::unique(lines).begin(), lines.end());
    return lines;
}

// Edges of `count` strips of these widths, from `first` on.
template <class WidthOf>
std::vector<float> edges(float first, int count, WidthOf&& width_of) {
    std::vector<float> all{first};
    for (int i = 0; i < count; ++i) all.push_back(all.back() + width_of(i));
    return all;
}

class LayoutMaker {
  public:
    LayoutMaker(const WarpgroupScene& scene, const Rect& room, std::size_t longest)
        : scene_(scene),
          room_(room),
          longest_(static_cast<float>(longest)),
          title_(scene.u(4) + scene.f(22)),
          numbers_(1.5f * std::min(scene.f(11), scene.u(14))),
          gap_(scene.u(12)) {}

    // Values are worth more than the long head and the legend.
    WarpgroupLayout make() {
        const Rect whole = room_;
        const bool is_low = has_low_head(scene_, room_.h);
        take_head(is_low);
        find_widths();
        bool has_values = find_heights();
        if (!has_values && !is_low) {
            room_ = whole;
            take_head(true);
            has_values = find_heights();
        }
        if (!has_values) {
            room_ = whole;
            take_head(is_low);
            make_thin();
        }
        place();
        return std::move(layout_);
    }

  private:
    void take_head(bool is_low) {
        layout_.is_low = is_low;
        const float head = height_of_head(scene_, is_low);
        layout_.head = {room_.x, room_.y, room_.w, head};
        layout_.legend = {};
        if (!is_low) {
            const float legend = scene_.f(18) + scene_.u(6);
            layout_.legend = {room_.x, room_.bottom() - legend, room_.w, legend};
            room_.h -= legend + scene_.u(6);
        }
        room_.y += head, room_.h -= head;
    }

    void find_widths() {
        layout_.a.lines = lines_of(scene_.moment, true);
        layout_.b.lines = lines_of(scene_.moment, false);
        const float px = std::min(scene_.f(11), scene_.u(14));
        line_numbers_ = text_width("0000", Face::kMono, px) + scene_.u(4);
        const float slot = std::clamp(0.27f * room_.w / kSlotsOfLine, scene_.u(10), scene_.f(34));
        left_ = layout_.a.lines.empty() ? 0 : line_numbers_ + kSlotsOfLine * slot;
        warps_ = text_width("warp 0", Face::kBold, scene_.f(13)) + scene_.u(14);
        right_ = room_.w - left_ - warps_;
    }

    // The width of a pair of columns of the part with values in this type.
    [[nodiscard]] float width_of_cell(float type) const {
        return std::ceil(2 * kWidthOfDigit * lane_type(type) + scene_.u(5) +
                         2 * (longest_ + 0.7f) * kWidthOfDigit * type + scene_.u(4));
    }
    [[nodiscard]] float lane_type(float type) const {
        return std::max(scene_.look.px(9), 0.8f * type);
    }
    [[nodiscard]] float pairs_beside() const {
        return static_cast<float>(scene_.columns() / 2 - kPairsOfPart);
    }

    [[nodiscard]] float free_height() const { return room_.h - 2 * (title_ + numbers_) - gap_; }
    // The largest type for which rows and columns have room. false: there is none.
    bool find_heights() {
        const auto lines = static_cast<float>(layout_.b.lines.size());
        const float free = free_height();
        const float least_line = scene_.look.px(2.5f), least_row = scene_.look.px(1.8f);
        for (float type = most_type(scene_.look); type >= least_type(scene_.look);
             type -= scene_.look.px(0.5f)) {
            large_row_ = std::floor(1.35f * type + scene_.u(2));
            const float rest = free - kRowsOfWarp * large_row_;
            if (rest < lines * least_line + (kRowsOfGroup - kRowsOfWarp) * least_row) continue;
            const float cell = width_of_cell(type);
            if (right_ - kPairsOfPart * cell < pairs_beside() * scene_.look.px(2)) continue;
            layout_.sums.type = type;
            line_ = std::clamp(std::floor(0.45f * rest / lines), least_line, scene_.f(16));
            row_ = std::min(large_row_, (rest - lines * line_) / (kRowsOfGroup - kRowsOfWarp));
            part_cell_ = cell;
            return true;
        }
        return false;
    }
    void make_thin() {
        const auto lines = static_cast<float>(layout_.b.lines.size());
        const float free = free_height();
        const float unit =
            free / (2.2f * kRowsOfWarp + (kRowsOfGroup - kRowsOfWarp) + 1.2f * lines);
        row_ = std::max(0.5f, unit), large_row_ = 2.2f * row_, line_ = 1.2f * row_;
        part_cell_ = right_ / (pairs_beside() / 2 + kPairsOfPart);
    }

    void place() {
        const float x = room_.x + left_ + warps_;
        TilePlace& b = layout_.b;
        const auto lines = static_cast<int>(b.lines.size());
        b.all = {x, room_.y, right_, title_ + numbers_ + static_cast<float>(lines) * line_};
        b.grid = {x, room_.y + title_ + numbers_,
                  std::min(right_ - line_numbers_, kSlotsOfLine * scene_.f(64)),
                  static_cast<float>(lines) * line_};
        b.top = edges(b.grid.y, lines, [&](int) { return line_; });
        SumsPlace& sums = layout_.sums;
        const float y = b.all.bottom() + gap_ + title_ + numbers_;
        sums.top = edges(y, kRowsOfGroup, [&](int row) {
            return row / kRowsOfWarp == scene_.moment.chosen ? large_row_ : row_;
        });
        place_columns(x);
        sums.grid = {x, y, sums.left.back() - x, sums.top.back() - y};
        sums.all = {x, y - title_ - numbers_, right_, sums.grid.h + title_ + numbers_};
        layout_.warps = {room_.x + left_, y, warps_, sums.grid.h};
        layout_.figures = {room_.x, room_.y, left_ + warps_ - gap_, b.all.h};
        place_a(y);
    }

    void place_columns(float x) {
        SumsPlace& sums = layout_.sums;
        const float beside = pairs_beside();
        float other = beside > 0 ? (right_ - kPairsOfPart * part_cell_) / beside : 0;
        other = std::min(other, part_cell_);
        const float spare = right_ - kPairsOfPart * part_cell_ - beside * other;
        const float widened = std::min(1.4f * part_cell_, part_cell_ + spare / kPairsOfPart);
        sums.left = edges(x, scene_.columns() / 2, [&](int pair) {
            return pair / kPairsOfPart == scene_.part ? widened : other;
        });
        sums.lane_type = lane_type(sums.type);
        sums.lane_width = 2 * kWidthOfDigit * sums.lane_type + scene_.u(5);
    }

    // Lines that are the rows of A lie beside the rows of D.
    void place_a(float y) {
        TilePlace& a = layout_.a;
        if (a.lines.empty()) return;
        const SumsPlace& sums = layout_.sums;
        a.all = {room_.x, y - title_ - numbers_, left_, sums.all.h};
        a.grid = {room_.x + line_numbers_, y, left_ - line_numbers_, sums.grid.h};
        const bool are_rows =
            a.lines.size() == kRowsOfGroup &&
            std::ranges::all_of(scene_.moment.pieces, [&](const ReadPiece& each) {
                return !each.of_a || a.lines[static_cast<std::size_t>(each.piece.x)] ==
                                         each.piece.address / kBytesOfLine;
            });
        const auto lines = static_cast<int>(a.lines.size());
        const float even = std::min(sums.grid.h / static_cast<float>(lines), scene_.f(16));
        a.top = are_rows ? sums.top : edges(y, lines, [&](int) { return even; });
        a.grid.h = a.top.back() - y;
    }

    const WarpgroupScene& scene_;
    Rect room_;
    float longest_, title_, numbers_, gap_;
    float line_numbers_ = 0, left_ = 0, warps_ = 0, right_ = 0;  // widths
    float line_ = 1, row_ = 1, large_row_ = 1;                   // heights
    float part_cell_ = 1;                                        // a width
    WarpgroupLayout layout_;
};

}  // namespace

Rect TilePlace::slot(std::uint32_t address) const {
    const auto line = static_cast<std::size_t>(
        std::ranges::lower_bound(lines, address / kBytesOfLine) - lines.begin());
    const float w = grid.w / kSlotsOfLine;
    const auto number = static_cast<float>(address % kBytesOfLine / kMatrixPieceBytes);
    return {grid.x + number * w, top[line], w, top[line + 1] - top[line]};
}

Rect SumsPlace::rows(int first, int count) const {
    const float y = top[static_cast<std::size_t>(first)];
    return {grid.x, y, grid.w, top[static_cast<std::size_t>(first + count)] - y};
}

Rect SumsPlace::cell(int row, int pair) const {
    const Rect line = rows(row, 1);
    const float x = left[static_cast<std::size_t>(pair)];
    return {x, line.y, left[static_cast<std::size_t>(pair) + 1] - x, line.h};
}

WarpgroupLayout layout_warpgroup(const WarpgroupScene& scene, const Rect& room,
                                 std::size_t longest) {
    return LayoutMaker(scene, room, longest).make();
}

}  // namespace tilereel::stage
