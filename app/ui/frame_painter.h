#pragma once
// Renders Dear ImGui's frame into a framebuffer that keeps the frame before, and draws only what
// differs from it. The picture is the same as if all were drawn, but for a renderer that rounds
// shapes differently where they are cut off.
#include <cstdint>
#include <deque>
#include <vector>

#include "app/ui/frame_damage.h"

namespace tilereel {

enum class Painting {
    kWhole,
    // For a software renderer, whose time grows with the pixels: where much changes, a part is
    // drawn with the next frame, so that animations keep their pace. New pages are drawn whole.
    kOnTime,
};

class FramePainter {
  public:
    // Into the framebuffer that is bound: the one of the last call, as that call left it. Returns
    // what was drawn anew, in pixels.
    const std::vector<PixelRect>& paint(Painting painting = Painting::kWhole);
    // Whether the framebuffer still lacks parts of the frame: draw another one.
    [[nodiscard]] bool is_unfinished() const { return damage_.has_postponed(); }
    // The next frame is drawn whole: the font atlas or the framebuffer is another one.
    void forget() { damage_.forget(); }

  private:
    struct Part {
        std::size_t first = 0;  // of FrameDamage::commands(): hides what was drawn before it
        std::vector<const DrawnPrimitive*> primitives;  // what the command at hand draws into it
    };
    // What takes the place of a list's own buffers. It has only the vertices that are drawn, in
    // the order of the indices: a software renderer computes all between a command's lowest and
    // highest index.
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
    std::deque<List> lists_;  // never moved: copying an empty ImVector is undefined
};

}  // namespace tilereel
