// What is said of a request that begins a copy: where its elements lie if that is outside of the
// window of the matrix, and into which plane it goes. Expected: the kernel's text; 25 copies boxes
// of 64 columns of A into As[0], As[1], ... by rows of four lines.
#include "tests/stage/stage_frame.h"

namespace tilereel::copy_target_test {
namespace {

class CopyTarget : public StageFrame {
  protected:
    CopyTarget()
        : bench_(workbench("25_warp_specialised",
                           {.m = 256, .n = 64, .k = 384, .tile = 64, .pad = 0})) {}
    [[nodiscard]] const Trace& trace() const { return bench_.replay()->trace(); }

    // The texts and widgets of a frame in a step. Until `later` ticks after its begin the title of
    // A says where the copy goes.
    std::vector<DrawnText> texts_of(const Step& step, double later = 0) {
        bench_.apply(Command{SeekTo{static_cast<double>(step.begin) + later, false}});
        frame(bench_, 1.0, {0, 0, 1022, 526});
        std::vector<DrawnText> texts;
        record_drawn_text(&texts);
        frame(bench_, 1.0, {0, 0, 1022, 526});
        record_drawn_text(nullptr);
        return texts;
    }
    // The elements of A and where they go, of the copies of A from the block's first tile on.
    struct CopyOfA {
        const Step* step;
        std::uint32_t first_row, last_row, column, plane;
    };
    [[nodiscard]] std::vector<CopyOfA> copies_of_a() const {
        std::vector<CopyOfA> copies;
        for (const Step& step : bench_.replay()->schedule().steps) {
            const Site& site = trace().sites[step.site];
            if (site.operation != Operation::kCopyLoad || trace().arrays[site.array].name != "A")
                continue;
            const LaneOffsets from = lane_offsets(trace(), step.record);
            const LaneOffsets to = lane_offsets(trace(), step.record + 1);
            const Array& as = trace().arrays[trace().sites[step.site + 1].array];
            const auto row = [&](int lane) {
                return from.bytes[static_cast<std::size_t>(lane)] / (384 * 2);
            };
            copies.push_back({&step, static_cast<std::uint32_t>(row(0)),
                              static_cast<std::uint32_t>(row(31)),
                              static_cast<std::uint32_t>(from.bytes[0] / 2 % 384),
                              static_cast<std::uint32_t>(to.bytes[0]) /
                                  (as.rows_of_plane() * as.leading_dimension * 2)});
        }
        return copies;
    }

    Workbench bench_;
};

TEST_F(CopyTarget, RowsOutsideOfTheWindowAreNamedAtItsEdge) {
    std::size_t named = 0, visible = 0;
    for (const CopyOfA& copy : copies_of_a()) {
        const std::vector<DrawnText> texts = texts_of(*copy.step, 3.5);
        const std::string rows =
            "rows " + std::to_string(copy.first_row) + " to " + std::to_string(copy.last_row);
        Rect plate, a;
        ASSERT_TRUE(find_widget("stage.a", a));
        if (!find_widget("stage.beyond", plate)) {
            ++visible;
            EXPECT_LT(copy.first_row, 40u);
            continue;
        }
        ++named;
        const auto said = std::ranges::find_if(
            texts, [&](const DrawnText& text) { return plate.contains(text.box.center()); });
        ASSERT_NE(said, texts.end());
        EXPECT_TRUE(a.contains(plate.center()));
        if (said->text.starts_with("columns")) {  // its rows are visible
            EXPECT_LT(copy.first_row, 16u);
            EXPECT_EQ(said->text, "columns " + std::to_string(copy.column) + " to " +
                                      std::to_string(copy.column + 63));
            EXPECT_GT(plate.center().x, a.center().x) << "they lie to the right";
        } else {
            EXPECT_EQ(said->text, rows);
            EXPECT_GT(plate.center().y, a.center().y) << "they lie below";
        }
        // No value is half covered.
        for (const DrawnText& text : texts)
            EXPECT_TRUE(&text == &*said || !cross(text.box, plate)) << text.text;
    }
    EXPECT_GT(named, 20u);
    EXPECT_GT(visible, 2u);
}

TEST_F(CopyTarget, ThePlaneThatACopyGoesToIsMarked) {
    std::set<std::uint32_t> planes;
    for (const CopyOfA& copy : copies_of_a()) {
        texts_of(*copy.step);
        Rect mark, box;
        ASSERT_TRUE(find_widget("stage.target", mark));
        ASSERT_TRUE(find_widget(("stage.ring.As." + std::to_string(copy.plane)).c_str(), box));
        EXPECT_TRUE(box.inset(-4).contains(mark.center())) << copy.plane;
        planes.insert(copy.plane);
    }
    EXPECT_EQ(planes, (std::set<std::uint32_t>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace tilereel::copy_target_test
