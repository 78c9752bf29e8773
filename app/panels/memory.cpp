#include "app/panels/memory.h"

#include <ctime>

namespace tilereel {

const std::vector<AccessCounts>& counts_by_line(SourceMemory& memory, const Replay& replay) {
    if (replay.id() == memory.counted_replay) return memory.by_line;
    const Trace& trace = replay.trace();
    memory.by_line.clear();
    for (const SiteCounts& site : count_sites(trace, {replay.block()}, replay.generation())) {
        const Site& where = trace.sites[site.site];
        if (!is_access(where.operation)) continue;
        if (memory.by_line.size() <= where.line) memory.by_line.resize(where.line + 1);
        memory.by_line[where.line] += site.counts;
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

void PanelMemory::watch(std::uint32_t warp, std::uint32_t lane) {
    parts_->locals.watched_warp = warp;
    parts_->locals.watched_lane = lane;
}
std::optional<std::uint32_t> PanelMemory::take_warp() {
    return std::exchange(parts_->locals.warp_asked, std::nullopt);
}
std::optional<std::uint32_t> PanelMemory::take_lane() {
    return std::exchange(parts_->locals.lane_asked, std::nullopt);
}

void PanelMemory::show_files(bool shown, bool to_compare) {
    parts_->files.to_compare = to_compare;
    parts_->files.list.reset();
    if (shown) parts_->files.list.emplace(parts_->files.recent);
}
bool PanelMemory::file_is_to_compare() const { return parts_->files.to_compare; }
std::optional<std::filesystem::path> PanelMemory::take_file() {
    return std::exchange(parts_->files.chosen, std::nullopt);
}
void PanelMemory::set_recent_files(std::vector<std::filesystem::path> files) {
    parts_->files.recent = std::move(files);
}

bool PanelMemory::working(const ViewState& view) const {
    const PhaseTableMemory& phases = parts_->phases;
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
