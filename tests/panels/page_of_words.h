#pragma once
// The texts of a frame, and their faults: cut, overlapping, outside of the window, too small.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/shell/frame.h"
#include "app/ui/cells/cells.h"
#include "app/ui/draw/clear.h"
#include "app/ui/draw/drawn_text.h"
#include "app/ui/widgets/keys.h"
#include "tests/window/driver.h"

namespace tilereel {

struct Size {
    int width, height;
};

inline bool overlap(const Rect& a, const Rect& b, float touch) {
    return a.x + touch < b.right() && b.x + touch < a.right() && a.y + touch < b.bottom() &&
           b.y + touch < a.bottom();
}

inline bool inside(const Rect& part, const Rect& whole, float touch = 1) {
    return part.x >= whole.x - touch && part.right() <= whole.right() + touch &&
           part.y >= whole.y - touch && part.bottom() <= whole.bottom() + touch;
}

inline std::string place_of(const Rect& r) {
    const auto whole = [](float v) { return std::to_string(static_cast<int>(std::lround(v))); };
    return " at " + whole(r.x) + "," + whole(r.y) + " " + whole(r.w) + "x" + whole(r.h);
}

// Faults, and the frames that have them.
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

    // The source panel: lines are not wrapped, may be wider than the panel, and scroll.
    [[nodiscard]] bool is_source(const DrawnText& text) const {
        const FrameLayout layout = layout_of(look, screen.w, screen.h);
        const Rect& panel = look.narrow ? layout.side : layout.source;
        Rect code;
        return find_widget("source.code", code) && overlap(text.box, panel, 0) &&
               text.box.bottom() >= code.y - 1;
    }
    // Whether a text may be cut because it scrolls: a row at the edge of a list ("scrolls") or a
    // column at the edge of a table ("scrolls.sideways").
    [[nodiscard]] static bool scrolls(const DrawnText& text, std::string_view scroll_area) {
        bool found = false;
        for_each_widget([&](std::string_view name, const Rect& place) {
            if (name != scroll_area) return;
            found =
                found || (name == "scrolls"
                              ? text.box.x >= place.x - 1 && text.box.right() <= place.right() + 1
                              : text.box.y >= place.y - 1 && text.box.y <= place.bottom() &&
                                    overlap(text.box, place, 0));
        });
        return found;
    }
    // The smallest size of type that is allowed, in pixels. Figures (in cells and tables) may be
    // smaller than words, which must grow with the text size as far as the window has room.
    [[nodiscard]] float least_px(const DrawnText& text) const {
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
            const bool sideways = scrolls(t, "scrolls.sideways");
            if ((!across && !sideways) || (!down && !sideways && !scrolls(t, "scrolls")) ||
                (!sideways && !inside(t.box, screen)))
                faults.add("outside: " + t.text + place_of(t.box), frame);
            if (t.px < least_px(t))
                faults.add("small: " + t.text + ", " + std::to_string(t.px) + " px", frame);
        }
        find_overlaps(faults);
        find_on_pictures(faults);
        find_under_buttons(faults);
    }

    // Words of the stage that a button in its corner covers in part.
    void find_under_buttons(Faults& faults) const {
        for (const char* name : {"stage.as_arrays", "stage.name_product"}) {
            Rect button;
            if (!find_widget(name, button)) continue;
            const auto label = std::ranges::find_if(
                texts, [&](const DrawnText& t) { return inside(t.box, button); });
            for (const DrawnText& t : texts)
                if (label != texts.end() && t.list == label->list && !t.in_motion &&
                    overlap(t.box, button, 1) && !inside(t.box, button) &&
                    overlap(t.clip, button, 1))
                    faults.add("under " + std::string(name) + ": " + t.text + place_of(t.box),
                               frame);
        }
    }

    // The part of a text that is not clipped.
    [[nodiscard]] static Rect visible_part(const DrawnText& text) {
        const float left = std::max(text.box.x, text.clip.x);
        const float top = std::max(text.box.y, text.clip.y);
        return {left, top, std::max(std::min(text.box.right(), text.clip.right()) - left, 0.0f),
                std::max(std::min(text.box.bottom(), text.clip.bottom()) - top, 0.0f)};
    }

    void find_overlaps(Faults& faults) const {
        for (std::size_t i = 0; i < texts.size(); ++i)
            for (std::size_t j = i + 1; j < texts.size(); ++j) {
                const DrawnText &a = texts[i], &b = texts[j];
                if (a.list != b.list || a.in_motion || b.in_motion) continue;
                if (!overlap(a.box, b.box, 1.01f)) continue;
                if (!overlap(a.box, a.clip, 0) || !overlap(b.box, b.clip, 0)) continue;
                if (!overlap(visible_part(a), visible_part(b), 1.01f)) continue;
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

    // At least nine values in the watched part of a matrix, or all if there are fewer.
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

// The texts of the next frame that `draw` draws.
template <class Draw>
std::vector<DrawnText> texts_of(Draw&& draw) {
    std::vector<DrawnText> texts;
    record_drawn_text(&texts);
    draw();
    record_drawn_text(nullptr);
    return texts;
}

// Draws a frame without rasterizing fonts, which takes long. A size of type that is not in the font
// atlas is drawn scaled from the nearest one, so the widths of its texts are in proportion.
template <class Draw>
void draw_without_baking(Draw&& draw) {
    take_pushed_keys();
    clear_widgets();
    new_frame_of_cells();
    new_frame_of_clears();
    ImGui::NewFrame();
    draw();
    ImGui::Render();
}

}  // namespace tilereel
