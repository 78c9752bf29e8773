#include "app/workbench/program_bench.h"

#include <atomic>
#include <exception>
#include <new>
#include <utility>

#include "instrumentation/trace/trace_file.h"

namespace tilereel {
namespace {

// Fault of the machine, not of the program: a sentence instead of the end of the window.
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

}  // namespace

struct ProgramBench::Work {
    plain::ProgramRequest request;
    plain::ProgramProgress progress;
    std::optional<std::filesystem::path> trace_file;  // set: only read this; else run the program
    std::uint32_t launch = 0;                         // whose trace it is
    std::optional<Result<plain::ProgramRun>> run;     // results; read after `done`
    std::optional<Result<Trace>> trace;
    std::atomic<bool> done{false};
};

ProgramBench::ProgramBench(ProgramBenchOptions options)
    : options_(std::move(options)), thread_(options_.on_thread) {
    if (!options_.read)
        options_.read = [](const std::filesystem::path& file) { return read_trace(file); };
}

ProgramBench::~ProgramBench() { cancel(); }

void ProgramBench::open(plain::ProgramRequest request) {
    cancel();
    if (!options_.run) {
        message_ = "This build of Tilereel cannot open CUDA programs";
        return;
    }
    program_ = OpenedProgram{.request = std::move(request)};
    run_again();
}

void ProgramBench::run_again() {
    if (!program_) return;
    cancel();
    auto work = std::make_shared<Work>();
    work->request = program_->request;
    program_->running = true;
    program_->stage = {};
    program_->error.clear();
    start(std::move(work));
}

void ProgramBench::cancel() {
    if (work_ == nullptr) return;
    work_->progress.cancel = true;
    work_.reset();
    if (program_) program_->running = false;
}

void ProgramBench::choose(std::uint32_t launch) {
    if (!program_ || !program_->run || program_->running) return;
    if (launch >= program_->run->launches.size()) return;
    const plain::LaunchSummary& chosen = program_->run->launches[launch];
    if (chosen.trace.empty()) {
        message_ = chosen.reason.empty() ? "This launch was not recorded" : chosen.reason;
        return;
    }
    auto work = std::make_shared<Work>();
    work->trace_file = chosen.trace;
    work->launch = launch;
    start(std::move(work));
}

void ProgramBench::start(std::shared_ptr<Work> work) {
    work_ = std::move(work);
    thread_.submit([this, work = work_] {
        if (work->trace_file)
            work->trace = guarded_call([&] { return options_.read(*work->trace_file); });
        else
            work->run = guarded_call([&] { return options_.run(work->request, &work->progress); });
        work->done = true;
    });
    if (!options_.on_thread) advance();
}

void ProgramBench::advance() {
    if (work_ == nullptr || !program_) return;
    if (program_->running) program_->stage = work_->progress.stage();
    if (!work_->done) return;
    if (work_->trace_file)
        take_launch();
    else
        take_run();
}

void ProgramBench::take_run() {
    const std::shared_ptr<Work> work = std::exchange(work_, nullptr);
    program_->running = false;
    if (!*work->run) {
        program_->error = work->run->error().message;
        message_ = program_->error;
        return;
    }
    program_->run = std::move(*work->run).value();
    const std::optional<std::uint32_t> launch = launch_to_show(*program_->run, program_->launch);
    if (launch) choose(*launch);
}

void ProgramBench::take_launch() {
    const std::shared_ptr<Work> work = std::exchange(work_, nullptr);
    if (!*work->trace) {
        message_ = work->trace->error().message;
        return;
    }
    program_->launch = work->launch;
    trace_ = std::make_shared<const Trace>(std::move(*work->trace).value());
}

std::shared_ptr<const Trace> ProgramBench::take_trace() { return std::exchange(trace_, nullptr); }
std::string ProgramBench::take_message() { return std::exchange(message_, {}); }
const OpenedProgram* ProgramBench::program() const { return program_ ? &*program_ : nullptr; }
bool ProgramBench::busy() const { return work_ != nullptr; }

std::optional<std::uint32_t> launch_to_show(const plain::ProgramRun& run,
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
