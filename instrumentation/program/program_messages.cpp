#include "instrumentation/program/program_messages.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "instrumentation/base/format/json_text.h"

namespace tilereel::program {
namespace {

using Json = nlohmann::json;

struct Unsound {};  // thrown: the recorder does not write such a message

constexpr std::size_t kMostLaunches = 1'000'000, kMostFindingsHeard = 100'000,
                      kMostHostCalls = 1000;

// A whole number from 0 to `most`. The library would convert any other number silently.
template <class T>
T number_in(const Json& value, T most = std::numeric_limits<T>::max()) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most) throw Unsound{};
    return static_cast<T>(value.get<std::uint64_t>());
}
template <class T>
T number_of(const Json& message, const char* name, T most = std::numeric_limits<T>::max()) {
    return number_in<T>(message.at(name), most);
}
template <class T>
T number_or(const Json& message, const char* name, T otherwise,
            T most = std::numeric_limits<T>::max()) {
    return message.contains(name) ? number_of<T>(message, name, most) : otherwise;
}

std::vector<std::uint32_t> numbers_of(const Json& message, const char* name) {
    std::vector<std::uint32_t> numbers;
    if (!message.contains(name)) return numbers;
    if (!message.at(name).is_array()) throw Unsound{};
    for (const Json& value : message.at(name)) numbers.push_back(number_in<std::uint32_t>(value));
    return numbers;
}

// Numbers of blocks of a launch, ascending.
std::vector<std::uint32_t> blocks_of(const Json& message, const char* name, std::uint64_t count) {
    std::vector<std::uint32_t> blocks = numbers_of(message, name);
    for (std::size_t i = 0; i < blocks.size(); ++i)
        if (blocks[i] >= count || (i > 0 && blocks[i] <= blocks[i - 1])) throw Unsound{};
    return blocks;
}

Dim3 extents_of(const Json& message, const char* name) {
    const std::vector<std::uint32_t> extents = numbers_of(message, name);
    if (extents.size() != 3) throw Unsound{};
    return {extents[0], extents[1], extents[2]};
}

// No GPU runs a larger launch. A launch that was refused can have any numbers.
bool can_run(const Dim3& grid, const Dim3& block) {
    constexpr std::uint32_t kMostBlocks = 0x7fffffff, kMostRows = 0xffff, kMostThreads = 1024;
    return grid.x <= kMostBlocks && grid.y <= kMostRows && grid.z <= kMostRows &&
           std::max({block.x, block.y, block.z}) <= kMostThreads && block.count() <= kMostThreads;
}

RecordedFindingKind kind_of(std::string_view name) {
    for (int i = 0; i <= static_cast<int>(kLastRecordedFindingKind); ++i) {
        const auto kind = static_cast<RecordedFindingKind>(i);
        if (finding_name(kind) == name) return kind;
    }
    return RecordedFindingKind::kOther;
}

RecordedFinding finding_of(const Json& message, const char* kind, const std::string& what) {
    RecordedFinding finding;
    finding.kind = kind_of(message.value(kind, ""));
    finding.error = finding.kind != RecordedFindingKind::kNotFreed &&
                    number_or<std::uint32_t>(message, "error", 1) != 0;
    finding.line = number_or<std::uint32_t>(message, "line", 0);
    finding.what = what;
    finding.advice = message.value("advice", "");
    return finding;
}

// Null if there is none. The numbers of launches ascend.
LaunchSummary* launch_with(std::vector<LaunchSummary>& launches, std::uint32_t number) {
    const auto found = std::ranges::lower_bound(launches, number, {}, &LaunchSummary::number);
    return found == launches.end() || found->number != number ? nullptr : &*found;
}

// "cub::DeviceReduce::Sum"
bool is_function_name(const std::string& name) {
    return !name.empty() && name.size() <= 100 && std::ranges::all_of(name, [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_' || c == ':';
    });
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
    const Json message = read_json(line);
    try {
        if (!message.is_object()) throw Unsound{};
        take(message);
    } catch (const Json::exception&) {  // a key is missing or has another type
        ++unsound_;
    } catch (const Unsound&) {
        ++unsound_;
    }
}

void ProgramMessages::take(const Json& message) {
    const std::string kind = message.at("kind");
    if (kind == "piece") {
        if (request_.on_piece) request_.on_piece();
    } else if (kind == "start" || kind == "progress") {
        take_progress(message);
    } else if (kind == "left_out" || kind == "rest") {
        note_rest(message, kind == "left_out");
    } else if (kind == "stopped") {
        stopped_after_ = number_of<std::uint32_t>(message, "launch");
    } else if (kind == "end") {
        if (ended_.size() >= kMostLaunches) throw Unsound{};
        ended_.insert(number_of<std::uint32_t>(message, "process"));
    } else if (kind == "recorder_failed") {
        recorder_failure_ = message.at("why");
    } else if (kind == "wrong_call") {
        wrong_call_ = message.at("why");
    } else if (kind == "launch") {
        add_launch(message);
    } else if (kind == "launch_finding") {
        add_finding_of_launch(message);
    } else if (kind == "on_host") {
        const std::string name = message.at("name");
        if (run_.on_host.size() >= kMostHostCalls || !is_function_name(name)) throw Unsound{};
        run_.on_host.push_back(name);
    } else if (kind == "finding") {
        add_to(run_.findings, finding_of(message, "what_kind", message.at("what")));
    } else {
        throw Unsound{};
    }
}

// What a message says of a launch before it runs.
LaunchSummary ProgramMessages::asked_launch(const Json& message) {
    LaunchSummary launch;
    launch.number = number_of<std::uint32_t>(message, "number");
    if (run_.launches.size() >= kMostLaunches ||
        (!run_.launches.empty() && run_.launches.back().number >= launch.number))
        throw Unsound{};
    launch.kernel = message.at("kernel");
    launch.file = message.at("file");
    launch.line = number_of<std::uint32_t>(message, "line");
    launch.grid = extents_of(message, "grid");
    launch.block = extents_of(message, "block");
    launch.shared_bytes = number_of<std::uint32_t>(message, "shared");
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

void ProgramMessages::take_progress(const Json& message) {
    if (message.at("kind") == "start") {
        const auto launch = number_of<std::uint32_t>(message, "number");
        list_running_launch(launch);
        if (message.contains("file") && !running_) running_ = asked_launch(message);
        tell([&](ProgramStage& stage) {
            stage.launch = launch;
            stage.share = 0;
        });
        return;
    }
    const auto all = number_of<std::uint64_t>(message, "of");
    const auto done = number_of<std::uint64_t>(message, "done", all);
    tell([&](ProgramStage& stage) {
        stage.share = all == 0 ? 1 : static_cast<double>(done) / static_cast<double>(all);
    });
}

// A trace is a regular file directly in the run's folder. The program could name any other file.
std::filesystem::path ProgramMessages::own_trace(const std::filesystem::path& named) const {
    if (named.empty() || run_.folder == nullptr) return {};
    const std::filesystem::path path = *run_.folder / named.filename();
    return named == path && is_own_file(path) ? path : std::filesystem::path();
}

void ProgramMessages::add_launch(const Json& message) {
    if (running_ && number_of<std::uint32_t>(message, "number") == running_->number)
        running_.reset();
    LaunchSummary launch = asked_launch(message);
    list_running_launch(launch.number);
    const std::uint64_t blocks = can_run(launch.grid, launch.block) ? launch.grid.count() : 0;
    launch.recorded_blocks = number_or<std::uint64_t>(message, "recorded", 0, blocks);
    launch.unhooked_blocks = number_or<std::uint64_t>(message, "unhooked", 0, blocks);
    launch.accesses = number_or<std::uint64_t>(message, "accesses", 0);
    const std::string trace = message.value("trace", "");
    launch.trace = own_trace(trace);
    launch.is_handed_over = number_or<std::uint32_t>(message, "handed_over", 0) != 0;
    launch.reason = message.value("reason", "");
    if (!trace.empty() && launch.trace.empty()) launch.reason = kReplacedTrace;
    launch.called_from = number_or<std::uint64_t>(message, "called_from", 0);
    launch.is_whole = number_or<std::uint32_t>(message, "whole", 1) != 0;
    launch.chosen_blocks = blocks_of(message, "chosen", blocks);
    launch.cut_blocks = blocks_of(message, "cut", blocks);
    launch.uses_textures = number_or<std::uint32_t>(message, "textures", 0) != 0;
    launch.uses_cub = number_or<std::uint32_t>(message, "library", 0) != 0;
    launch.is_recorded = number_or<std::uint32_t>(message, "unrecorded", 0) == 0;
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
    launch.sums = numbers_of(message, "sums");
    launch.barriers = numbers_of(message, "barriers");
    if (message.contains("reason_kind"))
        launch.findings.push_back(finding_of(message, "reason_kind", launch.reason));
    run_.launches.push_back(launch);
    tell([&](ProgramStage& stage) { stage.launches.push_back(std::move(launch)); });
}

// Changes a launch of the run, and of the stage that others see.
template <class Change>
void ProgramMessages::change_launch(const Json& message, Change&& change) {
    const auto number = number_of<std::uint32_t>(message, "number");
    LaunchSummary* const launch = launch_with(run_.launches, number);
    if (launch == nullptr) throw Unsound{};
    change(*launch);
    tell([&](ProgramStage& stage) {
        if (LaunchSummary* const shown = launch_with(stage.launches, number)) change(*shown);
    });
}

void ProgramMessages::add_finding_of_launch(const Json& message) {
    const RecordedFinding finding = finding_of(message, "what_kind", message.at("what"));
    change_launch(message, [&](LaunchSummary& launch) { add_to(launch.findings, finding); });
}

void ProgramMessages::note_rest(const Json& message, bool left_out) {
    const auto seconds = number_of<std::uint64_t>(message, "seconds");
    change_launch(message, [&](LaunchSummary& launch) {
        const auto blocks = number_of<std::uint64_t>(message, "blocks", launch.grid.count());
        (left_out ? launch.left_out_blocks : launch.rest_blocks) = blocks;
        (left_out ? launch.left_out_seconds : launch.rest_seconds) = seconds;
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
