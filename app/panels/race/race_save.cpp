// The dialog that asks for the path of a race, its table or its picture.
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "app/panels/overlay/overlay.h"
#include "app/panels/race/race_views.h"

namespace tilereel {
namespace {

constexpr std::array<const char*, 3> kTitles = {"Save this race", "Save every sample as CSV",
                                                "Save this view as PNG"};
constexpr std::array<const char*, 3> kEndings = {".json", ".csv", ".png"};

// The full path for the typed text. "~" is the home folder; a missing file extension is added.
std::filesystem::path path_typed(const std::string& text, RaceExport what) {
    std::filesystem::path path = text;
    const char* const home = std::getenv("HOME");
    if (home != nullptr && text.starts_with("~/"))
        path = std::filesystem::path(home) / text.substr(2);
    if (!path.has_extension()) path += kEndings[static_cast<std::size_t>(what)];
    std::error_code unknown;
    const std::filesystem::path whole = std::filesystem::absolute(path, unknown);
    return unknown ? path : whole.lexically_normal();
}

// Why no file can be saved at this path. Empty if one can be.
std::string refusal(const std::filesystem::path& path) {
    std::error_code unknown;
    if (!path.has_filename() || std::filesystem::is_directory(path, unknown))
        return "This is a folder: add the name of a file";
    if (!std::filesystem::is_directory(path.parent_path(), unknown))
        return "There is no folder " + path.parent_path().string();
    return {};
}

class SaveCard {
  public:
    SaveCard(const Look& look, const Rect& screen, RaceMemory::SaveDialog& dialog)
        : look_(look), dialog_(dialog), end_(dialog.path.take_keys("save.path")) {
        px_ = type_px(look, 16);
        pad_ = look.margin();
        button_ = std::round(2.2f * px_);
        const float width = std::min(look.px(900) * std::sqrt(look.text), screen.w - look.px(32));
        card_ = centered_card(screen, width, 1.6f * px_ + 2 * button_ + 3.2f * px_ + 3.2f * pad_);
        path_ = path_typed(dialog.path.text(), dialog.what);
        asks_ = dialog.asked_about == path_;
        refusal_ = dialog.path.text().empty() ? "Type the name of a file" : refusal(path_);
    }

    // Returns true when the dialog must be closed. `commands` receives the save command, if any.
    bool draw(const Rect& screen, Commands& commands) {
        begin_card(look_, "save", screen, card_, true);
        draw_words();
        const bool save = draw_buttons() || end_ == EditEnd::kEnter;
        const bool closed =
            card_closed(look_, "save.close", card_) || cancelled_ || end_ == EditEnd::kEscape;
        end_card();
        if (closed) return true;
        if (!save || !refusal_.empty()) return false;
        std::error_code unknown;
        if (std::filesystem::exists(path_, unknown) && !asks_) {
            dialog_.asked_about = path_;
            return false;
        }
        commands.push_back(RaceAction{SaveRace{dialog_.what, path_}});
        return true;
    }

  private:
    void draw_words() {
        const Palette& colors = look_.colors();
        const float inner = card_.w - 2 * pad_;
        float y = card_.y + pad_ + 0.6f * px_;
        draw_text({card_.x + pad_, y}, kTitles[static_cast<std::size_t>(dialog_.what)],
                  {Face::kBold, 1.3f * px_, colors.ink});
        y += 1.2f * px_ + 0.4f * pad_;
        const Rect field{card_.x + pad_, std::round(y), inner, button_};
        const Touch touch = touch_area(look_, "save.path", field, "");
        draw_box(field, colors.raised, refusal_.empty() ? colors.accent : colors.conflict,
                 look_.frame(), look_.corner());
        std::optional<ImVec2> clicked;
        if (touch.held && ImGui::IsMouseClicked(0)) clicked = ImGui::GetIO().MousePos;
        draw_text_edit(look_, field.inset(look_.px(10)), dialog_.path,
                       {Face::kMono, px_, colors.ink}, clicked);
        y = field.bottom() + 0.4f * pad_;
        const bool as_typed = path_.string() == dialog_.path.text();
        const std::string note =
            !refusal_.empty() ? refusal_ + "."
            : asks_           ? path_.filename().string() + " is there already. Replace it? (Enter)"
            : as_typed        ? std::string()
                              : "Will be saved as " + path_.string();
        const bool strong = asks_ || !refusal_.empty();
        draw_text_fit(
            {card_.x + pad_, y + 0.7f * px_}, inner, note,
            {strong ? Face::kSemiBold : Face::kRegular, px_, strong ? colors.ink : colors.ink2});
    }

    bool draw_buttons() {
        ButtonRow row(
            look_, {card_.x + pad_, card_.bottom() - pad_ - button_, card_.w - 2 * pad_, button_});
        const char* const label = asks_ ? "Replace (Enter)" : "Save (Enter)";
        const bool saves = row.from_right("save.save", label, refusal_.empty(), "");
        cancelled_ = row.from_right("save.cancel", "Cancel (Esc)", false, "");
        return saves;
    }

    const Look& look_;
    RaceMemory::SaveDialog& dialog_;
    std::optional<EditEnd> end_;
    Rect card_;
    float px_ = 16, pad_ = 24, button_ = 36;
    bool asks_ = false;  // ask whether to replace the existing file
    bool cancelled_ = false;
    std::filesystem::path path_;
    std::string refusal_;
};

}  // namespace

void open_save_dialog(RaceMemory& memory, const RaceBench& bench, RaceExport what) {
    memory.save = RaceMemory::SaveDialog{};  // clang 16 cannot compile emplace() here
    memory.save->what = what;
    memory.save->path.begin(bench.save_path(what).string());
    claim_keys("save.path");
}

Commands draw_race_dialogs(const Look& look, const Rect& screen, const Workbench& workbench,
                           PanelMemory& memory) {
    std::optional<RaceMemory::SaveDialog>& save = memory.parts().race.save;
    Commands commands;
    if (!save) return commands;
    const bool gone =
        workbench.races().shown() == nullptr || workbench.view().mode != WindowMode::kRace;
    if (gone || SaveCard(look, screen, *save).draw(screen, commands)) save.reset();
    return commands;
}

}  // namespace tilereel
