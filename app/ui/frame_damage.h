#pragma once
// Which pixels of a frame differ from the frame before, found from the draw lists alone: the
// framebuffer is cut into tiles, and whatever touches a tile adds to its hash, in drawing order.
#include <imgui.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "app/ui/cell_grid.h"
#include "app/ui/pixel_rect.h"

namespace tilereel {

// One or two triangles, or a callback, and the tiles that its pixels are in.
struct DrawnPrimitive {
    std::uint32_t first = 0;  // in the list's index buffer
    std::uint32_t count = 0;  // indices; 0: a callback
    PixelRect tiles;
};
struct DrawnCommand {
    int list = 0, command = 0;  // ImDrawData::CmdLists and CmdBuffer
    PixelRect clip;             // pixels that it may change
    std::uint32_t first = 0;    // in primitives
    std::uint32_t count = 0;
};

class FrameDamage {
  public:
    static constexpr int kTile = 16;  // pixels

    // Compares the frame with the one of the last call. False: anything may have changed, because
    // the frame has another size or holds a callback that is not known.
    bool compare(const ImDrawData& data);
    // The next frame counts as changed everywhere: the font atlas or the framebuffer is another
    // one.
    void forget() { hashes_.clear(); }
    // After compare() was true: keeps parts of at most so many tiles together, at least one part.
    // Parts of one panel stay together, as far as they are not too many by themselves.
    // The others count as changed in the next frame, which keeps first
    // what has waited longest.
    void postpone(int most_tiles);
    // Whether parts of the frame compared last were postponed.
    [[nodiscard]] bool has_postponed() const { return has_postponed_; }

    // After compare() was true: the parts that changed, in tiles. They have none in common.
    [[nodiscard]] const std::vector<PixelRect>& parts() const { return parts_; }
    [[nodiscard]] int tile_count() const { return columns_ * rows_; }
    // Which of parts() a tile is in; -1: none.
    [[nodiscard]] int part_of(int column, int row) const {
        return part_of_tile_[tile_at(column, row)];
    }
    // What was drawn, in drawing order; what is outside its clip rectangle is left out.
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

    PixelRect size_;  // of the frame, pixels
    int columns_ = 0, rows_ = 0;
    std::vector<std::uint64_t> hashes_;  // by tile: of what it shows
    std::vector<std::uint64_t> before_;  // in the frame before
    std::vector<std::uint8_t> waited_;   // by tile: frames for which it was postponed
    bool has_postponed_ = false;
    std::vector<DrawnCommand> commands_;
    std::vector<DrawnPrimitive> primitives_;
    std::vector<PixelRect> panels_;  // tiles of each background, in drawing order
    std::vector<PixelRect> parts_;
    std::vector<int> part_of_tile_;
};

}  // namespace tilereel
