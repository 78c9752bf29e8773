// Draws every kernel as the window opens it, at four sizes of window and two of text, and looks for
// words that are cut, overlap, lie outside or are too small, and for values that are missing.

#include <gtest/gtest.h>

#include <memory>

#include "tests/panels/frame_window.h"
#include "tests/panels/page_of_words.h"

namespace tilereel::frame_words_test {
namespace {

// As the window opens a kernel that is chosen from the menu.
std::unique_ptr<Workbench> opened(const KernelInfo& kernel) {
    auto bench =
        std::make_unique<Workbench>(WorkbenchOptions{.request = small_request("09_tiled", 16, 4),
                                                     .trace = {},
                                                     .sizes_chosen = false,
                                                     .playing = false,
                                                     .record_on_worker = false,
                                                     .record = remembered_recordings()});
    bench->apply(Command{SetKernel{std::string(kernel.id)}});
    bench->apply(Command{DismissMessage{}});
    return bench;
}

struct Moment {
    const char* name;
    double tick;
};
std::vector<Moment> moments_of(const Replay& replay) {
    const auto ticks = static_cast<double>(replay.schedule().ticks);
    std::vector<Moment> moments = {{"opening", 0}, {"middle", 0.4 * ticks}, {"end", ticks}};
    const auto conflict = std::ranges::find_if(replay.schedule().steps, [&](const Step& step) {
        return replay.trace().arrays[replay.trace().sites[step.site].array].space ==
                   Space::kShared &&
               step.ticks > 1;
    });
    if (conflict != replay.schedule().steps.end())
        moments.push_back({"conflict", static_cast<double>(conflict->begin) + 1});
    return moments;
}

class WordsAt : public testing::TestWithParam<Size> {
  protected:
    void draw(bool bake) {
        const auto frame = [this] {
            now_ += 1.0 / 60;
            const ImVec2 size = ImGui::GetIO().DisplaySize;
            look_ = look_of(*bench_, size.x, size.y, now_, 1.0 / 60);
            draw_frame(*bench_, *state_, look_);
        };
        if (bake) {
            begin_ui_frame();
            ImGui::NewFrame();
            frame();
            ImGui::Render();
        } else {
            draw_without_baking(frame);
            take_pushed_keys();
        }
    }
    Workbench* bench_ = nullptr;
    FrameState* state_ = nullptr;
    Look look_;
    double now_ = 0;
};

std::size_t cells_in(const CellRect& rect) {
    return std::size_t{rect.row1 - rect.row0} * (rect.column1 - rect.column0);
}

TEST_P(WordsAt, EveryKernelCanBeRead) {
    const auto [width, height] = GetParam();
    Driver driver(static_cast<float>(width), static_cast<float>(height), [](double) {});
    Faults faults;
    const Rect screen{0, 0, static_cast<float>(width), static_cast<float>(height)};
    for (const int text : {14, 28}) {
        bool baked = false;
        for (const KernelInfo& kernel : catalog()) {
            const auto bench = opened(kernel);
            ASSERT_NE(bench->replay(), nullptr) << kernel.id << ": " << bench->message();
            bench->apply(SetTextSize{text});
            FrameState state;
            bench_ = bench.get();
            state_ = &state;
            for (int i = 0; i < 2 && !baked; ++i) draw(true);
            baked = true;
            for (const Moment& moment : moments_of(*bench->replay())) {
                bench->apply(SeekTo{moment.tick, true});  // nothing moves while scrubbing
                const std::vector<DrawnText> texts = texts_of([this] { draw(false); });
                const Page page{texts, look_, screen,
                                std::string(kernel.id) + ", " + moment.name + ", " +
                                    std::to_string(width) + "x" + std::to_string(height) +
                                    ", text " + std::to_string(text)};
                page.find(faults);
                // Text of 28 pixels in a window of 768 rows or fewer leaves the cells no room.
                if (screen.h < 540 * look_.scale * look_.text) continue;
                if (Rect fragments; find_widget("stage.tensor.close", fragments)) continue;
                const Replay& replay = *bench->replay();
                const std::uint32_t phase = replay.state().phase;
                page.find_values("stage.a.tile",
                                 cells_in(replay.regions().tile(state.stage.plan.find("A"), phase)),
                                 faults);
                page.find_values("stage.b.tile",
                                 cells_in(replay.regions().tile(state.stage.plan.find("B"), phase)),
                                 faults);
                if (moment.name == std::string("end"))
                    page.find_values("stage.c.tile", cells_in(replay.regions().c), faults);
            }
        }
    }
    faults.report();
}
INSTANTIATE_TEST_SUITE_P(Sizes, WordsAt,
                         testing::Values(Size{1366, 768}, Size{1280, 720}, Size{1920, 1080},
                                         Size{3840, 2160}),
                         [](const auto& size) {
                             return std::to_string(size.param.width) + "x" +
                                    std::to_string(size.param.height);
                         });

}  // namespace
}  // namespace tilereel::frame_words_test
