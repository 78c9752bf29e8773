#pragma once
// Renders Dear ImGui's frame into a framebuffer that keeps the frame before, and draws only what
// differs from it. The picture is the same as if all were drawn, but for a renderer that rounds
// shapes differently where they are cut off.
#include <deque>
#include <vector>

#include "app/ui/frame_damage.h"

namespace tilereel {

class FramePainter {
  public:
    // Into the framebuffer that is bound: the one of the last call, as that call left it. Returns
    // what was drawn anew, in pixels.
    const std::vector<PixelRect>& paint();
    // The next frame is drawn whole: the font atlas or the framebuffer is another one.
    void forget() { damage_.forget(); }

  private:
    struct Part {  // of the list at hand
        std::vector<ImDrawCmd> commands;
        std::vector<ImDrawIdx> indices;
        int of_command = -1;    // the command that commands' last one was made from
        std::size_t first = 0;  // of FrameDamage::commands(): hides what was drawn before it
    };
    struct List {  // what takes the place of a list's own buffers
        ImVector<ImDrawCmd> commands;
        ImVector<ImDrawIdx> indices;
    };
    void find_covers(const ImDrawData& data);
    void select(const ImDrawData& data);
    void add(std::size_t part, const ImDrawList& list, const DrawnCommand& drawn,
             const DrawnPrimitive& primitive);
    [[nodiscard]] std::uint64_t parts_touched(const PixelRect& tiles) const;
    void exchange_buffers(ImDrawData& data);

    FrameDamage damage_;
    std::vector<Part> parts_;
    std::vector<PixelRect> painted_;
    std::deque<List> lists_;  // never moved: copying an empty ImVector is undefined
};

}  // namespace tilereel
