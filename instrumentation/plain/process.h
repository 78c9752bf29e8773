#pragma once
// A child process in a group of its own, whose output is captured up to a limit.
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "instrumentation/base/result.h"

namespace tilereel::plain {

struct ProcessRequest {
    std::vector<std::string> command;  // the first is looked for in PATH
    std::filesystem::path folder;      // to run in; empty: the present one
    std::vector<std::pair<std::string, std::string>> variables;  // added to the environment
    std::uint64_t output_bytes = std::uint64_t{1} << 20;         // kept; the rest is thrown away
    // Without a message, if there is an on_message, and kMostTimesSeconds of them in all; 0: no
    // limit. Without an on_message: in all.
    double seconds = 0;
    std::uint64_t address_bytes = 0;  // of address space; 0: no limit
    std::uint64_t file_bytes = 0;     // of a file that it writes; 0: no limit
    // "NAME=value": processes with this in their environment end with it, wherever they are; empty:
    // only those of its group.
    std::string mark;
    int memory_file = -1;  // a descriptor that it gets as kMemoryFile; -1: none
    std::function<void(const std::string& line)> on_message;  // lines on kMessagePipe
    const std::atomic<bool>* cancel = nullptr;
};
inline constexpr double kMostTimesSeconds = 10;
inline constexpr int kMessagePipe = 3;  // the child's, if there is an on_message
inline constexpr int kMemoryFile = 4;   // likewise, if there is a memory_file

enum class ProcessEnd : std::uint8_t { kExit, kSignal, kTimeLimit, kCancelled };
struct ProcessResult {
    ProcessEnd end = ProcessEnd::kExit;
    int code = 0;        // exit code, or signal
    std::string output;  // standard output and standard error
    bool output_cut = false;
    double seconds = 0;
    double stopped_after = 0;  // seconds, if it was asked to end
    [[nodiscard]] bool succeeded() const { return end == ProcessEnd::kExit && code == 0; }
};
// Standard input is closed. When the process ends, so does every process of its group.
[[nodiscard]] Result<ProcessResult> run_process(const ProcessRequest& request);

}  // namespace tilereel::plain
