#include "instrumentation/program/program_messages.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "instrumentation/program/read_message.h"

namespace tilereel::program {
namespace {

struct Unsound {};  // thrown: the message does not fit the others

constexpr std::size_t kMostLaunches = 1'000'000, kMostFindingsHeard = 100'000,
                      kMostHostCalls = 1000;

Dim3 extents(const contract::Extents& of) { return {of[0], of[1], of[2]}; }

RecordedFindingKind kind_of(std::string_view name) {
    for (int i = 0; i <= static_cast<int>(kLastRecordedFindingKind); ++i) {
        const auto kind = static_cast<RecordedFindingKind>(i);
        if (finding_name(kind) == name) return kind;
    }
    return RecordedFindingKind::kOther;
}

RecordedFinding finding_of(const contract::FindingText& text) {
    RecordedFinding finding;
    finding.kind = kind_of(text.kind);
    finding.error = finding.kind != RecordedFindingKind::kNotFreed && text.error;
    finding.line = text.line;
    finding.what = text.what;
    finding.advice = text.advice;
    return finding;
}

// Null if there is none. The numbers of launches ascend.
LaunchSummary* launch_with(std::vector<LaunchSummary>& launches, std::uint32_t number) {
    const auto found = std::ranges::lower_bound(launches, number, {}, &LaunchSummary::number);
    return found == launches.end() || found->number != number ? nullptr : &*found;
}

// Whether the launch ran, and has none of the blocks that the request asks for. A GPU's recorder
// takes blocks of its own choice.
bool lacks_asked_blocks(const ProgramRequest& request, const LaunchSummary& launch) {
    if (request.on_gpu || !launch.is_recorded || !launch.reason.empty() || launch.is_handed_over)
        return false;
    const auto has = [&](std::uint32_t block) { return block < launch.grid.count(); };
    return !request.blocks.empty() && std::ranges::none_of(request.blocks, has) &&
           std::ranges::none_of(request.more_blocks, [&](const LaunchBlock& more) {
               return more.launch == launch.number && has(more.block);
           });
}

std::string no_asked_block(const Dim3& grid) {
    const std::uint64_t count = grid.count();
    return count == 1 ? "its grid has one block, number 0; --blocks asks for others"
                      : "its grid has blocks 0 to " + std::to_string(count - 1) +
                            "; --blocks asks for others";
}

void add_to(std::vector<RecordedFinding>& findings, RecordedFinding finding) {
    if (findings.size() >= kMostFindingsHeard) throw Unsound{};
    findings.push_back(std::move(finding));
}

}  // namespace

bool is_own_file(const std::filesystem::path& path) {
    struct stat status {};
    return ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
           status.st_uid == ::geteuid() && status.st_nlink == 1;
}

void ProgramMessages::hear(const std::string& line) {
    std::optional<contract::AnyMessage> message = read_message(line);
    if (!message) {
        ++unsound_;
        return;
    }
    try {
        std::visit([this](auto& heard) { take(heard); }, *message);
    } catch (const Unsound&) {
        ++unsound_;
    }
}

void ProgramMessages::take(contract::Piece&) {
    if (request_.on_piece) request_.on_piece();
}

void ProgramMessages::take(contract::Stopped& heard) { stopped_after_ = heard.launch; }

void ProgramMessages::take(contract::End& heard) {
    if (ended_.size() >= kMostLaunches) throw Unsound{};
    ended_.insert(heard.process);
}

void ProgramMessages::take(contract::RecorderFailed& heard) { recorder_failure_ = heard.why; }

void ProgramMessages::take(contract::WrongCall& heard) { wrong_call_ = heard.why; }

void ProgramMessages::take(contract::OnHost& heard) {
    if (run_.on_host.size() >= kMostHostCalls) throw Unsound{};
    run_.on_host.push_back(heard.name);
}

void ProgramMessages::take(contract::Finding& heard) {
    add_to(run_.findings, finding_of(heard.text));
}

// What a message says of a launch before it runs.
LaunchSummary ProgramMessages::asked_launch(std::uint32_t number, contract::LaunchCall& call) {
    LaunchSummary launch;
    launch.number = number;
    if (run_.launches.size() >= kMostLaunches ||
        (!run_.launches.empty() && run_.launches.back().number >= launch.number))
        throw Unsound{};
    launch.kernel = std::move(call.kernel);
    launch.file = std::move(call.file);
    launch.line = call.line;
    launch.grid = extents(call.grid);
    launch.block = extents(call.block);
    launch.shared_bytes = call.shared_bytes;
    return launch;
}

void ProgramMessages::list_running_launch(std::uint32_t before) {
    if (!running_ || running_->number >= before) return;
    LaunchSummary launch = std::move(*running_);
    running_.reset();
    launch.is_whole = false;
    launch.reason =
        "the program left it, or ended, while the kernel ran, so what was recorded of it is lost";
    run_.launches.push_back(launch);
    tell([&](ProgramStage& stage) { stage.launches.push_back(std::move(launch)); });
}

void ProgramMessages::take(contract::Start& heard) {
    list_running_launch(heard.number);
    if (heard.call && !running_) running_ = asked_launch(heard.number, *heard.call);
    tell([&](ProgramStage& stage) {
        stage.launch = heard.number;
        stage.share = 0;
    });
}

void ProgramMessages::take(contract::Progress& heard) {
    tell([&](ProgramStage& stage) {
        stage.share =
            heard.of == 0 ? 1 : static_cast<double>(heard.done) / static_cast<double>(heard.of);
    });
}

// A trace is a regular file directly in the run's folder. The program could name any other file.
std::filesystem::path ProgramMessages::own_trace(const std::filesystem::path& named) const {
    if (named.empty() || run_.folder == nullptr) return {};
    const std::filesystem::path path = *run_.folder / named.filename();
    return named == path && is_own_file(path) ? path : std::filesystem::path();
}

void ProgramMessages::take(contract::Launch& heard) {
    if (running_ && heard.number == running_->number) running_.reset();
    LaunchSummary launch = asked_launch(heard.number, heard.call);
    list_running_launch(launch.number);
    launch.recorded_blocks = heard.recorded;
    launch.unhooked_blocks = heard.unhooked;
    launch.accesses = heard.accesses;
    launch.trace = own_trace(heard.trace);
    launch.is_handed_over = heard.handed_over;
    launch.reason = heard.reason;
    if (!heard.trace.empty() && launch.trace.empty()) launch.reason = kReplacedTrace;
    launch.called_from = heard.called_from;
    launch.is_whole = heard.whole;
    launch.chosen_blocks = std::move(heard.chosen);
    launch.cut_blocks = std::move(heard.cut);
    launch.uses_textures = heard.textures;
    launch.uses_cub = heard.uses_cub;
    launch.is_recorded = !heard.unrecorded;
    if (!launch.is_recorded)
        launch.reason = request_.launch
                            ? "only launch " + std::to_string(*request_.launch) + " is recorded"
                            : "the budget of accesses is used up; record it with --launch " +
                                  std::to_string(launch.number);
    launch.lacks_asked_blocks = lacks_asked_blocks(request_, launch);
    if (launch.lacks_asked_blocks) {
        launch.reason = no_asked_block(launch.grid);
        launch.trace.clear();
    }
    launch.sums = std::move(heard.sums);
    launch.barriers = std::move(heard.barriers);
    if (!heard.reason_kind.empty())
        launch.findings.push_back(
            finding_of({.kind = heard.reason_kind, .what = launch.reason, .advice = heard.advice}));
    run_.launches.push_back(launch);
    tell([&](ProgramStage& stage) { stage.launches.push_back(std::move(launch)); });
}

// Changes a launch of the run, and of the stage that others see.
template <class Change>
void ProgramMessages::change_launch(std::uint32_t number, Change&& change) {
    LaunchSummary* const launch = launch_with(run_.launches, number);
    if (launch == nullptr) throw Unsound{};
    change(*launch);
    tell([&](ProgramStage& stage) {
        if (LaunchSummary* const shown = launch_with(stage.launches, number)) change(*shown);
    });
}

void ProgramMessages::take(contract::LaunchFinding& heard) {
    const RecordedFinding finding = finding_of(heard.text);
    change_launch(heard.number, [&](LaunchSummary& launch) { add_to(launch.findings, finding); });
}

void ProgramMessages::take(contract::LeftOut& heard) {
    change_launch(heard.number, [&](LaunchSummary& launch) {
        if (heard.blocks > launch.grid.count()) throw Unsound{};
        launch.left_out_blocks = heard.blocks;
        launch.left_out_seconds = heard.seconds;
    });
}

void ProgramMessages::take(contract::Rest& heard) {
    change_launch(heard.number, [&](LaunchSummary& launch) {
        if (heard.blocks > launch.grid.count()) throw Unsound{};
        launch.rest_blocks = heard.blocks;
        launch.rest_seconds = heard.seconds;
    });
}

void ProgramMessages::tell_unsound() {
    if (unsound_ == 0) return;
    RecordedFinding finding;
    finding.error = false;
    finding.what = std::to_string(unsound_) +
                   (unsound_ == 1 ? " message of the recorder is left out, because it does"
                                  : " messages of the recorder are left out, because they do") +
                   " not fit the others.";
    finding.advice =
        "Launch kernels from one process only, and write to no descriptor that the program did "
        "not open.";
    run_.findings.push_back(std::move(finding));
}

}  // namespace tilereel::program
