#pragma once
// What ProgramBench shares with its thread.
#include <atomic>
#include <chrono>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/workbench/program/program_bench.h"

namespace tilereel {

struct ProgramBench::Work {
    using Clock = std::chrono::steady_clock;
    program::ProgramRequest request;
    program::ProgramProgress progress;
    Clock::time_point begun = Clock::now();
    std::optional<Clock::time_point> runs_since{};    // seen by advance()
    std::optional<std::filesystem::path> trace_file;  // read only this; without it, run the program
    std::uint32_t launch = 0;                         // of the trace: index in the run's launches
    bool of_unfinished = false;                       // the run is the current one
    std::string kernel;                               // of the trace
    NamedProducts products;
    // Set by name_product(): the named products before, restored if the new product does not fit.
    std::optional<NamedProducts> former;
    // Results; read after `done`:
    std::string refused;                // why the named product does not fit
    std::optional<NamedProduct> named;  // the product that the trace is shown as
    std::string text;
    std::optional<Result<program::ProgramRun>> run;
    std::optional<Result<Trace>> trace;
    std::atomic<bool> done{false};

    [[nodiscard]] static double seconds_since(Clock::time_point begin) {
        return std::chrono::duration<double>(Clock::now() - begin).count();
    }

    // Reads the trace of a launch.
    static std::shared_ptr<Work> reading(const OpenedProgram& program,
                                         const program::LaunchSummary& chosen,
                                         std::uint32_t launch) {
        auto work = std::make_shared<Work>();
        work->trace_file = chosen.trace;
        work->launch = launch;
        work->kernel = chosen.kernel;
        work->products = program.products;
        return work;
    }
};

struct ProgramBench::Counting {
    std::atomic<bool> cancel{false};
    std::mutex mutex;  // guards the members below
    std::vector<std::pair<std::size_t, std::optional<LaunchCounts>>> counted;
    std::size_t left = 0;
};

// An exception is a fault of the system: it becomes an error and does not end the window.
template <class Function>
auto guarded_call(Function&& function) -> decltype(function()) {
    try {
        return function();
    } catch (const std::bad_alloc&) {
        return failed("There is not enough memory to open this program; record fewer blocks");
    } catch (const std::exception& problem) {
        return failed(std::string("The program could not be opened: ") + problem.what());
    }
}

}  // namespace tilereel
