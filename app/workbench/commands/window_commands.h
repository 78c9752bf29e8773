#pragma once
// Commands that only a session with a window can carry out: files that are opened and written, and
// the clipboard. The workbench does nothing with them; draw_frame() returns them.
#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>

#include "kernels/catalog.h"

namespace tilereel {

struct OpenFile {  // of any kind that Tilereel opens
    std::filesystem::path file;
    bool to_compare = false;  // beside the watched recording, instead of replacing it
};
struct SavePicture {  // of the window, as PNG
    std::filesystem::path file;
};
struct CopyPicture {};
struct SaveRacePicture {  // of the shown race, as PNG; PictureSaved says what came of it
    std::filesystem::path file;
};
struct OpenInEditor {  // the user's own: VISUAL, EDITOR or that of the desktop
    std::filesystem::path file;
    std::uint32_t line = 0;  // from 1; 0: none
};
struct SaveSource {  // the file that is edited in the window
    std::filesystem::path file;
    std::string text;
    std::string was;        // the file's text when it was read
    bool replaces = false;  // whatever the file holds now
};
enum class SourceSaved : std::uint8_t { kSaved, kChangedOnDisk };  // what came of it
// Writes a kernel of the ladder as a program, opens it, and edits it.
struct NewProgram {
    std::filesystem::path file;
    std::string kernel;
    KernelParameters parameters{};
};
// From now on programs in the folder of the open program run with the user's rights.
struct TrustFolder {};

using WindowCommand = std::variant<OpenFile, SavePicture, CopyPicture, SaveRacePicture, TrustFolder,
                                   OpenInEditor, SaveSource, NewProgram>;

}  // namespace tilereel
