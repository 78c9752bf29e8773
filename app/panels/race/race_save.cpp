// The dialog that asks for the path of a race, its table or its picture.
#include <array>
#include <cmath>
#include <filesystem>

#include "app/panels/overlay/overlay.h"
#include "app/panels/race/race_views.h"

namespace tilereel {
namespace {

constexpr std::array<const char*, 3> kTitles = {"Save this race", "Save every sample as CSV",
                                                "Save this view as PNG"};
constexpr std::array<const char*, 3> kEndings = {".json", ".csv", ".png"};

// The full path for the typed text. A missing file extension is added.
std::filesystem::path full_path(const std::string& text, RaceExport what) {
    std::filesystem::path path = path_typed(text);
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

// What is wrong with the path, what Enter does, or where the file goes.
std::string note_of(const RaceMemory::SaveDialog& dialog, const std::filesystem::path& path,
                    const std::string& refused) {
    if (!refused.empty()) return refused + ".";
    if (dialog.asked_about == path)
        return path.filename().string() + " is there already. Replace it? (Enter)";
    return path.string() == dialog.path.text() ? "" : "Will be saved as " + path.string();
}

// Returns true when the dialog must be closed. `commands` receives the save command, if any.
bool draw_save(const Look& look, const Rect& screen, RaceMemory::SaveDialog& dialog,
               Commands& commands) {
    const Palette& colors = look.colors();
    const float px = type_px(look, 16), pad = look.margin(), button = std::round(2.2f * px);
    const Rect card =
        centered_card(screen, std::min(look.px(900) * std::sqrt(look.text), screen.w - look.px(32)),
                      2 * button + 5 * px + 3 * pad);
    begin_card(look, "save", screen, card, true);
    Column column(look, card.inset(pad));
    column.paragraph(kTitles[static_cast<std::size_t>(dialog.what)],
                     {Face::kBold, 1.3f * px, colors.ink});
    Rect field;
    std::optional<EditEnd> end;
    column.row(button, [&](const Rect& place) {
        field = place;
        register_widget("save.path", field);
        fill_rect(field, colors.raised, look.corner());
        end =
            dialog.path.draw("save.path", field.inset(look.px(10)), {Face::kMono, px, colors.ink});
    });
    const std::filesystem::path path = full_path(dialog.path.text(), dialog.what);
    const bool asks = dialog.asked_about == path;
    const std::string refused =
        dialog.path.text().empty() ? "Type the name of a file" : refusal(path);
    stroke_rect(field, refused.empty() ? colors.accent : colors.conflict, look.frame(),
                look.corner());
    const bool strong = asks || !refused.empty();
    column.caption(
        note_of(dialog, path, refused),
        {strong ? Face::kSemiBold : Face::kRegular, px, strong ? colors.ink : colors.ink2}, px,
        2 * px);
    ButtonRow row(look, {card.x + pad, card.bottom() - pad - button, card.w - 2 * pad, button});
    const bool saves =
        row.from_right("save.save", asks ? "Replace (Enter)" : "Save (Enter)", refused.empty(), "");
    const bool cancelled = row.from_right("save.cancel", "Cancel (Esc)", false, "");
    const bool closed = end_card(look, "save.close", card) || cancelled || end == EditEnd::kEscape;
    if (closed || !refused.empty() || !(saves || end == EditEnd::kEnter)) return closed;
    std::error_code unknown;
    if (std::filesystem::exists(path, unknown) && !asks) {
        dialog.asked_about = path;
        return false;
    }
    commands.push_back(RaceAction{SaveRace{dialog.what, path}});
    return true;
}

}  // namespace

void open_save_dialog(RaceMemory& memory, const RaceBench& bench, RaceExport what) {
    memory.save = RaceMemory::SaveDialog{};  // clang 16 cannot compile emplace() here
    memory.save->what = what;
    memory.save->path.begin(bench.save_path(what).string());
    claim_keys("save.path", KeysOf::kWaiting);
}

Commands draw_race_dialogs(const Look& look, const Rect& screen, const Workbench& workbench,
                           PanelMemory& memory) {
    std::optional<RaceMemory::SaveDialog>& save = memory.parts().race.save;
    Commands commands;
    if (!save) return commands;
    const bool gone =
        workbench.races().shown() == nullptr || workbench.view().mode != WindowMode::kRace;
    if (gone || draw_save(look, screen, *save, commands)) save.reset();
    return commands;
}

}  // namespace tilereel
