#include "app/panels/panel_memory.h"

#include <ctime>

namespace tilereel {

const std::vector<AccessCounts>& counts_by_line(SourceMemory& memory, const Replay& replay) {
    if (replay.id() == memory.counted_replay) return memory.by_line;
    const Trace& trace = replay.trace();
    memory.by_line.clear();
    memory.modelled_lines.clear();
    for (const SiteCounts& site : count_sites(trace, {replay.block()}, replay.generation())) {
        const Site& where = trace.sites[site.site];
        if (!is_access(where.operation)) continue;
        if (memory.by_line.size() <= where.line) memory.by_line.resize(where.line + 1);
        memory.by_line[where.line] += site.counts;
        if (where.is_of_product()) memory.modelled_lines.insert(where.line);
    }
    memory.counted_replay = replay.id();
    return memory.by_line;
}

PanelMemory::PanelMemory() : parts_(std::make_unique<Parts>()) {}
PanelMemory::~PanelMemory() = default;

void PanelMemory::show_notice(std::string_view text, std::string_view kernel) {
    if (parts_->message.dismissed.contains({std::string(kernel), std::string(text)})) return;
    parts_->message.notice = text;
    parts_->message.notice_kernel = kernel;
    parts_->message.notice_since = -1;
    parts_->message.notice_is_error = false;
}

void PanelMemory::show_error(std::string_view text) {
    show_notice(text);
    parts_->message.notice_is_error = true;
}

void PanelMemory::leave_moment() {
    if (!parts_->message.notice_is_error) parts_->message.notice.clear();
}

void PanelMemory::ask_for_picture(const std::string& name) {
    PictureMemory& picture = parts_->picture;
    std::error_code unknown;
    if (picture.folder.empty()) picture.folder = std::filesystem::current_path(unknown);
    picture.save = save_dialog("Save a picture of the window", picture.folder / (name + ".png"));
}

Commands draw_picture_dialog(const Look& look, const Rect& screen, PanelMemory& memory) {
    PictureMemory& picture = memory.parts().picture;
    if (!picture.save) return {};
    const SaveAnswer answer = draw_save_dialog(look, screen, *picture.save);
    if (answer.path) picture.folder = answer.path->parent_path();
    if (answer.closed) picture.save.reset();
    return answer.path ? Commands{SavePicture{*answer.path}} : Commands{};
}

bool PanelMemory::dismiss_notice() {
    MessageMemory& s = parts_->message;
    if (!s.notice_kernel.empty()) s.dismissed.emplace(s.notice_kernel, s.notice);
    return !std::exchange(s.notice, {}).empty();
}

std::size_t PanelMemory::chosen_suggestion(const SizeSuggestions& suggestions) {
    if (parts_->message.suggested_for != suggestions.problem ||
        parts_->message.choice >= suggestions.choices.size())
        parts_->message.choice = 0;
    parts_->message.suggested_for = suggestions.problem;
    return parts_->message.choice;
}

void PanelMemory::choose_next_suggestion(const SizeSuggestions& suggestions) {
    parts_->message.choice = (chosen_suggestion(suggestions) + 1) % suggestions.choices.size();
}

void PanelMemory::show_files(bool shown, bool to_compare) {
    parts_->files.to_compare = to_compare;
    parts_->files.list.reset();
    if (!shown) return;
    parts_->files.list.emplace(parts_->files.recent, parts_->files.samples);
    claim_keys("files.field", KeysOf::kWaiting);
}
void PanelMemory::set_recent_files(std::vector<std::filesystem::path> files) {
    parts_->files.recent = std::move(files);
}

void PanelMemory::set_samples(std::vector<std::filesystem::path> files) {
    parts_->files.samples = std::move(files);
}

bool PanelMemory::working(const ViewState& view) const {
    const PhaseTableMemory& phases = parts_->phases;
    if (parts_->presenter.waits) return true;
    if (view.mode == WindowMode::kLessons) {
        const LessonMemory& lesson = parts_->lesson;
        const auto minute = static_cast<int>(std::time(nullptr) / 60);
        if (lesson.moves || (lesson.minute >= 0 && lesson.minute != minute)) return true;
    }
    return parts_->former.fades || (view.phase_table && (phases.coming.valid() || phases.moving));
}

void PanelMemory::scroll_introduction(float pages) {
    IntroductionMemory& introduction = parts_->introduction;
    introduction.scroll += 0.9f * pages * introduction.page;
}

void note_program_text(SourceMemory& memory, std::string_view file, std::string_view text) {
    if (text == memory.program_text && file == memory.program_file) return;
    memory.changes.clear();
    if (file == memory.program_file) memory.changes = changed_lines(memory.program_text, text);
    memory.program_file = file;
    memory.program_text = text;
}

}  // namespace tilereel
