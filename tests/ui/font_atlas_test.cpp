// The font atlas: equal to the one that Dear ImGui builds; sizes in it stay unchanged when others
// are added.
#include "app/ui/fonts/font_atlas.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <vector>

#include "app/ui/fonts/fonts.h"

namespace tilereel::font_atlas_test {
namespace {

struct AtlasTest : testing::Test {
    AtlasTest() {
        ImGui::CreateContext();
        forget_fonts();
    }
    ~AtlasTest() override {
        forget_fonts();
        ImGui::DestroyContext();
    }
};

std::vector<unsigned char> pixels_of(const ImFontAtlas& atlas, const ImFontGlyph& glyph) {
    const auto at = [](float share, int extent) {
        return static_cast<int>(share * static_cast<float>(extent) + 0.5f);
    };
    std::vector<unsigned char> pixels;
    for (int y = at(glyph.V0, atlas.TexHeight); y < at(glyph.V1, atlas.TexHeight); ++y)
        for (int x = at(glyph.U0, atlas.TexWidth); x < at(glyph.U1, atlas.TexWidth); ++x)
            pixels.push_back(atlas.TexPixelsAlpha8[y * atlas.TexWidth + x]);
    return pixels;
}

// Compares metrics, glyphs and their pixels.
void expect_same(const ImFontAtlas& atlas, const ImFont& font, const ImFontAtlas& other_atlas,
                 const ImFont& other) {
    EXPECT_EQ(font.FontSize, other.FontSize);
    EXPECT_EQ(font.Ascent, other.Ascent);
    EXPECT_EQ(font.Descent, other.Descent);
    EXPECT_EQ(font.EllipsisChar, other.EllipsisChar);
    ASSERT_EQ(font.Glyphs.Size, other.Glyphs.Size);
    for (const ImFontGlyph& glyph : other.Glyphs) {
        const auto code = static_cast<ImWchar>(glyph.Codepoint);
        const ImFontGlyph* const own = font.FindGlyphNoFallback(code);
        ASSERT_NE(own, nullptr) << glyph.Codepoint;
        EXPECT_EQ(own->AdvanceX, glyph.AdvanceX) << glyph.Codepoint;
        EXPECT_EQ(own->Visible, glyph.Visible) << glyph.Codepoint;
        EXPECT_EQ(own->X0, glyph.X0) << glyph.Codepoint;
        EXPECT_EQ(own->Y0, glyph.Y0) << glyph.Codepoint;
        EXPECT_EQ(own->X1, glyph.X1) << glyph.Codepoint;
        EXPECT_EQ(own->Y1, glyph.Y1) << glyph.Codepoint;
        EXPECT_EQ(pixels_of(atlas, *own), pixels_of(other_atlas, glyph)) << glyph.Codepoint;
    }
}

TEST_F(AtlasTest, HasTheGlyphsOfDearImGuisBuilder) {
    static_cast<void>(font(Face::kRegular, 14));
    static_cast<void>(font(Face::kMono, 19));
    static_cast<void>(font(Face::kSemiBold, 64));
    ASSERT_TRUE(bake_requested_fonts());
    const ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    ASSERT_EQ(atlas.Fonts.Size, 3);
    ImFontAtlas built;
    for (ImFontConfig config : atlas.ConfigData) {
        config.DstFont = nullptr;
        config.FontDataOwnedByAtlas = false;
        built.AddFont(&config);
    }
    ASSERT_TRUE(built.Build());
    for (int i = 0; i < atlas.Fonts.Size; ++i)
        expect_same(atlas, *atlas.Fonts[i], built, *built.Fonts[i]);
}

TEST_F(AtlasTest, ANewSizeKeepsTheOthersUnchanged) {
    static_cast<void>(font(Face::kMono, 17));
    ASSERT_TRUE(bake_requested_fonts());
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    ImFontAtlas before;
    before.TexWidth = atlas.TexWidth;
    before.TexHeight = atlas.TexHeight;
    const std::vector<unsigned char> pixels(
        atlas.TexPixelsAlpha8, atlas.TexPixelsAlpha8 + atlas.TexWidth * atlas.TexHeight);
    before.TexPixelsAlpha8 = const_cast<unsigned char*>(pixels.data());
    const ImVector<ImFontGlyph> glyphs = font(Face::kMono, 17)->Glyphs;
    EXPECT_FALSE(bake_requested_fonts()) << "nothing new was requested";

    for (const float px : {11.0f, 23.0f, 90.0f}) static_cast<void>(font(Face::kMono, px));
    ASSERT_TRUE(bake_requested_fonts());
    const ImFont& now = *font(Face::kMono, 17);
    ASSERT_EQ(now.Glyphs.Size, glyphs.Size);
    for (int i = 0; i < glyphs.Size; ++i) {
        EXPECT_EQ(now.Glyphs[i].AdvanceX, glyphs[i].AdvanceX);
        EXPECT_EQ(pixels_of(atlas, now.Glyphs[i]), pixels_of(before, glyphs[i]));
    }
    before.TexPixelsAlpha8 = nullptr;  // owned by `pixels`, not by the atlas
}

}  // namespace
}  // namespace tilereel::font_atlas_test
