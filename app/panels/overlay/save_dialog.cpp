#include "app/panels/overlay/save_dialog.h"

#include <cmath>
#include <utility>

#include "app/panels/measure.h"
#include "app/panels/overlay/file_list.h"
#include "app/panels/overlay/overlay.h"
#include "app/panels/panel_column.h"

namespace tilereel {
namespace {

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
std::string note_of(const SaveDialog& dialog, const std::filesystem::path& path,
                    const std::string& refused) {
    if (!refused.empty()) return refused + ".";
    if (dialog.asked_about == path)
        return path.filename().string() + " is there already. Replace it? (Enter)";
    return path.string() == dialog.path.text() ? "" : "Will be saved as " + path.string();
}

}  // namespace

SaveDialog save_dialog(std::string title, const std::filesystem::path& proposed) {
    SaveDialog dialog;
    dialog.title = std::move(title);
    dialog.ending = proposed.extension().string();
    dialog.folder = proposed.parent_path();
    const std::string text = proposed.string();
    const std::size_t name = proposed.filename().string().size();
    dialog.path.begin(text, {text.size() - name, text.size() - dialog.ending.size()});
    claim_keys("save.path", KeysOf::kWaiting);
    return dialog;
}

std::filesystem::path path_to_save(const SaveDialog& dialog) {
    std::string text = dialog.path.text();
    const std::string folder = dialog.folder.string() + "/";
    if (text.starts_with(folder) && (text.substr(folder.size()).starts_with("/") ||
                                     text.substr(folder.size()).starts_with("~/")))
        text.erase(0, folder.size());
    if (!dialog.ending.empty() && text.ends_with(dialog.ending + dialog.ending))
        text.resize(text.size() - dialog.ending.size());
    std::filesystem::path path = path_typed(text);
    if (!path.has_extension()) path += dialog.ending;
    std::error_code unknown;
    const std::filesystem::path whole = std::filesystem::absolute(path, unknown);
    return unknown ? path : whole.lexically_normal();
}

SaveAnswer draw_save_dialog(const Look& look, const Rect& screen, SaveDialog& dialog) {
    const Palette& colors = look.colors();
    const float px = type_px(look, 16), pad = look.margin(), button = std::round(2.2f * px);
    const Rect card =
        centered_card(screen, std::min(look.px(900) * std::sqrt(look.text), screen.w - look.px(32)),
                      2 * button + 5 * px + 3 * pad);
    begin_card(look, "save", screen, card, true);
    Column column(look, card.inset(pad));
    column.paragraph(dialog.title, {Face::kBold, 1.3f * px, colors.ink});
    Rect field;
    std::optional<EditEnd> end;
    column.row(button, [&](const Rect& place) {
        field = place;
        register_widget("save.path", field);
        fill_rect(field, colors.raised, look.corner());
        end =
            dialog.path.draw("save.path", field.inset(look.px(10)), {Face::kMono, px, colors.ink});
    });
    const std::filesystem::path path = path_to_save(dialog);
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
    if (closed || !refused.empty() || !(saves || end == EditEnd::kEnter)) return {.closed = closed};
    std::error_code unknown;
    if (std::filesystem::exists(path, unknown) && !asks) {
        dialog.asked_about = path;
        return {};
    }
    return {.closed = true, .path = path};
}

}  // namespace tilereel
