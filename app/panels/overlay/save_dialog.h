#pragma once
// The dialog that asks for the path of a file to write. An existing file is replaced only after a
// second Enter. The proposed name is selected without its folder and its extension.
//
// Names of its parts (register_widget): save save.path save.save save.cancel save.close
#include <filesystem>
#include <optional>
#include <string>

#include "app/ui/draw/draw.h"
#include "app/ui/widgets/text_edit.h"

namespace tilereel {

struct SaveDialog {
    std::string title, ending;       // ending: added to a name without an extension, ".png"
    std::filesystem::path folder{};  // the proposed one
    TextEdit path;
    std::filesystem::path asked_about{};  // an existing file that the dialog asks to replace
};

[[nodiscard]] SaveDialog save_dialog(std::string title, const std::filesystem::path& proposed);

// The full path of the typed text. A missing extension is added. The dialog selects only the name:
// a full path or an extension that is typed over it counts.
[[nodiscard]] std::filesystem::path path_to_save(const SaveDialog& dialog);

struct SaveAnswer {
    bool closed = false;
    std::optional<std::filesystem::path> path{};  // the file to write; nullopt: none yet, or none
};
[[nodiscard]] SaveAnswer draw_save_dialog(const Look& look, const Rect& screen, SaveDialog& dialog);

}  // namespace tilereel
