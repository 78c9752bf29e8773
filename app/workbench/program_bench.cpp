#include "app/workbench/program_bench.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <exception>
#include <fstream>
#include <iterator>
#include <mutex>
#include <new>
#include <utility>

#include "app/replay/block_name.h"
#include "app/replay/wording.h"
#include "instrumentation/analysis/counters.h"
#include "instrumentation/analysis/name_product.h"
#include "instrumentation/analysis/recognise_product.h"
#include "instrumentation/trace/trace_file.h"

namespace tilereel {
namespace {

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

// "14:01:12", by the local clock.
std::string time_of_day() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm parts{};
    localtime_r(&now, &parts);
    char text[16];
    std::strftime(text, sizeof text, "%H:%M:%S", &parts);
    return text;
}

// The launch of a new run that corresponds to the watched launch of the former run: the same number
// and kernel, else the first launch of that kernel.
std::optional<std::uint32_t> same_launch(const OpenedProgram& program,
                                         const plain::ProgramRun& run) {
    if (!program.launch || !program.run) return program.launch;
    const std::vector<plain::LaunchSummary>& before = program.run->launches;
    if (*program.launch >= before.size()) return std::nullopt;
    const std::string& kernel = before[*program.launch].kernel;
    if (*program.launch < run.launches.size() && run.launches[*program.launch].kernel == kernel)
        return program.launch;
    const auto same = std::ranges::find(run.launches, kernel, &plain::LaunchSummary::kernel);
    if (same == run.launches.end()) return std::nullopt;
    return static_cast<std::uint32_t>(same - run.launches.begin());
}

LaunchCounts counts_of(const Trace& trace, const Generation& rules) {
    const KernelCounts counts = count_kernel(trace, {}, rules);
    LaunchCounts result;
    for (const AccessCounts* part : {&counts.global_load, &counts.global_store})
        result.sectors += part->sectors;
    for (const AccessCounts* part :
         {&counts.shared_load, &counts.shared_store, &counts.shared_copy}) {
        result.wavefronts += part->wavefronts;
        result.conflicts += part->bank_conflicts;
    }
    return result;
}

// The launch with this number; nullptr if there is none.
const plain::LaunchSummary* find_launch(const plain::ProgramRun& run, std::uint32_t number) {
    const auto found = std::ranges::find(run.launches, number, &plain::LaunchSummary::number);
    return found == run.launches.end() ? nullptr : &*found;
}

bool is_recorded(const plain::ProgramRun& run, const plain::LaunchBlock& block) {
    const plain::LaunchSummary* const launch = find_launch(run, block.launch);
    if (launch == nullptr || launch->trace.empty() || block.block >= launch->grid.count())
        return false;
    const std::vector<std::uint32_t>& chosen = launch->chosen_blocks;
    return chosen.empty() || std::ranges::binary_search(chosen, block.block);
}

const NamedProduct* product_of(const NamedProducts& products, const std::string& kernel,
                               const Trace& trace) {
    const auto own = products.find(kernel);
    if (own != products.end()) return &own->second;
    const auto any = products.find("");
    return any != products.end() && has_arrays_of(trace, any->second) ? &any->second : nullptr;
}

std::string text_of_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

struct ProgramBench::Work {
    plain::ProgramRequest request;
    plain::ProgramProgress progress;
    std::optional<std::filesystem::path> trace_file;  // read only this; without it, run the program
    std::uint32_t launch = 0;                         // of the trace
    std::string kernel;                               // of the trace
    NamedProducts products;
    // The products that the user named before, if `products` is new and the launch is shown.
    std::optional<NamedProducts> former;
    // Results; read after `done`:
    std::string refused;                // why the named product does not fit
    std::optional<NamedProduct> named;  // the product that the trace is shown as
    std::string text;
    std::optional<Result<plain::ProgramRun>> run;
    std::optional<Result<Trace>> trace;
    std::atomic<bool> done{false};

    // Reads the trace of a launch.
    static std::shared_ptr<Work> reading(const OpenedProgram& program, std::uint32_t launch,
                                         const std::optional<NamedProducts>& former) {
        const plain::LaunchSummary& chosen = program.run->launches[launch];
        auto work = std::make_shared<Work>();
        work->trace_file = chosen.trace;
        work->launch = launch;
        work->kernel = chosen.kernel;
        work->products = program.products;
        work->former = former;
        return work;
    }
};

struct ProgramBench::Counting {
    std::atomic<bool> cancel{false};
    std::mutex mutex;  // guards the members below
    std::vector<std::pair<std::size_t, std::optional<LaunchCounts>>> counted;
    std::size_t left = 0;
};

namespace {

// Shows a trace as a matrix product: the one that the user named, or else the one that is
// recognised.
template <class Work>
Result<Trace> named(Result<Trace> trace, Work& work) {
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
    : options_(std::move(options)), thread_(options_.on_thread) {
    if (!options_.read)
        options_.read = [](const std::filesystem::path& file) { return read_trace(file); };
}

ProgramBench::~ProgramBench() {
    cancel();
    if (counting_) counting_->cancel = true;
}

void ProgramBench::open(plain::ProgramRequest request, NamedProducts products) {
    cancel();
    if (!options_.run) {
        message_ = "This build of Tilereel cannot open CUDA programs";
        return;
    }
    program_ = OpenedProgram{.request = std::move(request), .products = std::move(products)};
    recorded_more_ = program_->request.more_blocks;
    run_again();
}

void ProgramBench::run_again(bool saved) {
    if (program_) start_run(saved);
}

void ProgramBench::record_block(std::uint32_t block) {
    if (!program_ || !program_->run || !program_->launch) return;
    const plain::LaunchBlock asked{program_->run->launches[*program_->launch].number, block};
    if (program_->running && program_->asked == asked) return;
    std::vector<plain::LaunchBlock>& more = program_->request.more_blocks;
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
    program_->error.clear();
    start(std::move(work));
}

void ProgramBench::stop_work() {
    if (work_ == nullptr) return;
    work_->progress.cancel = true;
    work_.reset();
    block_.reset();
    if (program_) program_->running = false;
}

void ProgramBench::cancel() {
    stop_work();
    if (program_) forget_asked();
}

// The next run records the same blocks as the run that is shown.
void ProgramBench::forget_asked() {
    program_->asked.reset();
    program_->request.more_blocks = recorded_more_;
}

void ProgramBench::choose(std::uint32_t launch) {
    if (!program_ || !program_->run || program_->running) return;
    if (launch >= program_->run->launches.size()) return;
    const plain::LaunchSummary& chosen = program_->run->launches[launch];
    if (chosen.trace.empty()) {
        message_ = chosen.reason.empty() ? "This launch was not recorded" : chosen.reason;
        return;
    }
    block_.reset();
    start(Work::reading(*program_, launch, std::nullopt));
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
    start(Work::reading(*program_, *program_->launch, former));
}

void ProgramBench::start(std::shared_ptr<Work> work) {
    work_ = std::move(work);
    thread_.submit([this, work = work_] {
        if (work->trace_file) {
            work->trace =
                guarded_call([&] { return named(options_.read(*work->trace_file), *work); });
        } else {
            work->text = text_of_file(work->request.file);
            work->run = guarded_call([&] { return options_.run(work->request, &work->progress); });
        }
        work->done = true;
    });
    if (!options_.on_thread) advance();
}

void ProgramBench::start_counting() {
    if (counting_) counting_->cancel = true;
    const std::vector<plain::LaunchSummary>& launches = program_->run->launches;
    program_->counts.assign(launches.size(), std::nullopt);
    counting_ = std::make_shared<Counting>();
    counting_->left = launches.size();
    const Generation* const found = find_generation(program_->request.generation);
    const Generation& rules = found == nullptr ? default_generation() : *found;
    for (std::size_t i = 0; i < launches.size(); ++i)
        thread_.submit(
            [this, counting = counting_, folder = program_->run->folder, &rules, i,
             file = launches[i].trace] {
                std::optional<LaunchCounts> counts;
                if (!counting->cancel && !file.empty())
                    if (const auto trace = guarded_call([&] { return options_.read(file); }))
                        counts = counts_of(*trace, rules);
                const std::lock_guard lock(counting->mutex);
                counting->counted.emplace_back(i, counts);
                --counting->left;
            },
            TaskThread::Priority::kIdle);
}

void ProgramBench::take_counts() {
    if (!counting_ || !program_) return;
    const std::shared_ptr<Counting> counting = counting_;
    const std::lock_guard lock(counting->mutex);
    for (const auto& [launch, counts] : counting->counted)
        if (launch < program_->counts.size()) program_->counts[launch] = counts;
    counting->counted.clear();
    if (counting->left == 0) counting_.reset();
}

void ProgramBench::advance() {
    take_counts();
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
        forget_asked();
        program_->error = work->run->error().message;
        message_ = program_->error;
        return;
    }
    plain::ProgramRun run = std::move(*work->run).value();
    program_->text = std::move(work->text);
    program_->compile_errors = run.compile_errors;
    if (!run.compile_errors.empty()) {
        // The run before stays and can still be watched.
        forget_asked();
        const std::uint32_t line = run.compile_errors.front().line;
        message_ = program_->name() + " does not compile" +
                   (line == 0 ? std::string() : ": line " + std::to_string(line)) +
                   (program_->run ? ". The run before stays until it does." : ".");
        return;
    }
    if (keeps_former(run)) return;
    const std::optional<std::uint32_t> wanted = same_launch(*program_, run);
    if (program_->run && program_->run_text != program_->text)
        program_->former = FormerRun{.text = std::move(program_->run_text),
                                     .launches = std::move(program_->run->launches),
                                     .findings = std::move(program_->run->findings)};
    program_->run = std::move(run);
    program_->run_text = program_->text;
    recorded_more_ = program_->request.more_blocks;
    const std::optional<plain::LaunchBlock> asked = std::exchange(program_->asked, std::nullopt);
    const std::optional<std::uint32_t> launch = launch_to_show(*program_->run, wanted);
    if (launch) choose(*launch);
    if (launch && asked && program_->run->launches[*launch].number == asked->launch &&
        is_recorded(*program_->run, *asked))
        block_ = asked->block;
    start_counting();
    take_counts();
}

// Whether the run before is kept. A run that was to record a block and did not is dropped, unless
// the file has been saved since.
bool ProgramBench::keeps_former(const plain::ProgramRun& run) {
    if (!program_->asked || program_->saved || is_recorded(run, *program_->asked)) return false;
    const plain::LaunchBlock asked = *program_->asked;
    const plain::LaunchSummary* const launch = find_launch(run, asked.launch);
    const plain::LaunchSummary* const former = find_launch(*program_->run, asked.launch);
    message_ =
        "Block " +
        (former == nullptr ? std::to_string(asked.block) : block_name(former->grid, asked.block)) +
        " of launch " + std::to_string(asked.launch + 1) + " was not recorded: ";
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
    if (!work->refused.empty()) {
        message_ = work->refused;
        if (work->former) {  // the trace that is shown stays
            program_->products = *work->former;
            return;
        }
        program_->products.erase(work->kernel);
    }
    program_->launch = work->launch;
    program_->named = work->named;
    trace_ = std::make_shared<const Trace>(std::move(*work->trace).value());
}

std::shared_ptr<const Trace> ProgramBench::take_trace() { return std::exchange(trace_, nullptr); }
std::optional<std::uint32_t> ProgramBench::take_block() {
    return std::exchange(block_, std::nullopt);
}
std::string ProgramBench::take_message() { return std::exchange(message_, {}); }
const OpenedProgram* ProgramBench::program() const { return program_ ? &*program_ : nullptr; }
bool ProgramBench::busy() const { return work_ != nullptr || counting_ != nullptr; }

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
