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

    // After compare() was true: the parts that changed, in tiles. They have none in common.
    [[nodiscard]] const std::vector<PixelRect>& parts() const { return parts_; }
    // Which of parts() a tile is in; -1: none.
    [[nodiscard]] int part_of(int column, int row) const {
        return part_of_tile_[static_cast<std::size_t>(row * columns_ + column)];
    }
    // What was drawn, in drawing order; what is outside its clip rectangle is left out.
    [[nodiscard]] const std::vector<DrawnCommand>& commands() const { return commands_; }
    [[nodiscard]] const std::vector<DrawnPrimitive>& primitives() const { return primitives_; }

  private:
    void add(const PixelRect& tiles, std::uint64_t hash);
    void add_triangles(const ImDrawList& list, const ImDrawCmd& command, const PixelRect& clip);
    void add_grid(const CellGrid& grid, std::uint64_t look, const PixelRect& tiles);
    std::optional<PixelRect> add_callback(const ImDrawCmd& command, ImVec2 size);
    void find_parts(const std::vector<std::uint64_t>& before);
    void join_parts(int added);

    PixelRect size_;  // of the frame, pixels
    int columns_ = 0, rows_ = 0;
    std::vector<std::uint64_t> hashes_;  // by tile
    std::vector<DrawnCommand> commands_;
    std::vector<DrawnPrimitive> primitives_;
    std::vector<PixelRect> parts_;
    std::vector<int> part_of_tile_;
};

}  // namespace tilereel
