#pragma once
// The messages of a program that runs (instrumentation/contract/messages.h). The program can write
// any line there, so every line is a stranger's.
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <string>

#include "instrumentation/contract/messages.h"
#include "instrumentation/program/program_run.h"

namespace tilereel::program {

inline constexpr const char* kReplacedTrace = "the program has replaced the file of its trace";

// A regular file of this user, with one name, and no link.
[[nodiscard]] bool is_own_file(const std::filesystem::path& path);

// Checks each message and keeps it in the ProgramRun and the ProgramProgress. Of the launches that
// are kept, numbers ascend; blocks ascend and are in the grid; a trace is a file in run.folder.
class ProgramMessages {
  public:
    ProgramMessages(const ProgramRequest& request, ProgramRun& run, ProgramProgress* progress)
        : request_(request), run_(run), progress_(progress) {}

    void hear(const std::string& line);
    // Why the recorder could not go on; empty: it could.
    [[nodiscard]] const std::string& recorder_failure() const { return recorder_failure_; }
    // What is wrong with a launch line; empty: nothing.
    [[nodiscard]] const std::string& wrong_call() const { return wrong_call_; }
    // The program ended after this launch, because ProgramRequest::launch asks for it.
    [[nodiscard]] std::optional<std::uint32_t> stopped_after() const { return stopped_after_; }
    // Whether the recorder in this process has said that the process ends.
    [[nodiscard]] bool has_ended(std::uint32_t process) const { return ended_.contains(process); }
    // Adds the launch that ran when the program ended, if it told of no end of the launch.
    void list_last_launch() { list_running_launch(std::numeric_limits<std::uint32_t>::max()); }
    // Adds a finding if lines were left out because the recorder does not write such lines.
    void tell_unsound();

  private:
    // One for each kind of message. Unsound: it does not fit the others.
    void take(contract::Piece& heard);
    void take(contract::Start& heard);
    void take(contract::Progress& heard);
    void take(contract::LeftOut& heard);
    void take(contract::Rest& heard);
    void take(contract::Launch& heard);
    void take(contract::LaunchFinding& heard);
    void take(contract::Finding& heard);
    void take(contract::OnHost& heard);
    void take(contract::Stopped& heard);
    void take(contract::WrongCall& heard);
    void take(contract::RecorderFailed& heard);
    void take(contract::End& heard);
    [[nodiscard]] LaunchSummary asked_launch(std::uint32_t number, contract::LaunchCall& call);
    void list_running_launch(std::uint32_t before);
    template <class Change>
    void change_launch(std::uint32_t number, Change&& change);
    [[nodiscard]] std::filesystem::path own_trace(const std::filesystem::path& named) const;
    template <class Change>
    void tell(Change&& change) {
        if (progress_ != nullptr) progress_->change(change);
    }

    const ProgramRequest& request_;
    ProgramRun& run_;
    ProgramProgress* progress_;
    std::optional<LaunchSummary> running_;  // has begun
    std::string recorder_failure_, wrong_call_;
    std::optional<std::uint32_t> stopped_after_;
    std::uint64_t unsound_ = 0;      // lines
    std::set<std::uint32_t> ended_;  // processes
};

}  // namespace tilereel::program
