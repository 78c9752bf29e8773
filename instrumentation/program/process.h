#pragma once
// A child process in a group of its own, whose output is captured up to a limit.
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "instrumentation/base/result.h"
#include "instrumentation/program/process_watch.h"
#include "instrumentation/program/sandbox.h"

namespace tilereel::program {

struct ProcessRequest {
    std::vector<std::string> command;  // program, which is searched in PATH, and arguments
    std::filesystem::path folder;      // working directory; empty: that of this process
    std::vector<std::pair<std::string, std::string>> variables;  // set in its environment
    std::uint64_t output_bytes = std::uint64_t{1} << 20;  // kept of the output; more is discarded
    // Time limit; 0: none. With an on_message it limits the time between two messages, and the
    // whole run may take kWholeRunFactor times as long.
    double seconds = 0;
    double whole_seconds = 0;         // of the whole run; 0: as above
    std::uint64_t address_bytes = 0;  // limit of the address space; 0: no limit
    std::uint64_t file_bytes = 0;     // limit of each file that it writes; 0: no limit
    // "NAME=value": when the process ends, all processes with a variable in their environment that
    // begins so are killed. Empty: only those of its process group are.
    std::string mark;
    // It may not touch older processes (confine.h), and none of its descendants outlives it.
    bool confined = false;
    GroupLimits together;            // of a confined process and its descendants
    std::optional<Sandbox> sandbox;  // the process runs in one; why_no_sandbox() must be empty
    int memory_file = -1;  // a descriptor that the child gets as contract::kMemoryFile; -1: none
    std::function<void(const std::string& line)> on_message;  // contract::kMessagePipe
    const std::atomic<bool>* cancel = nullptr;     // who sets it drops what the process has written
    const std::atomic<bool>* interrupt = nullptr;  // the same, with time to write what there is
};
// Variables with which a compiler and its tools write their messages in English.
[[nodiscard]] inline std::vector<std::pair<std::string, std::string>> in_english() {
    return {{"LC_ALL", "C.UTF-8"}, {"LANGUAGE", ""}};
}
inline constexpr double kWholeRunFactor = 10;

// The bytes of all messages and of one. A process that sends more is killed (kMessages).
inline constexpr std::uint64_t kMostMessageBytes = std::uint64_t{256} << 20;
inline constexpr std::size_t kMostLineBytes = std::size_t{32} << 20;

enum class ProcessEnd : std::uint8_t { kExit, kSignal, kTimeLimit, kCancelled, kMessages, kLimit };
struct ProcessResult {
    ProcessEnd end = ProcessEnd::kExit;
    int code = 0;        // exit code or signal number
    std::string limit;   // with kLimit: what it exceeded, and what to do
    std::string output;  // standard output and standard error
    bool output_cut = false;
    double seconds = 0;
    std::uint32_t process = 0;  // its number, as itself sees it
    bool left_copies = false;   // of itself, by fork(); they still ran, and were ended
    double stopped_after = 0;   // seconds until it was asked to end; 0: it was not
    [[nodiscard]] bool succeeded() const { return end == ProcessEnd::kExit && code == 0; }
};
// Standard input is empty. When the process ends, its process group is killed.
[[nodiscard]] Result<ProcessResult> run_process(const ProcessRequest& request);

}  // namespace tilereel::program
