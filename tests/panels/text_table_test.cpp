// The parts that panels are built from: tables, styled text and figures, at any width.
#include "app/panels/text_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/panels/styled_text.h"
#include "tests/panels/page_of_words.h"

namespace tilereel::text_table_test {
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
    Driver driver_{640, 480, [](double) {}};
    Look look_;
};

constexpr float kLeft = 20;

TEST_F(TextParts, ATableHasTwoLinesWhereItsColumnsDoNotFit) {
    for (const float width : {400.0f, 230.0f, 170.0f, 150.0f}) {
        float height = 0;
        const auto texts = drawn_by([&] {
            TextTable table(look_, 14, {Align::kLeft, Align::kRight, Align::kRight}, 1);
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
        const auto texts = drawn_by([&] { height = draw_styled({kLeft, 20}, width, pieces, 14); });
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
    const auto texts = drawn_by([&] { draw_styled({kLeft, 20}, 100, pieces, 14); });
    EXPECT_GT(texts.size(), 2u);
    expect_apart(texts, kLeft + 100, 100);
}

TEST_F(TextParts, FiguresThatDoNotFitGoToTheNextRow) {
    const std::array<Figure, 3> figures = {
        {{"16", "sectors"}, {"4", "lines"}, {"512 of 512", "bytes used"}}};
    float wide = 0, narrow = 0;
    for (float* const height : {&wide, &narrow}) {
        const float width = height == &wide ? 300.0f : 150.0f;
        const auto texts = drawn_by([&] {
            *height = draw_figures(look_, {kLeft, 20}, width, figures);
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
}  // namespace tilereel::text_table_test
