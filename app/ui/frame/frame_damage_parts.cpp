// Groups the changed tiles into parts, and chooses the parts that are drawn in this frame.
#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "app/ui/frame/frame_damage.h"

namespace tilereel {
namespace {

constexpr std::size_t kMostParts = 64;  // FramePainter keeps one bit for each
constexpr int kAddedTiles = 5;  // two parts are joined if this adds at most so many unchanged tiles

}  // namespace

// Joins two parts if they overlap or if their bounding rectangle has at most `added` tiles more
// than both parts. Afterwards no two parts overlap.
void FrameDamage::join_parts(int added) {
    const std::vector<PixelRect> before = std::exchange(parts_, {});
    for (PixelRect part : before) {
        for (std::size_t i = 0; i < parts_.size();) {
            const PixelRect both = bounding_box(parts_[i], part);
            const bool joined = !intersection(parts_[i], part).empty() ||
                                both.area() <= parts_[i].area() + part.area() + added;
            if (!joined) {
                ++i;
                continue;
            }
            part = both;
            parts_[i] = parts_.back();
            parts_.pop_back();
            i = 0;  // the larger part may overlap parts that were compared before
        }
        parts_.push_back(part);
    }
}

// Makes a part of each horizontal run of changed tiles, then joins parts with few unchanged tiles
// between them: drawing those tiles costs less than an additional part.
void FrameDamage::find_parts() {
    parts_.clear();
    const auto changed = [&](int column, int row) {
        const std::size_t tile = tile_at(column, row);
        return before_[tile] != hashes_[tile];
    };
    for (int row = 0; row < rows_; ++row)
        for (int column = 0; column < columns_; ++column) {
            if (!changed(column, row)) continue;
            PixelRect run{column, row, column + 1, row + 1};
            while (run.right < columns_ && changed(run.right, row)) ++run.right;
            column = run.right;
            parts_.push_back(run);
        }
    int added = kAddedTiles;
    do {
        join_parts(added);
        added *= 2;
    } while (parts_.size() > kMostParts);
    number_tiles();
}

void FrameDamage::number_tiles() {
    part_of_tile_.assign(hashes_.size(), -1);
    for (std::size_t part = 0; part < parts_.size(); ++part)
        for (int row = parts_[part].top; row < parts_[part].bottom; ++row)
            for (int column = parts_[part].left; column < parts_[part].right; ++column)
                part_of_tile_[tile_at(column, row)] = static_cast<int>(part);
}

// The largest number of frames that a tile of the part has been postponed; 0 if none was.
int FrameDamage::frames_waited(const PixelRect& part) const {
    int most = 0;
    for (int row = part.top; row < part.bottom; ++row)
        for (int column = part.left; column < part.right; ++column)
            most = std::max<int>(most, waited_[tile_at(column, row)]);
    return most;
}

// The smallest panel that contains at least half of the part; -1 if there is none.
int FrameDamage::panel_of(const PixelRect& part) const {
    int best = -1, least = 0;
    for (std::size_t i = 0; i < panels_.size(); ++i) {
        const PixelRect common = intersection(panels_[i], part);
        if (common.empty() || 2 * common.area() < part.area()) continue;
        if (best >= 0 && panels_[i].area() > least) continue;
        best = static_cast<int>(i);
        least = panels_[i].area();
    }
    return best;
}

void FrameDamage::postpone(int most_tiles) {
    struct Sum {
        int frames = 0, tiles = 0;
    };
    std::map<int, Sum> panels;
    for (const PixelRect& part : parts_) {
        Sum& panel = panels[panel_of(part)];
        panel.frames = std::max(panel.frames, frames_waited(part));
        panel.tiles += part.area();
    }
    // Order: the panel that waited longest, then the panel with most changed tiles. Within a panel,
    // the part that waited longest, then the largest: large parts are arrays with moving cells,
    // small parts are mostly text.
    std::ranges::sort(parts_, std::greater(), [&](const PixelRect& part) {
        const int number = panel_of(part);
        const Sum& panel = panels[number];
        return std::tuple(panel.frames, panel.tiles, number, frames_waited(part), part.area());
    });
    std::vector<PixelRect> kept;
    std::vector<std::uint8_t> waited(hashes_.size(), 0);
    int last = -2, room = most_tiles;
    bool fits = false;
    for (const PixelRect& part : parts_) {
        const int number = panel_of(part), tiles = part.area();
        if (number != std::exchange(last, number)) fits = panels[number].tiles <= room;
        const bool is_first = number == panel_of(parts_.front());
        if (kept.empty() || fits || (is_first && tiles <= room)) {
            room -= tiles;
            kept.push_back(part);
            continue;
        }
        put_back(part, waited);
    }
    has_postponed_ = kept.size() < parts_.size();
    parts_ = std::move(kept);
    waited_ = std::move(waited);
    number_tiles();
}

// Postpones the part: its tiles get the hashes of the previous frame. `waited` receives the number
// of frames that they have been postponed.
void FrameDamage::put_back(const PixelRect& part, std::vector<std::uint8_t>& waited) {
    const int frames = std::min(frames_waited(part) + 1, 255);
    for (int row = part.top; row < part.bottom; ++row)
        for (int column = part.left; column < part.right; ++column) {
            const std::size_t tile = tile_at(column, row);
            waited[tile] = static_cast<std::uint8_t>(frames);
            hashes_[tile] = before_[tile];
        }
}

}  // namespace tilereel
