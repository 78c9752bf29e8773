// Draws every kernel as the window opens it, at four sizes of window and two of text, and looks for
// words that are cut, overlap, lie outside or are too small, and for values that are missing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/ui/cells.h"
#include "app/ui/clear.h"
#include "app/ui/drawn_text.h"
#include "tests/panels/frame_window.h"

namespace tilereel {
namespace {

struct Size {
    int width, height;
};

bool overlap(const Rect& a, const Rect& b, float touch) {
    return a.x + touch < b.right() && b.x + touch < a.right() && a.y + touch < b.bottom() &&
           b.y + touch < a.bottom();
}

bool inside(const Rect& part, const Rect& whole, float touch = 1) {
    return part.x >= whole.x - touch && part.right() <= whole.right() + touch &&
           part.y >= whole.y - touch && part.bottom() <= whole.bottom() + touch;
}

std::string place_of(const Rect& r) {
    const auto whole = [](float v) { return std::to_string(static_cast<int>(std::lround(v))); };
    return " at " + whole(r.x) + "," + whole(r.y) + " " + whole(r.w) + "x" + whole(r.h);
}

// What is wrong, and the frames in which it is.
class Faults {
  public:
    void add(const std::string& what, const std::string& frame) { frames_[what].insert(frame); }
    void report() const {
        std::ofstream file;
        if (const char* path = std::getenv("TILEREEL_WORDS")) file.open(path, std::ios::app);
        for (const auto& [what, frames] : frames_) {
            std::string where = *frames.begin();
            if (frames.size() > 1) where += " and " + std::to_string(frames.size() - 1) + " more";
            ADD_FAILURE() << what << " (" << where << ")";
            if (file) file << what << "\t" << where << "\n";
        }
    }

  private:
    std::map<std::string, std::set<std::string>> frames_;
};

// The texts of one frame.
struct Page {
    const std::vector<DrawnText>& texts;
    const Look& look;
    Rect screen;
    std::string frame;

    // The panel of the source: a line keeps its breaks and may be wider than it, and scrolls.
    [[nodiscard]] bool is_source(const DrawnText& text) const {
        const FrameLayout layout = layout_of(look, screen.w, screen.h);
        const Rect& panel = look.narrow ? layout.side : layout.source;
        Rect code;
        return find_widget("source.code", code) && overlap(text.box, panel, 0) &&
               text.box.bottom() >= code.y - 1;
    }
    // The inspector scrolls: a row at its edge is partly in sight.
    [[nodiscard]] static bool scrolls(const DrawnText& text) {
        Rect panel;
        return find_widget("inspector", panel) && text.box.x >= panel.x - 1 &&
               text.box.right() <= panel.right() + 1;
    }
    // Figures stand in cells and tables; all else are words, which grow with the text size as far
    // as the window has room for it. Pixels.
    [[nodiscard]] float least(const DrawnText& text) const {
        const bool figures = text.face == Face::kMono || text.face == Face::kMonoBold;
        const float fits = std::max(1.0f, std::min(look.text, screen.h / (540 * look.scale)));
        const float words = 11 * (0.6f + 0.4f * fits);
        return (figures ? 9.0f : words) * look.scale - 0.6f;
    }
    void find(Faults& faults) const {
        for (const DrawnText& t : texts) {
            if (t.shortened) faults.add("cut: " + t.text, frame);
            if (!overlap(t.box, t.clip, 0) || is_source(t)) continue;
            const bool across = t.box.x >= t.clip.x - 1 && t.box.right() <= t.clip.right() + 1;
            const bool down = t.box.y >= t.clip.y - 1 && t.box.bottom() <= t.clip.bottom() + 1;
            if (!across || (!down && !scrolls(t)) || !inside(t.box, screen))
                faults.add("outside: " + t.text + place_of(t.box), frame);
            if (t.px < least(t))
                faults.add("small: " + t.text + ", " + std::to_string(t.px) + " px", frame);
        }
        find_overlaps(faults);
        find_on_pictures(faults);
    }

    void find_overlaps(Faults& faults) const {
        for (std::size_t i = 0; i < texts.size(); ++i)
            for (std::size_t j = i + 1; j < texts.size(); ++j) {
                const DrawnText &a = texts[i], &b = texts[j];
                if (a.list != b.list || a.in_motion || b.in_motion) continue;
                if (!overlap(a.box, b.box, 1.01f)) continue;
                if (!overlap(a.box, a.clip, 0) || !overlap(b.box, b.clip, 0)) continue;
                faults.add("overlap: " + a.text + place_of(a.box) + ", " + b.text + place_of(b.box),
                           frame);
            }
    }

    // Words that run into a picture from outside.
    void find_on_pictures(Faults& faults) const {
        std::vector<std::pair<std::string, Rect>> pictures;
        for_each_widget([&](std::string_view name, const Rect& rect) {
            for (const char* picture :
                 {"stage.a", "stage.b", "stage.c", "stage.map", "stage.banks", "stage.request"})
                if (name == picture) pictures.emplace_back(name, rect);
            if (name.starts_with("stage.shared.")) pictures.emplace_back(name, rect);
        });
        for (const DrawnText& t : texts)
            for (const auto& [name, rect] : pictures)
                if (!t.in_motion && overlap(t.box, rect, 2) && !rect.contains(t.box.center()) &&
                    overlap(t.clip, rect, 2))
                    faults.add("on " + name + ": " + t.text + place_of(t.box), frame);
    }

    // Of the part of a matrix that is worked on: nine values at least, or all there are.
    void find_values(const char* name, std::size_t cells, Faults& faults) const {
        Rect tile;
        if (!find_widget(name, tile)) return faults.add(std::string("not shown: ") + name, frame);
        std::size_t values = 0;
        for (const DrawnText& t : texts)
            if (tile.contains(t.box.center()) && !t.in_motion) ++values;
        if (values < std::min<std::size_t>(cells, 9))
            faults.add(std::string("no values: ") + name + " has " + std::to_string(values), frame);
    }
};

// As the window opens a kernel that is chosen from the menu.
std::unique_ptr<Workbench> opened(const KernelInfo& kernel) {
    auto bench =
        std::make_unique<Workbench>(WorkbenchOptions{.request = small_request("09_tiled", 16, 4),
                                                     .trace = {},
                                                     .sizes_chosen = false,
                                                     .playing = false,
                                                     .record_on_worker = false});
    bench->apply(Command{SetKernel{std::string(kernel.id)}});
    bench->apply(Command{DismissMessage{}});
    return bench;
}

struct Moment {
    const char* name;
    double tick;
};
std::vector<Moment> moments_of(const Replay& replay) {
    const auto ticks = static_cast<double>(replay.ticks());
    std::vector<Moment> moments = {{"opening", 0}, {"middle", 0.4 * ticks}, {"end", ticks}};
    const auto conflict = std::ranges::find_if(replay.steps(), [&](const Step& step) {
        return replay.trace().arrays[replay.trace().sites[step.site].array].space ==
                   Space::kShared &&
               step.ticks > 1;
    });
    if (conflict != replay.steps().end())
        moments.push_back({"conflict", static_cast<double>(conflict->begin) + 1});
    return moments;
}

class WordsAt : public testing::TestWithParam<Size> {
  protected:
    // Fonts are baked once a size of text, not for every size of type that a kernel needs: the
    // widths of those are in proportion.
    void draw(bool bake) {
        if (bake) {
            begin_ui_frame();
        } else {
            clear_widgets();
            new_frame_of_cells();
            new_frame_of_clears();
            take_pushed_keys();
        }
        now_ += 1.0 / 60;
        ImGui::NewFrame();
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        look_ = look_of(*bench_, size.x, size.y, now_, 1.0 / 60);
        draw_frame(*bench_, *state_, look_);
        ImGui::Render();
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
    std::vector<DrawnText> texts;
    const Rect screen{0, 0, static_cast<float>(width), static_cast<float>(height)};
    for (const int text : {14, 28}) {
        bool baked = false;
        for (const KernelInfo& kernel : catalog()) {
            const auto bench = opened(kernel);
            ASSERT_NE(bench->replay(), nullptr) << kernel.id << ": " << bench->message();
            bench->view().text_px = text;
            FrameState state;
            bench_ = bench.get();
            state_ = &state;
            for (int i = 0; i < 2 && !baked; ++i) draw(true);
            baked = true;
            for (const Moment& moment : moments_of(*bench->replay())) {
                bench->apply(SeekTo{moment.tick, true});  // nothing moves while scrubbing
                texts.clear();
                record_drawn_text(&texts);
                draw(false);
                record_drawn_text(nullptr);
                const Page page{texts, look_, screen,
                                std::string(kernel.id) + ", " + moment.name + ", " +
                                    std::to_string(width) + "x" + std::to_string(height) +
                                    ", text " + std::to_string(text)};
                page.find(faults);
                // Text of 28 pixels in a window of 768 rows or fewer leaves the cells no room.
                if (screen.h < 540 * look_.scale * look_.text) continue;
                const Replay& replay = *bench->replay();
                const std::uint32_t phase = replay.state().phase;
                page.find_values("stage.a.tile",
                                 cells_in(replay.tile(state.stage.plan.find("A"), phase)), faults);
                page.find_values("stage.b.tile",
                                 cells_in(replay.tile(state.stage.plan.find("B"), phase)), faults);
                if (moment.name == std::string("end"))
                    page.find_values("stage.c.tile", cells_in(replay.c_rect()), faults);
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
}  // namespace tilereel
