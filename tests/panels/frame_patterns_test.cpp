// The Pattern lab, played in process.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "app/panels/panel_memory.h"
#include "tests/panels/frame_window.h"
#include "tests/panels/page_of_words.h"

namespace tilereel::frame_patterns_test {
namespace {

struct LabWindow : FrameWindow {
    explicit LabWindow(float width = 1920, float height = 1080)
        : FrameWindow(small_request(), width, height) {
        driver.press('4');
    }
    [[nodiscard]] const PatternLab& lab() const { return bench.lab(); }
};

TEST(PatternLabPage, AnswersWhileItIsTyped) {
    LabWindow window;
    ASSERT_EQ(window.bench.view().mode, WindowMode::kPatterns);
    window.driver.press(Key::kEnter);
    window.driver.type("2");
    EXPECT_EQ(window.lab().answer().cost.wavefronts, 1u);  // all lanes want word 2
    window.driver.type("*");
    EXPECT_NE(window.lab().problem(), "");
    EXPECT_EQ(window.lab().answered().expression, "2");
    EXPECT_TRUE(window.driver.has("patterns.wrong"));
    window.driver.type("lane");
    EXPECT_EQ(window.lab().problem(), "");
    EXPECT_FALSE(window.driver.has("patterns.wrong"));
    EXPECT_EQ(window.lab().answer().cost.wavefronts, 2u);
    // What is typed belongs to the field: T does not change the theme until it is left.
    const bool light = window.bench.view().light;
    window.driver.type("*tx");
    EXPECT_EQ(window.bench.view().light, light);
    EXPECT_EQ(window.lab().question().expression, "2*lane*tx");
    window.driver.enter();
    window.driver.press('t');
    EXPECT_NE(window.bench.view().light, light);
}

TEST(PatternLabPage, EveryControlChangesWhatItSays) {
    LabWindow window;
    window.driver.click("patterns.block.32 \xc3\x97 32");
    EXPECT_EQ(window.lab().question().block[1], 32);
    EXPECT_EQ(window.lab().answer().cost.wavefronts, 1u);
    window.driver.click("patterns.element.16 B");
    EXPECT_EQ(window.lab().question().width_bytes, 16u);
    window.driver.click("patterns.access.store");
    EXPECT_EQ(window.lab().question().operation, Operation::kStore);
    window.driver.click("patterns.memory.global");
    EXPECT_EQ(window.lab().question().space, Space::kGlobal);
    window.driver.click("patterns.memory.shared");
    window.driver.click("patterns.gpu");
    window.driver.click("patterns.gpu.GTX 280 (1.3)");
    EXPECT_EQ(window.lab().question().generation, "1.3");
    window.driver.click("patterns.warp");
    window.driver.click("patterns.warp.3");
    EXPECT_EQ(window.lab().question().warp, 3u);
    window.driver.click("patterns.row");
    window.driver.click("patterns.row.64");
    EXPECT_EQ(window.lab().question().layout.row, 64);
}

TEST(PatternLabPage, SlidersPadAndSwizzle) {
    LabWindow window;
    window.driver.click("patterns.preset.1");  // column by column
    EXPECT_EQ(window.lab().question().expression, "tx*32 + ty");
    EXPECT_EQ(window.lab().answer().cost.wavefronts, 32u);
    window.driver.click("patterns.swizzle", 0.98f);
    EXPECT_EQ(window.lab().question().layout.swizzle, 32);
    EXPECT_EQ(window.lab().answer().cost.wavefronts, 1u);
    window.driver.click("patterns.swizzle", 0.02f);
    EXPECT_EQ(window.lab().question().layout.swizzle, 1);
    window.driver.click("patterns.pad", 0.98f);
    EXPECT_EQ(window.lab().question().layout.pad, 32);
    window.driver.click("patterns.least_pad");
    EXPECT_EQ(window.lab().question().layout.pad, 1);
    EXPECT_EQ(window.lab().answer().cost.wavefronts, 1u);
}

// 8 rows of 128 bytes meet in a slot; PAD 8 moves each row a slot further, and so does the XOR of
// Swizzle<3,3,3>.
TEST(PatternLabPage, MatrixLoadsByKeyboardAndMouse) {
    LabWindow window;
    window.driver.click("patterns.access.ldmatrix");
    EXPECT_EQ(window.lab().question().expression, "(64,64):(64,1)");
    EXPECT_EQ(window.lab().answer().cost.wavefronts, 32u);
    EXPECT_FALSE(window.driver.has("patterns.block.32 \xc3\x97 32")) << "a tile has no block";
    window.driver.click("patterns.matrices.x2");
    EXPECT_EQ(window.lab().answer().cost.wavefronts, 16u);
    window.driver.click("patterns.matrices.x4");
    window.driver.click("patterns.least_pad");
    EXPECT_EQ(window.lab().question().layout.pad, 8);
    EXPECT_EQ(window.lab().answer().cost.wavefronts, 4u);
    window.driver.press(Key::kLeft);
    EXPECT_EQ(window.lab().question().layout.pad, 0) << "a step keeps the rows aligned";
    window.driver.press(Key::kRight);
    EXPECT_EQ(window.lab().question().layout.pad, 8);
    window.driver.click("patterns.least_swizzle");
    EXPECT_EQ(window.lab().question().expression, "Swizzle<3,3,3> o (64,64):(64,1)");
    EXPECT_EQ(window.lab().question().layout.pad, 0);
    EXPECT_EQ(window.lab().answer().cost.wavefronts, 4u);
    EXPECT_TRUE(window.driver.has("patterns.lines"));
    // Typed.
    window.driver.press(Key::kEnter);
    window.driver.type("(8,32):(32,1)");
    EXPECT_EQ(window.lab().problem(), "");
    EXPECT_EQ(window.lab().answer().cost.wavefronts, 16u) << "8 rows in 2 slots, 4 matrices";
    window.driver.type("x");
    EXPECT_NE(window.lab().problem(), "");
    EXPECT_TRUE(window.driver.has("patterns.wrong"));
    window.driver.enter();
    window.driver.press(Key::kPageDown);
    EXPECT_EQ(window.lab().problem(), "");
}

TEST(PatternLabPage, KeysPadSwizzleAndChoosePresets) {
    LabWindow window;
    window.driver.press(Key::kPageDown);
    EXPECT_EQ(window.lab().question().expression, "lane");  // after "ty*33 + tx"
    window.driver.press(Key::kPageUp);
    EXPECT_EQ(window.lab().question().expression, "ty*33 + tx");
    window.driver.press(Key::kRight);
    EXPECT_EQ(window.lab().question().layout.pad, 1);
    window.driver.press(Key::kLeft);
    EXPECT_EQ(window.lab().question().layout.pad, 0);
    window.driver.press(Key::kPageDown);
    window.driver.press(Key::kUp);
    EXPECT_EQ(window.lab().question().layout.swizzle, 2);
    window.driver.press(Key::kDown);
    EXPECT_EQ(window.lab().question().layout.swizzle, 1);
    window.driver.press('1');
    EXPECT_EQ(window.bench.view().mode, WindowMode::kReplay);
}

// Nothing is cut, overlaps or lies outside, at any size; the worst patterns are the widest.
TEST(PatternLabPage, CanBeReadAtEverySize) {
    Faults faults;
    for (const Size size : {Size{1280, 720}, Size{1366, 768}, Size{1920, 1080}, Size{3840, 2160}}) {
        LabWindow window(static_cast<float>(size.width), static_cast<float>(size.height));
        const Rect screen{0, 0, static_cast<float>(size.width), static_cast<float>(size.height)};
        for (const int text : {14, 28}) {
            window.bench.apply(SetTextSize{text});
            for (const char* expression : {"ty*33 + tx", "tx*32 + ty", "tx*1024", "2*",
                                           "(64,256):(256,1)", "Swizzle<3,3,5> o (64,256):(256,1)"})
                for (const Space space : {Space::kShared, Space::kGlobal}) {
                    const bool matrices = looks_like_layout(expression);
                    if (matrices && space == Space::kGlobal) continue;
                    PatternQuestion question = window.lab().question();
                    question.expression = expression;
                    question.space = space;
                    question.operation = matrices ? Operation::kMatrixLoad : Operation::kLoad;
                    question.width_bytes = matrices ? 2 : 4;
                    question.layout = {};
                    question.block = {32, 32, 1};
                    window.bench.apply(Command{AskPattern{question}});
                    for (const auto view :
                         {PatternsMemory::View::kPicture, PatternsMemory::View::kLanes,
                          PatternsMemory::View::kPatterns, PatternsMemory::View::kLayout}) {
                        window.state.panels.parts().patterns.view = view;
                        window.driver.frames(3, 0.5);  // nothing glides any more
                        const auto texts = texts_of([&] { window.driver.frame(); });
                        const Page page{texts, window.look, screen,
                                        std::string(expression) + ", " +
                                            std::to_string(size.width) + ", text " +
                                            std::to_string(text) + ", view " +
                                            std::to_string(static_cast<int>(view))};
                        page.find(faults);
                    }
                }
        }
    }
    faults.report();
}

// With 32 wavefronts above them, too.
TEST(PatternLabPage, TheNamesOfTheBanksAreAlwaysInView) {
    for (const auto& [width, height] :
         {std::pair(1280.f, 720.f), std::pair(1366.f, 768.f), std::pair(1920.f, 1080.f)})
        for (const int text_px : {14, 28}) {
            LabWindow window(width, height);
            window.bench.apply(SetTextSize{text_px});
            window.driver.press(Key::kEnter);
            window.driver.type("lane*32");
            window.driver.enter();
            window.driver.frames(2);
            EXPECT_EQ(window.lab().answer().cost.wavefronts, 32u);
            const Rect banks = window.driver.rect_of("patterns.banks");
            const Rect picture = window.driver.rect_of("patterns.picture");
            const auto at = std::to_string(width) + ", text " + std::to_string(text_px);
            EXPECT_GT(banks.h, 0.8f * static_cast<float>(text_px)) << at;
            EXPECT_GE(banks.y, picture.y + banks.h) << at << ": a wavefront is above them";
            EXPECT_LE(banks.bottom(), picture.bottom() + 1) << at;
            EXPECT_LE(banks.bottom(), height) << at;
        }
}

}  // namespace
}  // namespace tilereel::frame_patterns_test
