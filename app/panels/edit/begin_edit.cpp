// Where an edit of the program's own file begins, and what comes of saving it.
#include <system_error>

#include "app/panels/panel_memory.h"
#include "app/ui/widgets/keys.h"

namespace tilereel {

Status PanelMemory::begin_edit(const std::filesystem::path& file, std::uint32_t line) {
    const std::string text = TRY(read_to_edit(file));
    SourceEdit edit{.file = file, .buffer = TextBuffer(text), .on_disk = text, .program_ran = {}};
    if (line > 0) edit.buffer.set_caret(edit.buffer.offset_of({line - 1, 0}), false);
    parts_->edit.open = std::move(edit);
    claim_keys("source.edit");
    return Done{};
}

void PanelMemory::ask_for_copy(const std::string& kernel) {
    std::error_code unknown;
    parts_->edit.copy = save_dialog("Edit a copy of this kernel, as a program of yours",
                                    std::filesystem::current_path(unknown) / (kernel + ".cu"));
}

bool PanelMemory::editing() const { return parts_->edit.open.has_value(); }

bool PanelMemory::has_unsaved_edit() const {
    return editing() && parts_->edit.open->buffer.changed();
}

void PanelMemory::note_saved_source(const Result<SourceSaved>& saved) {
    if (!editing()) return;
    SourceEdit& edit = *parts_->edit.open;
    edit.question = EditQuestion::kNone;
    edit.problem.clear();
    if (!saved) {
        edit.problem = saved.error().message;
    } else if (*saved == SourceSaved::kChangedOnDisk) {
        edit.question = EditQuestion::kReplace;
    } else {
        edit.on_disk = edit.buffer.text();
        edit.buffer.mark_saved();
    }
}

Commands draw_copy_dialog(const Look& look, const Rect& screen, const Workbench& workbench,
                          PanelMemory& memory) {
    EditMemory& edit = memory.parts().edit;
    if (!edit.copy) return {};
    const SaveAnswer answer = draw_save_dialog(look, screen, *edit.copy);
    if (answer.closed) edit.copy.reset();
    if (!answer.path) return {};
    return {NewProgram{*answer.path, workbench.request().kernel, workbench.request().parameters}};
}

}  // namespace tilereel
