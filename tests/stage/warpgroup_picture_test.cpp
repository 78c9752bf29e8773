// The picture of a warpgroup's product: cells of D have their lanes and sums, pieces of A and B lie
// where the descriptors say, clicks choose. Expected: the layout of D in the PTX ISA ("Register
// Fragments for wgmma.mma_async.m64nNk16"), the elements of A and B.
#include "app/stage/tensor/warpgroup_picture.h"

#include "app/replay/tensor/warpgroup_steps.h"
#include "app/stage/tensor/tensor_picture.h"
#include "tests/stage/stage_frame.h"
#include "tests/trace/matrix_values.h"

namespace tilereel::warpgroup_picture_test {
namespace {

class WarpgroupFrame : public StageFrame {
  protected:
    WarpgroupFrame()
        : bench_(workbench("24_wgmma", {.m = 64, .n = 64, .k = 128, .tile = 64, .pad = 0})),
          a_(values_of(trace(), MatrixRole::kA)),
          b_(values_of(trace(), MatrixRole::kB)) {}
    [[nodiscard]] const Trace& trace() const { return bench_.replay()->trace(); }

    // The step in which a warp reads A or B for the n-th product.
    [[nodiscard]] const Step& read(std::size_t product, std::size_t warp, bool of_a) const {
        const Replay& replay = *bench_.replay();
        const std::vector<std::uint32_t>& steps =
            replay.warpgroups().products()[product].reads[warp];
        return replay.schedule().steps[of_a ? steps.front() : steps.back()];
    }
    std::vector<DrawnText> texts_at(Tick tick, const Rect& rect = {0, 0, 1048, 800},
                                    float text = 1) {
        bench_.apply(Command{SeekTo{static_cast<double>(tick), false}});
        frame(bench_, 1.0 / 60, rect, text);
        std::vector<DrawnText> texts;
        record_drawn_text(&texts);
        frame(bench_, 1.0 / 60, rect, text);
        record_drawn_text(nullptr);
        return texts;
    }
    static Rect widget(const char* name) {
        Rect rect;
        EXPECT_TRUE(find_widget(name, rect)) << name;
        return rect;
    }
    [[nodiscard]] int sum(int row, int column, int k) const {
        float sum = 0;
        for (int i = 0; i < k; ++i)
            sum += a_[static_cast<std::size_t>(row * 128 + i)] *
                   b_[static_cast<std::size_t>(i * 64 + column)];
        return static_cast<int>(sum);
    }

    Workbench bench_;
    std::vector<float> a_, b_;
};

std::vector<std::string> inside(const std::vector<DrawnText>& texts, const Rect& rect) {
    std::vector<std::string> found;
    for (const DrawnText& text : texts)
        if (rect.contains(text.box.center())) found.push_back(text.text);
    return found;
}

// Warp 0 reads A for the second product: each cell of the enlarged part has its lane and the sums
// over k below 16; warp 0's rows are 0 to 15.
TEST_F(WarpgroupFrame, CellsHaveLaneAndSums) {
    const Step& step = read(1, 0, true);
    for (const Rect& rect : {Rect{0, 0, 1048, 800}, Rect{0, 0, 1006, 548}}) {
        const auto texts = texts_at(step.begin, rect);
        EXPECT_TRUE(stage::shows_tensor(bench_));
        const Rect part = widget("stage.wgmma.part");
        for (int row = 0; row < 16; ++row)
            for (int pair = 0; pair < 4; ++pair) {
                const Rect cell{part.x + static_cast<float>(pair) * part.w / 4,
                                part.y + static_cast<float>(row) * part.h / 16, part.w / 4,
                                part.h / 16};
                EXPECT_EQ(inside(texts, cell),
                          (std::vector{std::to_string(row % 8 * 4 + pair),
                                       std::to_string(sum(row, 2 * pair, 16)),
                                       std::to_string(sum(row, 2 * pair + 1, 16))}))
                    << row << ", " << pair;
            }
    }
}

// Before the first product nothing is summed; in the last wavefront of a warp's last read its sums
// are those of the product.
TEST_F(WarpgroupFrame, SumsComeWithTheLastRead) {
    const auto values_in_part = [&](Tick tick) {
        const auto texts = texts_at(tick);
        return inside(texts, widget("stage.wgmma.part")).size();
    };
    EXPECT_EQ(values_in_part(read(0, 0, true).begin), 64u);  // the lanes alone
    const Step& of_b = read(0, 0, false);
    EXPECT_EQ(values_in_part(of_b.end() - 1), 64u * 3);
    EXPECT_EQ(values_in_part(of_b.begin), 64u);
}

// 128-byte swizzle: piece p of row r lies in slot p ^ (r % 8). Rows 0 to 7 of warp 0, k 0 to 7.
TEST_F(WarpgroupFrame, PiecesLieAsTheSwizzleSays) {
    const auto texts = texts_at(read(0, 0, true).begin);
    const Rect a = widget("stage.wgmma.a"), part = widget("stage.wgmma.part");
    for (int row = 0; row < 8; ++row) {
        const float y = part.y + (static_cast<float>(row) + 0.5f) * part.h / 16;
        for (int slot = 0; slot < 8; ++slot) {
            const Rect place = Rect::around({a.x + (static_cast<float>(slot) + 0.5f) * a.w / 8, y},
                                            {a.w / 8, part.h / 16});
            const int piece = slot ^ row;
            EXPECT_EQ(inside(texts, place), piece == 0   ? std::vector<std::string>{"k 0"}
                                            : piece == 1 ? std::vector<std::string>{"k 8"}
                                                         : std::vector<std::string>{})
                << row << ", " << slot;
        }
    }
}

TEST_F(WarpgroupFrame, AClickChoosesWarpColumnsAndLane) {
    texts_at(read(1, 0, true).begin);
    const Rect sums = widget("stage.wgmma.sums"), part = widget("stage.wgmma.part");
    const auto has = [](const Commands& commands, const auto& wanted) {
        return std::ranges::any_of(commands, wanted);
    };
    // Row 9 of warp 0, columns 2 and 3: lane 4 (9 % 8) + 1.
    const Commands in_part =
        click(bench_, {part.x + 1.5f * part.w / 4, part.y + 9.5f * part.h / 16});
    EXPECT_TRUE(has(in_part, [](const Command& each) {
        return each.holds<ChooseLane>() && each.get_if<ChooseLane>()->lane == 5;
    }));
    const Commands below = click(bench_, {sums.right() - 2, sums.bottom() - 2});
    EXPECT_TRUE(has(below, [](const Command& each) {
        return each.holds<ChooseWarp>() && each.get_if<ChooseWarp>()->warp == 3u;
    }));
    EXPECT_TRUE(has(below, [](const Command& each) {
        return each.holds<ChooseTensorProduct>() &&
               each.get_if<ChooseTensorProduct>()->product == 7;
    }));
}

}  // namespace
}  // namespace tilereel::warpgroup_picture_test
