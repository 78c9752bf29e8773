#include "app/ui/fonts/font_atlas.h"

#include <imgui_internal.h>
#include <stb_rect_pack.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "instrumentation/base/check.h"

namespace tilereel {
namespace {

constexpr int kTallestTexture = 1 << 15;  // pixels; the packed rectangles stay far below it

// A power of two that makes the texture about as wide as high, or the width of the widest rectangle
// if that is larger.
int texture_width(std::span<const RasterisedSize* const> sizes) {
    double area = 0;
    int widest = 512;
    for (const RasterisedSize* size : sizes) {
        area += static_cast<double>(size->width) * size->height;
        widest = std::max(widest, size->width);
    }
    const auto side = static_cast<unsigned>(0.7 * std::sqrt(area));
    return std::max(widest, static_cast<int>(std::bit_ceil(std::min(side, 2048u))));
}

void copy_pixels(const RasterisedSize& size, const ImFontAtlasCustomRect& place,
                 ImFontAtlas& atlas) {
    for (int y = 0; y < size.height; ++y)
        std::memcpy(atlas.TexPixelsAlpha8 + (place.Y + y) * atlas.TexWidth + place.X,
                    size.alpha.data() + y * size.width, static_cast<std::size_t>(size.width));
}

void add_glyphs(const RasterisedSize& size, const ImFontAtlasCustomRect& place,
                const ImFontAtlas& atlas, ImFont& font) {
    const ImVec2 scale = atlas.TexUvScale;
    const auto x = static_cast<float>(place.X), y = static_cast<float>(place.Y);
    for (const ImFontGlyph& g : size.glyphs)
        font.AddGlyph(nullptr, static_cast<ImWchar>(g.Codepoint), g.X0, g.Y0, g.X1, g.Y1,
                      (x + g.U0) * scale.x, (y + g.V0) * scale.y, (x + g.U1) * scale.x,
                      (y + g.V1) * scale.y, g.AdvanceX);
}

}  // namespace

RasterisedSize rasterise(const std::function<void(ImFontAtlas&)>& add_font) {
    ImFontAtlas atlas;
    atlas.Flags |= ImFontAtlasFlags_NoMouseCursors | ImFontAtlasFlags_NoBakedLines |
                   ImFontAtlasFlags_NoPowerOfTwoHeight;
    add_font(atlas);
    check(atlas.Build());
    const ImFont& font = *atlas.Fonts[0];
    RasterisedSize size;
    size.width = atlas.TexWidth;
    size.height = atlas.TexHeight;
    size.alpha.assign(atlas.TexPixelsAlpha8, atlas.TexPixelsAlpha8 + size.width * size.height);
    size.ascent = font.Ascent;
    size.descent = font.Descent;
    for (ImFontGlyph glyph : font.Glyphs) {
        if (glyph.Codepoint == '\t') continue;  // Dear ImGui derives the tab from the space
        glyph.U0 = std::round(glyph.U0 * static_cast<float>(size.width));
        glyph.U1 = std::round(glyph.U1 * static_cast<float>(size.width));
        glyph.V0 = std::round(glyph.V0 * static_cast<float>(size.height));
        glyph.V1 = std::round(glyph.V1 * static_cast<float>(size.height));
        size.glyphs.push_back(glyph);
    }
    return size;
}

// Takes the steps of Dear ImGui's builder (imgui_draw.cpp, ImFontAtlasBuildWithStbTruetype).
void build_atlas(ImFontAtlas& atlas, std::span<const RasterisedSize* const> sizes) {
    check(std::ssize(sizes) == atlas.ConfigData.Size);
    ImFontAtlasBuildInit(&atlas);
    std::vector<int> places;  // indices of custom rectangles
    for (const RasterisedSize* size : sizes)
        places.push_back(atlas.AddCustomRectRegular(size->width, size->height));
    atlas.TexWidth = texture_width(sizes);
    atlas.TexHeight = 0;
    stbrp_context packing;
    std::vector<stbrp_node> nodes(static_cast<std::size_t>(atlas.TexWidth));
    stbrp_init_target(&packing, atlas.TexWidth, kTallestTexture, nodes.data(), atlas.TexWidth);
    ImFontAtlasBuildPackCustomRects(&atlas, &packing);
    atlas.TexHeight = static_cast<int>(std::bit_ceil(static_cast<unsigned>(atlas.TexHeight)));
    atlas.TexUvScale = {1 / static_cast<float>(atlas.TexWidth),
                        1 / static_cast<float>(atlas.TexHeight)};
    const auto bytes =
        static_cast<std::size_t>(atlas.TexWidth) * static_cast<std::size_t>(atlas.TexHeight);
    atlas.TexPixelsAlpha8 = static_cast<unsigned char*>(IM_ALLOC(bytes));
    std::memset(atlas.TexPixelsAlpha8, 0, bytes);
    for (int i = 0; i < atlas.ConfigData.Size; ++i) {
        const RasterisedSize& size = *sizes[static_cast<std::size_t>(i)];
        ImFontConfig& config = atlas.ConfigData[i];
        const ImFontAtlasCustomRect& place =
            *atlas.GetCustomRectByIndex(places[static_cast<std::size_t>(i)]);
        check(place.IsPacked());
        ImFontAtlasBuildSetupFont(&atlas, config.DstFont, &config, size.ascent, size.descent);
        copy_pixels(size, place, atlas);
        add_glyphs(size, place, atlas, *config.DstFont);
    }
    ImFontAtlasBuildFinish(&atlas);
}

}  // namespace tilereel
