#include "app/ui/frame/frame_damage.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "app/ui/cells/cell_renderer.h"
#include "app/ui/cells/cells.h"
#include "app/ui/draw/clear.h"

namespace tilereel {
namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    return (std::rotl(hash, 27) ^ value) * 0x9e3779b97f4a7c15u;
}

std::uint64_t mixed(std::uint64_t hash, const void* bytes, std::size_t count) {
    const auto* from = static_cast<const char*>(bytes);
    for (; count >= 8; count -= 8, from += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, from, 8);
        hash = mixed(hash, word);
    }
    std::uint64_t rest = 0;
    std::memcpy(&rest, from, count);
    return mixed(hash, rest + (std::uint64_t{count} << 60));
}

// The bytes of values without padding.
template <class... Values>
std::uint64_t mixed_all(std::uint64_t hash, const Values&... values) {
    ((hash = mixed(hash, &values, sizeof values)), ...);
    return hash;
}

// The scissor box that Dear ImGui's backend and set_scissor() compute from a clip rectangle.
PixelRect scissor_box(const ImVec4& clip, float height) {
    if (clip.z <= clip.x || clip.w <= clip.y) return {};
    PixelRect box;
    box.left = static_cast<int>(clip.x);
    box.right = box.left + static_cast<int>(clip.z - clip.x);
    box.bottom = static_cast<int>(height) - static_cast<int>(height - clip.w);
    box.top = box.bottom - static_cast<int>(clip.w - clip.y);
    return box;
}

// The enclosing whole pixels, with a margin for rounding. Clamped, because nothing is drawn far
// outside the frame.
PixelRect around(float left, float top, float right, float bottom) {
    static constexpr float kFar = 1e6f;
    const auto whole = [](float at) {
        return static_cast<int>(std::floor(std::clamp(at, -kFar, kFar)));
    };
    return {whole(left) - 1, whole(top) - 1, whole(right) + 2, whole(bottom) + 2};
}

PixelRect tiles_of(const PixelRect& pixels) {
    constexpr int kTile = FrameDamage::kTile;
    if (pixels.empty()) return {};
    return {pixels.left / kTile, pixels.top / kTile, (pixels.right - 1) / kTile + 1,
            (pixels.bottom - 1) / kTile + 1};
}

struct Corners {  // the vertex indices of one or two triangles
    std::uint32_t indices = 3;
    std::uint32_t vertices = 3;
    ImDrawIdx at[4];
};

// Dear ImGui draws most shapes as pairs of triangles that share two vertices. Such a pair is one
// primitive.
Corners corners_at(const ImDrawIdx* index, std::uint32_t left) {
    if (left >= 6 && index[3] == index[0] && index[4] == index[2])
        return {6, 4, {index[0], index[1], index[2], index[5]}};
    if (left >= 6 && index[3] == index[2] && index[5] == index[0])
        return {6, 4, {index[0], index[1], index[2], index[4]}};
    return {3, 3, {index[0], index[1], index[2], 0}};
}

std::uint64_t hash_of_look(const CellGrid& grid, Theme theme, float scale) {
    return mixed_all(1, grid.at, grid.pitch_x, grid.pitch_y, grid.gap, grid.radius, grid.rows,
                     grid.columns, theme, scale);
}

}  // namespace

void FrameDamage::add(const PixelRect& tiles, std::uint64_t hash) {
    for (int row = tiles.top; row < tiles.bottom; ++row)
        for (int column = tiles.left; column < tiles.right; ++column) {
            std::uint64_t& tile = hashes_[tile_at(column, row)];
            tile = mixed(tile, hash);
        }
}

void FrameDamage::add_triangles(const ImDrawList& list, const ImDrawCmd& command,
                                const PixelRect& clip) {
    const ImDrawVert* const vertices = list.VtxBuffer.Data + command.VtxOffset;
    const ImDrawIdx* const indices = list.IdxBuffer.Data;
    const std::uint64_t seed = mixed_all(2, clip);
    const std::uint32_t end = command.IdxOffset + command.ElemCount;
    for (std::uint32_t i = command.IdxOffset; i + 3 <= end;) {
        const Corners corners = corners_at(indices + i, end - i);
        std::uint64_t hash = mixed(seed, corners.indices);
        ImVec2 least{1e9f, 1e9f}, most{-1e9f, -1e9f};
        for (std::uint32_t c = 0; c < corners.vertices; ++c) {
            const ImDrawVert& vertex = vertices[corners.at[c]];
            hash = mixed_all(hash, vertex);
            least = {std::min(least.x, vertex.pos.x), std::min(least.y, vertex.pos.y)};
            most = {std::max(most.x, vertex.pos.x), std::max(most.y, vertex.pos.y)};
        }
        const PixelRect tiles =
            tiles_of(intersection(clip, around(least.x, least.y, most.x, most.y)));
        if (!tiles.empty()) {
            add(tiles, hash);
            primitives_.push_back({i, corners.indices, tiles});
        }
        i += corners.indices;
    }
}

// Hashes the cells of each tile separately, because mostly few cells of a grid change.
void FrameDamage::add_grid(const CellGrid& grid, std::uint64_t look, const PixelRect& tiles) {
    const auto range = [](int tile, float at, float pitch, std::uint32_t count) {
        const auto cell = [&](int pixel) {
            return static_cast<std::int64_t>(std::floor((static_cast<float>(pixel) - at) / pitch));
        };
        const auto last = static_cast<std::int64_t>(count);
        return std::pair{std::clamp<std::int64_t>(cell(tile * kTile) - 1, 0, last),
                         std::clamp<std::int64_t>(cell((tile + 1) * kTile) + 2, 0, last)};
    };
    for (int row = tiles.top; row < tiles.bottom; ++row) {
        const auto [top, bottom] = range(row, grid.at.y, grid.pitch_y, grid.rows);
        for (int column = tiles.left; column < tiles.right; ++column) {
            const auto [left, right] = range(column, grid.at.x, grid.pitch_x, grid.columns);
            std::uint64_t hash = look;
            for (auto y = top; y < bottom && left < right; ++y)
                hash = mixed(hash, &grid.cells[static_cast<std::size_t>(y * grid.columns + left)],
                             static_cast<std::size_t>(right - left) * sizeof(Cell));
            add({column, row, column + 1, row + 1}, hash);
        }
    }
}

// The pixels that a callback may change. nullopt if the callback is unknown.
std::optional<PixelRect> FrameDamage::add_callback(const ImDrawCmd& command, ImVec2 size) {
    const ImVec4 clip{std::max(command.ClipRect.x, 0.0f), std::max(command.ClipRect.y, 0.0f),
                      command.ClipRect.z, std::min(command.ClipRect.w, size.y)};
    const PixelRect whole{0, 0, static_cast<int>(size.x), static_cast<int>(size.y)};
    PixelRect box = intersection(whole, scissor_box(clip, size.y));
    if (const QueuedClear* clear = queued_clear(command)) {
        const Rect& rect = clear->rect;
        const ImVec4 part{std::max(clip.x, rect.x), std::max(clip.y, rect.y),
                          std::min(clip.z, rect.right()), std::min(clip.w, rect.bottom())};
        box = intersection(whole, scissor_box(part, size.y));
        add(tiles_of(box), mixed_all(3, clear->color, box));
        panels_.push_back(tiles_of(box));
        return box;
    }
    if (const QueuedGrid* queued = queued_grid(command)) {
        const CellGrid& grid = queued->grid;
        box = intersection(box, around(grid.at.x, grid.at.y,
                                       grid.at.x + grid.pitch_x * static_cast<float>(grid.columns),
                                       grid.at.y + grid.pitch_y * static_cast<float>(grid.rows)));
        add_grid(grid, mixed_all(hash_of_look(grid, queued->theme, queued->scale), box),
                 tiles_of(box));
        return box;
    }
    if (const QueuedMoving* queued = queued_moving(command)) {
        const std::uint64_t seed = mixed_all(4, box, queued->theme, queued->scale);
        const float room = 3 * queued->scale;
        PixelRect all;
        for (const MovingCell& cell : queued->cells) {
            const Rect& rect = cell.rect;
            const std::uint64_t hash =
                mixed_all(seed, rect, cell.look, cell.role, cell.alpha, cell.radius);
            const PixelRect pixels = intersection(
                box,
                around(rect.x - room, rect.y - room, rect.right() + room, rect.bottom() + room));
            add(tiles_of(pixels), hash);
            all = bounding_box(all, pixels);
        }
        return all;
    }
    return std::nullopt;
}

bool FrameDamage::compare(const ImDrawData& data) {
    const ImVec2 size = data.DisplaySize, scale = data.FramebufferScale;
    const PixelRect whole{0, 0, static_cast<int>(size.x), static_cast<int>(size.y)};
    const PixelRect tiles = tiles_of(whole);
    before_ = std::exchange(hashes_, {});
    if (!std::exchange(has_postponed_, false)) waited_.clear();
    primitives_.clear();
    commands_.clear();
    panels_.clear();
    if (scale.x != 1 || scale.y != 1 || data.DisplayPos.x != 0 || data.DisplayPos.y != 0)
        return false;
    const bool same_size = size_ == whole;
    size_ = whole;
    columns_ = tiles.right;
    rows_ = tiles.bottom;
    hashes_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_), 0);
    waited_.resize(hashes_.size());
    for (int list = 0; list < data.CmdListsCount; ++list) {
        const ImDrawList& drawn = *data.CmdLists[list];
        for (int i = 0; i < drawn.CmdBuffer.Size; ++i) {
            const ImDrawCmd& command = drawn.CmdBuffer[i];
            if (command.UserCallback == ImDrawCallback_ResetRenderState) continue;
            DrawnCommand entry{list, i, {}, static_cast<std::uint32_t>(primitives_.size()), 0};
            if (command.UserCallback != nullptr) {
                const auto box = add_callback(command, size);
                if (!box) {
                    forget();
                    return false;
                }
                entry.clip = *box;
                if (!box->empty()) primitives_.push_back({0, 0, tiles_of(*box)});
            } else if (command.GetTexID() != ImGui::GetIO().Fonts->TexID) {
                forget();
                return false;
            } else {
                entry.clip = intersection(whole, scissor_box(command.ClipRect, size.y));
                add_triangles(drawn, command, entry.clip);
            }
            entry.count = static_cast<std::uint32_t>(primitives_.size()) - entry.first;
            if (entry.count > 0) commands_.push_back(entry);
        }
    }
    if (!same_size || before_.size() != hashes_.size()) return false;
    find_parts();
    return true;
}

}  // namespace tilereel
