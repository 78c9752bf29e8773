// Opens a launch that has finished while the program still runs.
#include <algorithm>
#include <utility>

#include "app/workbench/program/program_bench_state.h"

namespace tilereel {

// A run that only records another block shows its launches when it has ended; until then the same
// launch of the former run is shown.
void ProgramBench::choose_finished(std::uint32_t launch) {
    const program::LaunchSummary& finished = program_->stage.launches[launch];
    if (!program_->asked || program_->saved || !program_->run) {
        auto work = Work::reading(*program_, finished, launch);
        work->of_unfinished = true;
        return read_early(std::move(work));
    }
    const std::vector<program::LaunchSummary>& former = program_->run->launches;
    const auto same = std::ranges::find(former, finished.number, &program::LaunchSummary::number);
    if (same == former.end() || same->trace.empty()) return;
    read_early(Work::reading(*program_, *same, static_cast<std::uint32_t>(same - former.begin())));
}

// A launch of the run that goes on. What the run has recorded so far replaces the former run; it
// counts as cancelled until the run has ended.
void ProgramBench::take_early() {
    const std::shared_ptr<Work> work = std::exchange(early_, nullptr);
    if (!*work->trace) {
        message_ = work->trace->error().message;
        return;
    }
    if (work->of_unfinished && program_->running && !program_->unfinished) {
        program::ProgramRun so_far;
        so_far.launches = program_->stage.launches;
        so_far.folder = program_->stage.folder;
        so_far.end = program::ProgramEnd::kCancelled;
        so_far.end_sentence = "The program still runs.";
        program_->text = work_->text;  // written before the program began
        adopt(std::move(so_far));
        if (counting_) std::exchange(counting_, nullptr)->cancel = true;
        program_->counts.assign(program_->run->launches.size(), std::nullopt);
        program_->unfinished = true;
    }
    show_read(*work);
}

}  // namespace tilereel
