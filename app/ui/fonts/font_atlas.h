#pragma once
// Builds Dear ImGui's font atlas from sizes that are rasterised once each. Dear ImGui's own builder
// rasterises all sizes again whenever one is added, which takes longer than a frame may.
#include <imgui.h>

#include <functional>
#include <span>
#include <vector>

namespace tilereel {

// The glyphs of one face at one size.
struct RasterisedSize {
    int width = 0, height = 0;         // of `alpha`, in pixels
    std::vector<unsigned char> alpha;  // row by row
    std::vector<ImFontGlyph> glyphs;   // texture coordinates in pixels of `alpha`
    float ascent = 0, descent = 0;     // pixels
};

// Rasterises the font that add_font() adds to the atlas it is given.
[[nodiscard]] RasterisedSize rasterise(const std::function<void(ImFontAtlas&)>& add_font);

// Builds the atlas. `sizes`: those of atlas.ConfigData, in the same order.
void build_atlas(ImFontAtlas& atlas, std::span<const RasterisedSize* const> sizes);

}  // namespace tilereel
