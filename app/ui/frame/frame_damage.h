#pragma once
// Finds the pixels of a frame that differ from the previous frame, from the draw lists alone. The
// framebuffer is divided into tiles. Everything drawn into a tile is added to its hash, in drawing
// order.
#include <imgui.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "app/ui/cells/cell_grid.h"
#include "app/ui/gl/pixel_rect.h"

namespace tilereel {

// One or two triangles, or a callback, and the tiles that they may draw into.
struct DrawnPrimitive {
    std::uint32_t first = 0;  // position in the list's index buffer
    std::uint32_t count = 0;  // number of indices; 0 for a callback
    PixelRect tiles;
};
struct DrawnCommand {
    int list = 0, command = 0;  // indices into ImDrawData::CmdLists and CmdBuffer
    PixelRect clip;             // pixels that the command may change
    std::uint32_t first = 0;    // index into primitives()
    std::uint32_t count = 0;
};

class FrameDamage {
  public:
    static constexpr int kTile = 16;  // edge length in pixels

    // Compares the frame with that of the previous call. False means that any pixel may have
    // changed: the size differs, the frame has an unknown callback or a texture other than the font
    // atlas, or the framebuffer is scaled.
    bool compare(const ImDrawData& data);
    // The next frame counts as changed everywhere. Call it when the font atlas or the framebuffer
    // was replaced.
    void forget() { hashes_.clear(); }
    // Call it only after compare() returned true. Keeps parts with at most `most_tiles` tiles in
    // total, but at least one part. The parts of a panel are kept or postponed together if the
    // panel fits into `most_tiles`. Postponed parts count as changed in the next frame; those that
    // have waited longest are kept first.
    void postpone(int most_tiles);
    // Whether parts of the last compared frame were postponed.
    [[nodiscard]] bool has_postponed() const { return has_postponed_; }

    // The changed rectangles in tiles, after compare() returned true. They do not overlap.
    [[nodiscard]] const std::vector<PixelRect>& parts() const { return parts_; }
    [[nodiscard]] int tile_count() const { return columns_ * rows_; }
    // The index into parts() of the part that holds the tile; -1 if no part does.
    [[nodiscard]] int part_of(int column, int row) const {
        return part_of_tile_[tile_at(column, row)];
    }
    // What the frame draws, in drawing order. Primitives outside their clip rectangle are left out.
    [[nodiscard]] const std::vector<DrawnCommand>& commands() const { return commands_; }
    [[nodiscard]] const std::vector<DrawnPrimitive>& primitives() const { return primitives_; }

  private:
    void add(const PixelRect& tiles, std::uint64_t hash);
    void add_triangles(const ImDrawList& list, const ImDrawCmd& command, const PixelRect& clip);
    void add_grid(const CellGrid& grid, std::uint64_t look, const PixelRect& tiles);
    std::optional<PixelRect> add_callback(const ImDrawCmd& command, ImVec2 size);
    void find_parts();
    void join_parts(int added);
    void number_tiles();
    void put_back(const PixelRect& part, std::vector<std::uint8_t>& waited);
    [[nodiscard]] int panel_of(const PixelRect& part) const;
    [[nodiscard]] int frames_waited(const PixelRect& part) const;
    [[nodiscard]] std::size_t tile_at(int column, int row) const {
        return static_cast<std::size_t>(row * columns_ + column);
    }

    PixelRect size_;  // the frame, in pixels
    int columns_ = 0, rows_ = 0;
    std::vector<std::uint64_t> hashes_;  // hash of each tile's contents
    std::vector<std::uint64_t> before_;  // hashes of the previous frame
    std::vector<std::uint8_t> waited_;   // of each tile: frames since it was first postponed
    bool has_postponed_ = false;
    std::vector<DrawnCommand> commands_;
    std::vector<DrawnPrimitive> primitives_;
    std::vector<PixelRect> panels_;  // tiles of each large fill, in drawing order
    std::vector<PixelRect> parts_;
    std::vector<int> part_of_tile_;
};

}  // namespace tilereel
