// Takes over the results of the thread: a run, the trace of a launch.
#include <algorithm>
#include <utility>

#include "app/replay/sentence/wording.h"
#include "app/workbench/program/compile_error_line.h"
#include "app/workbench/program/program_bench_state.h"
#include "instrumentation/trace/launch_names.h"

namespace tilereel {
namespace {

// The launch of a new run that corresponds to the watched launch of the former run: the same number
// and kernel, else the first launch of that kernel.
std::optional<std::uint32_t> same_launch(const OpenedProgram& program,
                                         const program::ProgramRun& run) {
    if (!program.launch || !program.run) return program.launch;
    const std::vector<program::LaunchSummary>& before = program.run->launches;
    if (*program.launch >= before.size()) return std::nullopt;
    const std::string& kernel = before[*program.launch].kernel;
    if (*program.launch < run.launches.size() && run.launches[*program.launch].kernel == kernel)
        return program.launch;
    const auto same = std::ranges::find(run.launches, kernel, &program::LaunchSummary::kernel);
    if (same == run.launches.end()) return std::nullopt;
    return static_cast<std::uint32_t>(same - run.launches.begin());
}

// The launch with this number; nullptr if there is none.
const program::LaunchSummary* find_launch(const program::ProgramRun& run, std::uint32_t number) {
    const auto found = std::ranges::find(run.launches, number, &program::LaunchSummary::number);
    return found == run.launches.end() ? nullptr : &*found;
}

bool is_recorded(const program::ProgramRun& run, const program::LaunchBlock& block) {
    const program::LaunchSummary* const launch = find_launch(run, block.launch);
    if (launch == nullptr || launch->trace.empty() || block.block >= launch->grid.count())
        return false;
    const std::vector<std::uint32_t>& chosen = launch->chosen_blocks;
    return chosen.empty() || std::ranges::binary_search(chosen, block.block);
}

}  // namespace

void ProgramBench::take_run() {
    const std::shared_ptr<Work> work = std::exchange(work_, nullptr);
    program_->running = program_->ending = false;
    const bool unfinished = std::exchange(program_->unfinished, false);
    const std::shared_ptr<Work> early = std::exchange(early_, nullptr);
    if (!*work->run) {
        forget_asked();
        if (program_->cancelled_after) return;
        program_->error = work->run->error().message;
        message_ = program_->error;
        return;
    }
    program::ProgramRun run = std::move(*work->run).value();
    program_->text = std::move(work->text);
    program_->compile_errors = run.compile_errors;
    if (!run.compile_errors.empty()) {
        // The run before stays and can still be watched.
        forget_asked();
        const program::CompileError& first = run.compile_errors.front();
        const std::string file = std::filesystem::path(first.file).filename().string();
        const bool own = file.empty() || file == program_->name();
        const std::uint32_t line = own ? line_to_mend(program_->text, first) : first.line;
        message_ = program_->name() + " does not compile" +
                   (line == 0 ? std::string()
                              : ": " + (own ? "" : file + ", ") + "line " + std::to_string(line)) +
                   (program_->run ? ". The former run is shown until it compiles." : ".");
        return;
    }
    if (drops_cancelled(run) || keeps_former(run)) return;
    // A launch that was just chosen is read anew, from the whole run.
    const std::optional<std::uint32_t> wanted =
        early && early->of_unfinished ? early->launch : same_launch(*program_, run);
    const bool is_shown = unfinished && wanted == program_->launch && wanted &&
                          *wanted < run.launches.size() && !run.launches[*wanted].trace.empty() &&
                          run.launches[*wanted].trace == program_->run->launches[*wanted].trace;
    adopt(std::move(run));
    recorded_more_ = program_->request.more_blocks;
    const std::optional<program::LaunchBlock> asked = std::exchange(program_->asked, std::nullopt);
    const std::optional<std::uint32_t> launch = launch_to_show(*program_->run, wanted);
    if (launch && !is_shown) choose(*launch);
    if (launch && asked && program_->run->launches[*launch].number == asked->launch &&
        is_recorded(*program_->run, *asked))
        block_ = asked->block;
    start_counting();
    take_counts();
}

// Takes over a run with a recording: of the former text, if there is another one, it becomes the
// run to compare with.
void ProgramBench::adopt(program::ProgramRun run) {
    // A run without a recording shows nothing to compare with: the one before it stays.
    if (program_->run && program_->run_text != program_->text && launch_to_show(*program_->run, {}))
        program_->former = FormerRun{.text = std::move(program_->run_text),
                                     .launches = std::move(program_->run->launches),
                                     .findings = std::move(program_->run->findings)};
    else if (program_->former && program_->former->text == program_->text)
        program_->former.reset();
    program_->run = std::move(run);
    program_->run_text = program_->text;
}

// Whether a cancelled run is dropped, so that the former run stays: it has no recording that was
// asked for, or less than the former run of the same text.
bool ProgramBench::drops_cancelled(const program::ProgramRun& run) {
    using program::ProgramEnd;
    const std::optional<program::ProgramRun>& former = program_->run;
    bool drops = false;
    if (run.end == ProgramEnd::kCancelled && former && launch_to_show(*former, {})) {
        const bool same = program_->run_text == program_->text;
        drops = program_->asked && !program_->saved
                    ? !is_recorded(run, *program_->asked)
                    : !launch_to_show(run, {}) || (same && former->end != ProgramEnd::kCancelled);
    }
    if (drops)
        forget_asked();
    else
        program_->cancelled_after.reset();
    return drops;
}

// Whether the former run is kept. A run that was to record a block and did not is dropped, unless
// it was started because the file was saved. If the former run is kept,
// message_ says why.
bool ProgramBench::keeps_former(const program::ProgramRun& run) {
    if (!program_->asked || program_->saved || is_recorded(run, *program_->asked)) return false;
    const program::LaunchBlock asked = *program_->asked;
    const program::LaunchSummary* const launch = find_launch(run, asked.launch);
    const program::LaunchSummary* const former = find_launch(*program_->run, asked.launch);
    message_ =
        "Block " +
        (former == nullptr ? std::to_string(asked.block) : block_name(former->grid, asked.block)) +
        " of launch " + std::to_string(asked.launch) + " was not recorded: ";
    if (launch == nullptr)
        message_ += "this time the program did not reach that launch. " + run.end_sentence;
    else if (asked.block >= launch->grid.count())
        message_ +=
            "this time the launch has only " + counted(launch->grid.count(), "block", "blocks");
    else
        message_ += launch->reason.empty() ? "the launch ended before it. " + run.end_sentence
                                           : launch->reason;
    forget_asked();
    return true;
}

void ProgramBench::take_launch() {
    const std::shared_ptr<Work> work = std::exchange(work_, nullptr);
    if (!*work->trace) {
        block_.reset();
        message_ = work->trace->error().message;
        return;
    }
    show_read(*work);
}

void ProgramBench::show_read(Work& work) {
    if (!work.refused.empty()) {
        message_ = work.refused;
        if (work.former) {  // the trace that is shown stays
            program_->products = *work.former;
            return;
        }
        program_->products.erase(work.kernel);
    }
    program_->launch = work.launch;
    program_->named = work.named;
    trace_ = std::make_shared<const Trace>(std::move(*work.trace).value());
}

std::optional<std::uint32_t> launch_to_show(const program::ProgramRun& run,
                                            std::optional<std::uint32_t> wanted) {
    const auto has_trace = [&run](std::uint32_t launch) {
        return launch < run.launches.size() && !run.launches[launch].trace.empty();
    };
    if (wanted && has_trace(*wanted)) return wanted;
    for (std::uint32_t i = 0; i < run.launches.size(); ++i)
        if (has_trace(i)) return i;
    return std::nullopt;
}

}  // namespace tilereel
