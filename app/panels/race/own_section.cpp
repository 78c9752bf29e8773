#include "app/panels/race/own_section.h"

#include <algorithm>
#include <cmath>

#include "app/panels/paragraph.h"
#include "app/panels/wrap_row.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

class OwnSection : public Column {
  public:
    OwnSection(const RaceContext& race, const Rect& rect)
        : Column(race.look, rect), race_(race), own_(*race.bench.own()) {}

    float draw() {
        caption("the kernel of " + own_.file_name(), {Face::kRegular, px_, race_.colors().ink3},
                0.8f * px_, 1.7f * px_);
        draw_buttons();
        if (!own_.recognising) draw_call();
        draw_words();
        draw_errors();
        space(look_.gap());
        return height();
    }

  private:
    void draw_buttons() {
        const float chip = std::round(2 * px_);
        WrapRow row({rect_.x, y_, rect_.w, 0}, chip, look_.tight(), look_.snug());
        const auto width = [&](const std::string& label) {
            return text_width(label, Face::kSemiBold, px_) + 1.2f * px_;
        };
        if (own_.is_product) {
            const bool on = std::ranges::any_of(race_.bench.next().contenders, is_own);
            if (toggle_button(look_, "race.own", row.next(width(own_.file_name())),
                              own_.file_name(), px_, on,
                              on ? "Leave it out of the next race" : "Race it beside the others"))
                race_.ask(ToggleOwn{});
        }
        const std::string start = "Race it (R)";
        if (toggle_button(look_, "race.own.race", row.next(width(start)), start, px_, false,
                          own_.is_product
                              ? "Compile it with nvcc, check each C and race it beside the chosen "
                                "contenders"
                              : "Compile it with nvcc, check its results and race it over n"))
            race_.ask(RaceOwn{});
        y_ = row.bottom() + look_.snug();
    }

    // The launch, and the values of a constant: one line each, to be changed.
    void draw_call() {
        if (own_.call().empty() && !own_.can_be_said) return;
        RaceMemory* const memory = race_.memory;
        field("race.own.call", "launch", own_.call(), "how is it launched? Click and type",
              "How it is launched: click to change it. Empty: as recognised from the recording",
              memory == nullptr ? nullptr : &memory->own_call,
              [&](std::string text) { race_.ask(SetOwnCall{std::move(text)}); });
        field("race.own.values", "values", own_.values, "none, such as TILE=8,16,32",
              "A macro or constant of the file and its values: a contender for each",
              memory == nullptr ? nullptr : &memory->own_values,
              [&](std::string text) { race_.ask(SetOwnValues{std::move(text)}); });
    }

    template <class Take>
    void field(std::string_view name, const char* title, const std::string& now,
               const char* placeholder, const char* tip, std::optional<TextEdit>* edit,
               const Take& take) {
        const Palette& colors = race_.colors();
        const float left = 4.2f * px_, pad = look_.snug();
        const bool edits = edit != nullptr && edit->has_value();
        const TextStyle style{Face::kMono, px_, now.empty() ? colors.ink3 : colors.ink};
        const std::string shown = now.empty() ? placeholder : now;
        const float inner = rect_.w - left - 2 * pad;
        const float text = edits ? 1.2f * px_ : paragraph_height(shown, inner, style);
        const Rect box{rect_.x + left, y_, rect_.w - left, std::round(text + 2 * pad)};
        if (!measures()) {
            draw_text({rect_.x, y_ + pad + 0.7f * px_}, title, {Face::kRegular, px_, colors.ink2});
            draw_box(box, colors.bg, edits ? colors.accent : colors.line, look_.px(edits ? 2 : 1),
                     look_.corner());
            if (edits)
                draw_edit(name, box, *edit, take);
            else
                draw_field(name, box, shown, style, tip, edit, now);
        }
        y_ += box.h + look_.snug();
    }

    void draw_field(std::string_view name, const Rect& box, const std::string& shown,
                    const TextStyle& style, const char* tip, std::optional<TextEdit>* edit,
                    const std::string& now) {
        const float pad = look_.snug();
        draw_paragraph({box.x + pad, box.y + pad}, box.w - 2 * pad, shown, style);
        const bool wanted = interact(look_, name, box, tip).clicked || take_focus(name);
        if (wanted && edit != nullptr) edit->emplace().begin(now);
    }

    template <class Take>
    void draw_edit(std::string_view name, const Rect& box, std::optional<TextEdit>& edit,
                   const Take& take) {
        register_widget(name, box);
        const float pad = look_.snug();
        const bool outside =
            ImGui::IsMouseClicked(0) && !ImGui::IsMouseHoveringRect(box.min(), box.max());
        const auto end = edit->draw(name, {box.x + pad, box.y, box.w - 2 * pad, box.h},
                                    {Face::kMono, px_, race_.colors().ink});
        if (!end && !outside) return;
        if (end != EditEnd::kEscape) take(edit->text());
        edit.reset();
        if (end == EditEnd::kTab && name == "race.own.call") focus_control("race.own.values");
    }

    // What is done with it, or what is missing.
    void draw_words() {
        const Palette& colors = race_.colors();
        const std::string why = race_.bench.why_own_cannot();
        if (!why.empty()) return paragraph(as_sentence(why), Face::kRegular, colors.ink2);
        paragraph(
            own_.is_product
                ? "Compiled by nvcc as it is, in a process of its own, and checked against "
                  "float64 at each size. Row-major float32."
                : "No product: it races alone, as time and GB/s over n. Compiled by nvcc as it "
                  "is; its results are compared with its run on the CPU, as far as that goes.",
            Face::kRegular, colors.ink2);
    }

    void draw_errors() {
        const Palette& colors = race_.colors();
        for (std::size_t i = 0; i < own_.errors.size() && i < kMostErrors; ++i) {
            const program::CompileError& error = own_.errors[i];
            const float top = y_;
            const std::string place =
                error.line == 0 ? own_.file_name() : "line " + std::to_string(error.line);
            styled({{place + "  ", Face::kSemiBold, colors.conflict},
                    {error.message, Face::kRegular, colors.ink}},
                   px_);
            if (error.line != 0)
                paragraph(source_line(*own_.offer.trace, error.line), Face::kMono, colors.ink2,
                          px_);
            if (error.line == 0 || measures()) continue;
            const Rect area{rect_.x, top, rect_.w, y_ - top};
            if (interact(look_, "race.own.error." + std::to_string(i), area,
                         "Edit the file at this line")
                    .clicked &&
                race_.memory != nullptr)
                race_.memory->edit_line = error.line;
        }
    }

    static constexpr std::size_t kMostErrors = 5;
    const RaceContext& race_;
    const OwnEntry& own_;
};

}  // namespace

float draw_race_own(const RaceContext& race, const Rect& rect) {
    return OwnSection(race, rect).draw();
}

}  // namespace tilereel
