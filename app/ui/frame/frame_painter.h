#pragma once
// Renders Dear ImGui's frame into a framebuffer that still holds the previous frame, and draws only
// the pixels that differ. The picture is the same as if everything were drawn, unless the renderer
// rounds shapes differently at a scissor edge.
#include <cstdint>
#include <deque>
#include <vector>

#include "app/ui/frame/frame_damage.h"

namespace tilereel {

enum class Painting {
    kWhole,
    // For a software renderer, where the time of a frame grows with its pixels. If much changes,
    // some parts are drawn with the next frame, so that animations stay smooth. New pages are drawn
    // whole.
    kOnTime,
};

class FramePainter {
  public:
    // Draws into the bound framebuffer, which must hold what the previous call left in it. Returns
    // the rectangles that were drawn, in pixels.
    const std::vector<PixelRect>& paint(Painting painting = Painting::kWhole);
    // Whether parts of the frame are not drawn yet: the caller should draw another frame.
    [[nodiscard]] bool is_unfinished() const { return damage_.has_postponed(); }
    // The next frame is drawn whole. Call it when the font atlas or the framebuffer was replaced.
    void forget() { damage_.forget(); }

  private:
    struct Part {
        std::size_t first = 0;  // index of a command: earlier ones are hidden in this part
        std::vector<const DrawnPrimitive*> primitives;  // of the current command
    };
    // Replaces the buffers of a draw list. It holds only the vertices that are drawn, in the order
    // of the indices, because a software renderer transforms all vertices between the lowest and
    // the highest index of a command.
    struct List {
        ImVector<ImDrawCmd> commands;
        ImVector<ImDrawIdx> indices;
        ImVector<ImDrawVert> vertices;
    };
    void postpone_some();
    void find_covers(const ImDrawData& data);
    void select(const ImDrawData& data);
    static void begin_command(List& list, ImDrawCmd& command);
    void add(const DrawnCommand& drawn, const ImDrawList& from, std::uint64_t into);
    [[nodiscard]] std::uint64_t parts_touched(const PixelRect& tiles) const;
    void exchange_buffers(ImDrawData& data);

    FrameDamage damage_;
    std::vector<Part> parts_;
    std::vector<PixelRect> painted_;
    std::deque<List> lists_;  // elements never move; copying an empty ImVector is undefined
};

}  // namespace tilereel
