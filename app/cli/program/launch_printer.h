#pragma once
// Prints the lines of each launch as soon as its recording is done, while the program goes on.
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "instrumentation/base/result.h"
#include "instrumentation/program/program_run.h"

namespace tilereel {

class LaunchPrinter {
  public:
    // The lines of a launch; with `is_rest`, what its other blocks need, which is known later.
    // Called on a thread of its own.
    using Describe =
        std::function<Result<std::string>(const program::LaunchSummary& launch, bool is_rest)>;
    explicit LaunchPrinter(Describe describe);
    ~LaunchPrinter();
    LaunchPrinter(const LaunchPrinter&) = delete;
    LaunchPrinter& operator=(const LaunchPrinter&) = delete;

    // For ProgramProgress::on_change.
    void hear(const program::ProgramStage& stage);
    // Waits until all launches are printed. Returns the first failure.
    [[nodiscard]] Status finish();

  private:
    struct Line {
        program::LaunchSummary launch;
        bool is_rest = false;  // what the launch's other blocks need
    };
    void add(const program::LaunchSummary& launch, bool is_rest);
    void print_all();

    Describe describe_;
    std::size_t heard_ = 0;                  // launches
    std::uint64_t rest_ = 0, left_out_ = 0;  // blocks of the last launch that are said already
    std::mutex mutex_;                       // guards the members below
    std::condition_variable changed_;
    std::deque<Line> waiting_;
    bool ended_ = false;
    Status status_ = Done{};
    std::thread thread_;
};

}  // namespace tilereel
