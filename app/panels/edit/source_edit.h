#pragma once
// The user's own file while it is edited in the window: its text, and what is asked about it.
#include <filesystem>
#include <optional>
#include <string>

#include "app/panels/edit/text_buffer.h"
#include "app/panels/overlay/save_dialog.h"
#include "app/panels/source/source_text.h"
#include "app/ui/widgets/text_edit.h"
#include "instrumentation/base/result.h"

namespace tilereel {

// What the next press of a key answers.
enum class EditQuestion : std::uint8_t {
    kNone,
    kLeave,    // Esc, with a text that is not saved
    kReplace,  // Ctrl+S, and another program has changed the file
};

struct SourceEdit {
    std::filesystem::path file;
    TextBuffer buffer;
    std::string on_disk;      // the file's text when it was read or saved
    std::string program_ran;  // OpenedProgram::text that was drawn last
    EditQuestion question = EditQuestion::kNone;
    std::string problem{};  // why it was not saved; empty: none
    std::optional<TextEdit> find{};
    std::string searched{};
    bool not_found = false;

    float scroll = 0, aside = 0;  // rows and columns out of sight
    bool reveals = true;          // scrolls to the caret
    std::size_t rows = 1;         // that are seen
    // Prepared from this revision of the text; 0: not yet.
    std::uint64_t prepared = 0;
    SourceText text{};
    std::string former_of{};              // the text that ran, of `former`
    std::vector<std::uint32_t> former{};  // its line for each line; changed_lines.h
};

struct EditMemory {
    std::optional<SourceEdit> open;
    std::optional<SaveDialog> copy;  // asks where the program around a kernel is written
};

// The text of a file to edit. kFailed with a sentence: it cannot be read, is longer than a source,
// or is no text.
[[nodiscard]] Result<std::string> read_to_edit(const std::filesystem::path& file);

}  // namespace tilereel
