#include "app/panels/memory.h"

namespace tilereel {

const std::vector<AccessCounts>& counts_by_line(PanelMemory::State& state, const Replay& replay) {
    if (replay.id() == state.counted_replay) return state.by_line;
    const Trace& trace = replay.trace();
    state.by_line.clear();
    for (const SiteCounts& site : count_sites(trace, {replay.block()}, replay.generation())) {
        const Site& where = trace.sites[site.site];
        const bool access = is_access(where.operation);
        if (!access) continue;
        if (state.by_line.size() <= where.line) state.by_line.resize(where.line + 1);
        state.by_line[where.line] += site.counts;
    }
    state.counted_replay = replay.id();
    return state.by_line;
}

PanelMemory::PanelMemory() : state_(std::make_unique<State>()) {}
PanelMemory::~PanelMemory() = default;

void PanelMemory::show_notice(std::string_view text, std::string_view kernel) {
    if (state_->dismissed.contains({std::string(kernel), std::string(text)})) return;
    state_->notice = text;
    state_->notice_kernel = kernel;
    state_->notice_since = -1;
}

void PanelMemory::dismiss_notice() {
    State& s = *state_;
    if (!s.notice_kernel.empty()) s.dismissed.emplace(s.notice_kernel, s.notice);
    s.notice.clear();
}

std::size_t PanelMemory::chosen_suggestion(const SizeSuggestions& suggestions) {
    if (state_->suggested_for != suggestions.problem ||
        state_->choice >= suggestions.choices.size())
        state_->choice = 0;
    state_->suggested_for = suggestions.problem;
    return state_->choice;
}

void PanelMemory::choose_next_suggestion(const SizeSuggestions& suggestions) {
    state_->choice = (chosen_suggestion(suggestions) + 1) % suggestions.choices.size();
}

void PanelMemory::watch(std::uint32_t warp, std::uint32_t lane) {
    state_->watched_warp = warp;
    state_->watched_lane = lane;
}
std::optional<std::uint32_t> PanelMemory::take_lane() {
    return std::exchange(state_->lane_asked, std::nullopt);
}

void PanelMemory::show_files(bool shown) {
    state_->files.reset();
    if (shown) state_->files.emplace(state_->recent_files);
}
bool PanelMemory::shows_files() const { return state_->files.has_value(); }
std::optional<std::filesystem::path> PanelMemory::take_file() {
    return std::exchange(state_->file_asked, std::nullopt);
}
void PanelMemory::set_recent_files(std::vector<std::filesystem::path> files) {
    state_->recent_files = std::move(files);
}

void PanelMemory::toggle_introduction() { state_->introduction = !state_->introduction; }
void PanelMemory::toggle_phase_table() { state_->phases.open = !state_->phases.open; }
bool PanelMemory::shows_phase_table() const { return state_->phases.open; }
bool PanelMemory::working() const {
    const PhaseTableMemory& phases = state_->phases;
    return state_->former_fades || (phases.open && (phases.coming.valid() || phases.moving));
}

bool PanelMemory::scroll_introduction(float pages) {
    if (!state_->introduction) return false;
    state_->introduction_scroll += 0.9f * pages * state_->introduction_page;
    return true;
}

bool PanelMemory::close_topmost() {
    if (state_->introduction) {
        state_->introduction = false;
        return true;
    }
    if (!state_->notice.empty()) {
        dismiss_notice();
        return true;
    }
    return false;
}

void note_program_text(PanelMemory::State& state, std::string_view file, std::string_view text) {
    if (text == state.program_text && file == state.program_file) return;
    state.program_changes.clear();
    if (file == state.program_file) state.program_changes = changed_lines(state.program_text, text);
    state.program_file = file;
    state.program_text = text;
}

}  // namespace tilereel
