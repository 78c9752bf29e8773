#include "app/workbench/program/program_bench.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/workbench/program/program_bench_state.h"
#include "instrumentation/analysis/products/name_product.h"
#include "instrumentation/analysis/products/recognise_product.h"
#include "instrumentation/base/files/text_file.h"
#include "instrumentation/base/format/time_of_day.h"
#include "instrumentation/trace/file/trace_file.h"

namespace tilereel {
namespace {

const NamedProduct* product_of(const NamedProducts& products, const std::string& kernel,
                               const Trace& trace) {
    const auto own = products.find(kernel);
    if (own != products.end()) return &own->second;
    const auto any = products.find("");
    return any != products.end() && has_arrays_of(trace, any->second) ? &any->second : nullptr;
}

std::string text_of_file(const std::filesystem::path& path) {
    const Result<std::string> text = read_source(path);
    return text ? *text : std::string();
}

// Shows a trace as a matrix product: the one that the user named, or else the one that is
// recognised.
template <class Work>
Result<Trace> as_product(Result<Trace> trace, Work& work) {
    if (!trace) return trace;
    if (const NamedProduct* const product = product_of(work.products, work.kernel, *trace)) {
        const Status shown = show_as(*trace, *product);
        if (shown) {
            work.named = *product;
            return trace;
        }
        work.refused = "This is no product " + text_of(*product) + ": " + shown.error().message;
    }
    if (const auto product = recognise_product(*trace)) name_product(*trace, *product);
    return trace;
}

}  // namespace

ProgramBench::ProgramBench(ProgramBenchOptions options)
    : options_(std::move(options)), thread_(options_.on_thread), early_thread_(options_.on_thread) {
    if (!options_.read)
        options_.read = [](const std::filesystem::path& file) { return read_trace(file); };
}

ProgramBench::~ProgramBench() {
    stop_work();
    if (counting_) counting_->cancel = true;
}

void ProgramBench::open(program::ProgramRequest request, NamedProducts products) {
    stop_work();
    if (program_) forget_asked();
    if (!options_.run) {
        message_ = "This build of Tilereel cannot open CUDA programs";
        return;
    }
    program_ = OpenedProgram{.request = std::move(request), .products = std::move(products)};
    recorded_more_ = program_->request.more_blocks;
    run_again();
}

void ProgramBench::run_again(bool saved, bool all_blocks) {
    if (!program_) return;
    program_->request.all_blocks |= all_blocks;
    start_run(saved);
}

std::vector<std::filesystem::path> OpenedProgram::missing_files() const {
    std::vector<std::filesystem::path> files;
    for (const program::CompileError& each : compile_errors)
        if (!each.defined_in.empty() && std::ranges::find(files, each.defined_in) == files.end())
            files.push_back(each.defined_in);
    return files;
}

void ProgramBench::add_missing_files() {
    if (!program_ || program_->running) return;
    const std::vector<std::filesystem::path> files = program_->missing_files();
    if (files.empty()) return;
    std::vector<std::filesystem::path>& more = program_->request.more_files;
    more.insert(more.end(), files.begin(), files.end());
    run_again();
}

void ProgramBench::record_block(std::uint32_t block) {
    if (!program_ || !program_->run || !program_->launch) return;
    const program::LaunchBlock asked{program_->run->launches[*program_->launch].number, block};
    if (program_->running && program_->asked == asked) return;
    std::vector<program::LaunchBlock>& more = program_->request.more_blocks;
    if (std::ranges::find(more, asked) == more.end()) more.push_back(asked);
    program_->asked = asked;
    start_run(false);
}

void ProgramBench::start_run(bool saved) {
    stop_work();
    auto work = std::make_shared<Work>();
    work->request = program_->request;
    program_->running = true;
    program_->saved = saved;
    program_->started = time_of_day();
    program_->stage = {};
    program_->running_seconds.reset();
    program_->quiet_seconds = 0;
    program_->cancelled_after.reset();
    program_->error.clear();
    start(std::move(work));
}

void ProgramBench::stop_work() {
    early_.reset();
    if (work_ == nullptr) return;
    work_->progress.cancel = true;
    work_.reset();
    block_.reset();
    if (program_) program_->running = program_->ending = program_->unfinished = false;
}

void ProgramBench::cancel() {
    if (work_ != nullptr && program_ && program_->running) {
        program_->cancelled_after = Work::seconds_since(work_->begun);
        const bool runs = work_->progress.stage().kind == program::ProgramStage::Kind::kRunning;
        if (runs && !work_->progress.interrupt.exchange(true)) {
            program_->ending = true;  // take_run() takes what it has recorded
            return;
        }
    }
    stop_work();
    if (program_) forget_asked();
}

// The next run records the same blocks as the run that is shown.
void ProgramBench::forget_asked() {
    program_->asked.reset();
    program_->request.more_blocks = recorded_more_;
}

void ProgramBench::choose(std::uint32_t launch) {
    if (!program_ || launch >= program_->listed().size()) return;
    const program::LaunchSummary& chosen = program_->listed()[launch];
    if (chosen.trace.empty()) {
        message_ = chosen.reason.empty() ? "This launch was not recorded" : chosen.reason;
        return;
    }
    block_.reset();
    if (program_->running)
        choose_finished(launch);
    else
        start(Work::reading(*program_, chosen, launch));
}

void ProgramBench::name_product(const std::optional<NamedProduct>& product) {
    if (!program_ || !program_->run || !program_->launch || program_->running) return;
    const std::string& kernel = program_->run->launches[*program_->launch].kernel;
    NamedProducts& products = program_->products;
    const NamedProducts former = products;
    if (product)
        products[kernel] = *product;
    else
        products.erase(kernel), products.erase("");
    auto work =
        Work::reading(*program_, program_->run->launches[*program_->launch], *program_->launch);
    work->former = former;
    start(std::move(work));
}

void ProgramBench::start(std::shared_ptr<Work> work) {
    work_ = std::move(work);
    thread_.submit([this, work = work_] {
        if (work->trace_file) {
            work->trace =
                guarded_call([&] { return as_product(options_.read(*work->trace_file), *work); });
        } else {
            work->text = text_of_file(work->request.file);
            work->run = guarded_call([&] { return options_.run(work->request, &work->progress); });
        }
        work->done = true;
    });
    if (!options_.on_thread) advance();
}

// Reads a trace while the other thread runs the program.
void ProgramBench::read_early(std::shared_ptr<Work> work) {
    early_ = std::move(work);
    early_thread_.submit([this, work = early_] {
        work->trace =
            guarded_call([&] { return as_product(options_.read(*work->trace_file), *work); });
        work->done = true;
    });
}

void ProgramBench::advance() {
    take_counts();
    if (work_ == nullptr || !program_) return;
    if (program_->running) take_stage();
    if (early_ != nullptr && early_->done) take_early();
    if (!work_->done) return;
    if (work_->trace_file)
        take_launch();
    else
        take_run();
}

void ProgramBench::take_stage() {
    program_->stage = work_->progress.stage();
    if (program_->unfinished && program_->stage.launches.size() > program_->run->launches.size())
        program_->run->launches = program_->stage.launches;
    if (program_->stage.kind != program::ProgramStage::Kind::kRunning) return;
    if (!work_->runs_since) work_->runs_since = Work::Clock::now();
    program_->running_seconds = Work::seconds_since(*work_->runs_since);
    const Work::Clock::duration heard{work_->progress.heard_ns.load()};
    program_->quiet_seconds =
        std::min(*program_->running_seconds, Work::seconds_since(Work::Clock::time_point(heard)));
}

std::shared_ptr<const Trace> ProgramBench::take_trace() { return std::exchange(trace_, nullptr); }
std::optional<std::uint32_t> ProgramBench::take_block() {
    return std::exchange(block_, std::nullopt);
}
std::string ProgramBench::take_message() { return std::exchange(message_, {}); }
const OpenedProgram* ProgramBench::program() const { return program_ ? &*program_ : nullptr; }
const std::vector<program::LaunchSummary>& OpenedProgram::listed() const {
    return running || !run ? stage.launches : run->launches;
}
std::optional<std::uint32_t> OpenedProgram::listed_launch() const {
    return running && !unfinished ? std::nullopt : launch;
}
bool ProgramBench::busy() const { return work_ != nullptr || counting_ != nullptr; }

}  // namespace tilereel
