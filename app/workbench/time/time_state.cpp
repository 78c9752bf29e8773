// Which estimates a workbench asks for.
#include <functional>

#include "app/workbench/time/time_shown.h"
#include "app/workbench/workbench_state.h"

namespace tilereel {
namespace {

// What the estimate of the recorded launch `id` is kept under.
std::string key_of_recording(std::uint64_t id) { return "recording " + std::to_string(id); }

bool shows_time(const ViewState& view) {
    return view.mode == WindowMode::kTime || view.mode == WindowMode::kRace ||
           (view.mode == WindowMode::kReplay && view.line_figure == LineFigure::kTime);
}

}  // namespace

// Recording and estimating do not run at the same time: both take all cores.
void Workbench::State::ask_for_time() {
    times.advance();
    const bool on_race_page = view.mode == WindowMode::kRace;
    if (on_race_page && races->racing()) {
        times.ask({}, {});  // nothing beside a race
        timed = {};
        return;
    }
    // A picture or a film of a race shows that race alone.
    if (on_race_page && (races->busy() || !record_on_worker)) return;
    if (!recording || follower || worker.busy() || programs->busy() || !shows_time(view)) return;
    const std::uint64_t former = before_edit ? before_edit->id : 0;
    if (timed.recording == recording->id && timed.former == former &&
        timed.size == view.time_size && timed.alone == on_race_page &&
        timed.with_l2 == (view.mode == WindowMode::kTime))
        return;
    const GpuModel* const gpu = find_gpu_model(recording->generation->id);
    const std::string on = " on " + std::string(recording->generation->id);
    timed = {.recording = recording->id,
             .former = former,
             .size = view.time_size,
             .alone = on_race_page,
             .with_l2 = view.mode == WindowMode::kTime,
             .keys = {}};
    const Trace& trace = *recording->trace;
    const bool of_ladder = !shows_program && find_kernel(trace.launch.kernel) != nullptr &&
                           recording->request.kernel == trace.launch.kernel;
    std::vector<TimeQuestion> questions;
    if (of_ladder) {
        questions.push_back(question_of_kernel(recording->request, gpu, view.time_size));
        timed.request = questions.back().request;
        timed.keys.push_back(key_of(questions.back()) + on);
    } else {
        questions.push_back({.gpu = gpu, .trace = recording->trace});
        // A launch of a program that is shown again has another recording, but the same file.
        const OpenedProgram* const opened = shows_program ? programs->program() : nullptr;
        const bool has_file = opened != nullptr && opened->run && opened->launch &&
                              *opened->launch < opened->run->launches.size();
        const std::string text = std::to_string(std::hash<std::string>()(trace.source));
        timed.keys.push_back(
            (has_file ? opened->run->launches[*opened->launch].trace.string() + " " + text
                      : key_of_recording(recording->id)) +
            on);
    }
    if (on_race_page) {
        questions.front().with_changes = false;
        timed.keys.front() += " alone";
    }
    if (before_edit && shows_program && !on_race_page) {
        if (former_time_key.empty()) former_time_key = key_of_recording(former) + on;
        questions.push_back({.gpu = gpu, .with_changes = false, .trace = before_edit->trace});
        timed.keys.push_back(former_time_key);
    }
    if (timed.with_l2) {
        questions.push_back(questions.front());
        questions.back().only_l2 = true;
        timed.l2_key = timed.keys.front() + " L2";
        timed.keys.push_back(timed.l2_key);
    }
    times.ask(timed.keys, [&](std::size_t i) { return questions[i]; });
}

const TimeAnswer* Workbench::time_answer() const {
    const State::Timed& timed = state_->timed;
    const bool is_shown = recording() != nullptr && timed.recording == recording()->id &&
                          timed.alone == (view().mode == WindowMode::kRace) &&
                          timed.size == view().time_size;
    return is_shown ? state_->times.answer(timed.keys.front()) : nullptr;
}
const TimeAnswer* Workbench::former_time_answer() const {
    const auto& keys = state_->timed.keys;
    const bool has_former = keys.size() > (state_->timed.l2_key.empty() ? 1 : 2);
    return has_former ? state_->times.answer(keys[1]) : nullptr;
}
const EstimatedLaunch* Workbench::l2_answer() const {
    const std::string& key = state_->timed.l2_key;
    const TimeAnswer* const answer =
        time_answer() == nullptr || key.empty() ? nullptr : state_->times.answer(key);
    return answer != nullptr && answer->launch ? &*answer->launch : nullptr;
}
const RecordRequest* Workbench::timed_request() const {
    return state_->timed.request ? &*state_->timed.request : nullptr;
}
bool Workbench::estimating() const { return state_->times.busy(); }

}  // namespace tilereel
