// The parts that panels are built from: tables, styled text and figures, at any width.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/panels/measure.h"
#include "app/panels/panel_column.h"
#include "app/panels/panel_table.h"
#include "app/ui/fonts/utf8.h"
#include "tests/panels/page_of_words.h"

namespace tilereel::table_test {
namespace {

class TextParts : public testing::Test {
  protected:
    // The texts that `draw` draws.
    template <class Draw>
    std::vector<DrawnText> drawn_by(Draw&& draw) {
        begin_ui_frame();
        ImGui::NewFrame();
        ImGui::Begin("parts");
        const std::vector<DrawnText> texts = texts_of(draw);
        ImGui::End();
        ImGui::Render();
        return texts;
    }
    static void expect_apart(const std::vector<DrawnText>& texts, float right, float width) {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            EXPECT_LE(texts[i].box.right(), right + 1.5f) << texts[i].text << " at " << width;
            for (std::size_t j = i + 1; j < texts.size(); ++j)
                EXPECT_FALSE(overlap(texts[i].box, texts[j].box, 1.01f))
                    << texts[i].text << ", " << texts[j].text << " at " << width;
        }
    }
    // Draws the pieces in a column. Returns their height.
    float styled(std::span<const StyledText> pieces, float width) const {
        Column column(look_, {kLeft, 20, width, 0});
        column.styled(pieces, 14);
        return column.height();
    }
    static constexpr float kLeft = 20;
    Driver driver_{640, 480, [](double) {}};
    Look look_;
};

TEST_F(TextParts, ATableHasTwoLinesWhereItsColumnsDoNotFit) {
    for (const float width : {400.0f, 230.0f, 170.0f, 150.0f}) {
        float height = 0;
        const auto texts = drawn_by([&] {
            WrapTable table(look_, 14, {Align::kLeft, Align::kRight, Align::kRight}, 1);
            table.add({{"global load sectors"}, {"32,768"}, {"4,096"}});
            table.add({{"bank conflicts"}, {"0"}, {"60,928"}});
            table.place(width);
            EXPECT_EQ(table.two_lines(), width < 180) << width;
            height = table.draw({kLeft, 20});
            EXPECT_FLOAT_EQ(height, 2 * table.row_height());
        });
        ASSERT_EQ(texts.size(), 6u) << width;
        expect_apart(texts, kLeft + width, width);
        const auto right_of = [&](std::string_view text) {
            return std::ranges::find(texts, text, &DrawnText::text)->box.right();
        };
        EXPECT_NEAR(right_of("4,096"), right_of("60,928"), 2) << width;
        EXPECT_NEAR(right_of("60,928"), kLeft + width, 2) << width;
        EXPECT_NEAR(right_of("32,768"), right_of("0"), 2) << width;
    }
}

TEST_F(TextParts, StyledTextLosesNothingAndKeepsPunctuationAtItsWord) {
    const std::vector<StyledText> pieces = {{"Warp 7 reads column 9 of "},
                                            {"As", Face::kBold},
                                            {": two words, "},
                                            {"one", Face::kBold}};
    for (const float width : {400.0f, 150.0f, 90.0f, 60.0f}) {
        float height = 0;
        const auto texts = drawn_by([&] { height = styled(pieces, width); });
        std::string all;
        for (const DrawnText& text : texts) all += text.text;
        EXPECT_EQ(all, "Warp7readscolumn9ofAs:twowords,one") << width;
        expect_apart(texts, kLeft + width, width);
        const auto colon = std::ranges::find(texts, ":", &DrawnText::text);
        ASSERT_NE(colon, texts.end());
        EXPECT_NEAR(colon->box.center().y, (colon - 1)->box.center().y, 2) << width;
        EXPECT_LE(texts.back().box.bottom(), 20 + height + 1) << width;
    }
}

TEST_F(TextParts, AWordThatIsWiderThanTheLineIsBroken) {
    const std::vector<StyledText> pieces = {{"__pipeline_memcpy_async(&to_a[q],", Face::kMono}};
    const auto texts = drawn_by([&] { styled(pieces, 100); });
    EXPECT_GT(texts.size(), 2u);
    expect_apart(texts, kLeft + 100, 100);
}

TEST_F(TextParts, AParagraphIsBrokenBetweenCharactersWhereAWordIsTooWide) {
    std::string word;
    for (int i = 0; i < 40; ++i) word += "\xc3\xa9";  // an e with an accent, two bytes
    for (const float width : {100.0f, 4.0f}) {        // 4: no character fits
        const auto texts = drawn_by([&] {
            Column column(look_, {kLeft, 20, width, 0});
            column.paragraph("See " + word, {Face::kMono, 14});
        });
        ASSERT_GT(texts.size(), 3u);
        if (width == 100) expect_apart(texts, kLeft + width, width);
        std::string all;
        for (const DrawnText& text : texts) {
            all += text.text;
            EXPECT_FALSE(continues_character(text.text.front())) << text.text << " at " << width;
        }
        EXPECT_EQ(all, "See" + word);
    }
}

TEST_F(TextParts, SpacesKeepTheirWidthAndLargerTextGetsMoreHeight) {
    const auto draw = [&](const std::vector<StyledText>& pieces, float& height) {
        return drawn_by([&] { height = styled(pieces, 400); });
    };
    float plain = 0, large = 0;
    const auto near = draw({{"one"}, {" two"}}, plain);
    const auto far = draw({{"one"}, {"   two", Face::kRegular, 0, 36}}, large);
    ASSERT_EQ(near.size(), 2u);
    ASSERT_EQ(far.size(), 2u);
    EXPECT_NEAR(near[1].box.x - near[0].box.right(), text_width(" ", Face::kRegular, 14), 1.5f);
    EXPECT_NEAR(far[1].box.x - far[0].box.right(), text_width("   ", Face::kRegular, 36), 1.5f);
    EXPECT_GT(large, plain + 20);
    EXPECT_LE(far[1].box.bottom(), 20 + large);
}

TEST_F(TextParts, FiguresThatDoNotFitGoToTheNextRow) {
    const std::array<Figure, 3> figures = {
        {{"16", "sectors"}, {"4", "lines"}, {"512 of 512", "bytes used"}}};
    float wide = 0, narrow = 0;
    for (float* const height : {&wide, &narrow}) {
        const float width = height == &wide ? 300.0f : 150.0f;
        const auto texts = drawn_by([&] {
            Column column(look_, {kLeft, 20, width, 0});
            column.figures(figures);
            *height = column.height();
        });
        EXPECT_EQ(texts.size(), 6u);
        expect_apart(texts, kLeft + width, width);
    }
    EXPECT_GT(narrow, 1.8f * wide);
}

TEST_F(TextParts, TheLargestFontThatFitsIsFound) {
    const float px = fitting_px(20, 30, [](float size) { return 2 * size; });
    EXPECT_LE(2 * px, 30);
    EXPECT_GT(px, 0.94f * 15);
    EXPECT_EQ(fitting_px(20, 40, [](float size) { return 2 * size; }), 20);
}

}  // namespace
}  // namespace tilereel::table_test
