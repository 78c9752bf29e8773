#include "instrumentation/cuda/runtime/grid/grid_run.h"

#include <algorithm>
#include <cstdio>

#include "instrumentation/cuda/runtime/block/built_in.h"
#include "instrumentation/cuda/runtime/grid/block_choice.h"
#include "instrumentation/cuda/runtime/grid/team.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/running_kernel.h"

namespace tilereel::runtime {
namespace {

constexpr std::size_t kMostPrintedBytes = std::size_t{1} << 22;  // kept before they are printed

}  // namespace

class GridRun::DiscardingSink final : public BlockSink {
  public:
    void begin_block(std::uint32_t) override {}
    void undo_block() override {}
    void begin_segment(std::uint32_t, std::uint32_t) override {}
    void add_slice(const std::vector<WarpEvent>&) override {}
    void add_call(const Site*, std::uint32_t, CollectiveKind, const std::uint32_t*) override {}
    void end_segment() override {}
};

GridRun::GridRun(const LaunchFacts& facts, void (*body)(void*), void* data,
                 LaunchRecorder* recorder, std::uint64_t budget)
    : facts_(facts),
      recorder_(recorder),
      budget_(budget),
      discarding_sink_(std::make_unique<DiscardingSink>()),
      worker_(job_of(body, data)),
      blocks_(static_cast<std::uint32_t>(facts.grid.count())) {
    unhooked_.grid = facts.grid;
    unhooked_.block = facts.block;
    unhooked_.dynamic_shared_bytes = facts.dynamic_shared_bytes;
    unhooked_.body = body;
    unhooked_.data = data;
}

GridRun::~GridRun() = default;

Job GridRun::job_of(void (*body)(void*), void* data) {
    Job job;
    job.grid = facts_.grid;
    job.block = facts_.block;
    job.dynamic_shared_bytes = facts_.dynamic_shared_bytes;
    job.body = body;
    job.data = data;
    job.sink = recorder_;
    // Blocks of usual lengths are recorded whole, however small the budget is. Without a recorder
    // the first block still shows whether lanes communicate.
    constexpr std::uint64_t kLeast = std::uint64_t{1} << 16, kUnrecorded = std::uint64_t{1} << 20;
    if (options().memory_file < 0)
        job.most_cost = recorder_ != nullptr ? std::max(budget_, kLeast) : kUnrecorded;
    job.on_cut = [this](std::uint32_t block) { note_cut(block); };
    job.on_full_slice = [this](std::uint32_t block) { help_waiting_block(block, false); };
    job.on_fault = [this](const FaultPlace& place) { note_fault(place); };
    return job;
}

bool GridRun::run() {
    const bool complete = run_guarded([&] { run_blocks(); });
    if (!complete) stop_lower_blocks();
    if (!complete) note_stops();
    if (!complete && in_recorded_ && time_is_up()) worker_.keep_open_slice();
    for (const auto& [block, text] : printed_) std::fwrite(text.data(), 1, text.size(), stdout);
    report_out_of_bounds();
    if (!complete && !rest_.has_begun()) {
        const std::uint32_t last = std::max(begun_, team_ ? next_.load() : 0u);
        std::erase_if(chosen_, [&](std::uint32_t block) { return block > last; });
    }
    if (chosen_.empty()) chosen_ = {0};
    return complete;
}

void GridRun::run_blocks() {
    reported_at_ns_ = steady_ns();
    const std::int64_t begin = thread_cpu_ns();
    run_first();
    first_ns_ = thread_cpu_ns() - begin;
    if (records_on_all_cores()) {
        record_on_all_cores();
        return;
    }
    if (!options().other_blocks && recorder_ != nullptr) {
        run_only_recorded();
        return;
    }
    if (takes_long()) {
        run_recorded_first();
        return;
    }
    const auto run_to = [&](std::uint32_t end) {
        for (; next_ < end && needs_hooks(); ++next_) run_with_hooks(next_, false);
        if (next_ < end) run_without_hooks(end);
    };
    for (const std::uint32_t block : chosen_) {
        if (block < next_) continue;
        run_to(block);
        run_with_hooks(block, true);
        ++next_;
    }
    run_to(blocks_);
}

// Whether the blocks that are not recorded are expected to take seconds.
bool GridRun::takes_long() const {
    constexpr std::int64_t kLongNs = 2'000'000'000, kTimesFaster = 8;  // without hooks
    if (recorder_ == nullptr || !on_recorded || options().memory_file >= 0) return false;
    if (chosen_.size() == blocks_) return false;
    const std::int64_t all_ns = std::int64_t{blocks_} * (first_ns_ / kTimesFaster);
    return all_ns / (Team::instance().helpers() + 1) > kLongNs;
}

bool GridRun::is_done(std::uint32_t block) const {
    return (rest_.has_begun() || waiting_ != 0) && std::ranges::binary_search(chosen_, block);
}

void GridRun::run_only_recorded() {
    for (const std::uint32_t block : chosen_)
        if (block != 0) run_with_hooks(block, true);
    next_ = blocks_;
}

// CUDA promises no order of blocks. Still some kernels wait for blocks with lower numbers: see
// help_waiting_block().
void GridRun::run_recorded_first() {
    next_ = 1;
    for (const std::uint32_t block : chosen_) {
        if (block == 0) continue;
        recorded_since_ns_ = steady_ns();
        run_with_hooks(block, true);
        if (waiting_ != 0) break;
    }
    recorded_since_ns_ = 0;
    if (waiting_ != 0) pause_lower_blocks();
    on_recorded();
    recorder_ = nullptr;
    worker_.set_sink(discarding_sink_.get());
    rest_.begin(0);
    if (needs_hooks()) {
        for (; next_ < blocks_ && !takes_too_long(1); ++next_)
            if (!is_done(next_)) run_with_hooks(next_, false);
    } else {
        run_without_hooks(blocks_);
    }
}

bool GridRun::takes_too_long(std::size_t workers) {
    if (rest_.takes_too_long(facts_, next_, workers)) left_out_ = true;
    return left_out_;
}

// Waking other CPU threads does not pay off for a short launch.
bool GridRun::records_on_all_cores() const {
    constexpr std::int64_t kAloneNs = 1'000'000;
    return options().independent_blocks && recorder_ != nullptr && chosen_.size() == blocks_ &&
           Team::instance().helpers() > 0 && (blocks_ - 1) * first_ns_ > kAloneNs;
}

void GridRun::record_on_all_cores() {
    Job job = job_of(unhooked_.body, unhooked_.data);
    job.lockstep = worker_.lockstep();
    team_ = std::make_unique<RecordedTeam>(facts_, job, *recorder_, next_, blocks_);
    const bool complete = team_->run([this](std::uint32_t done) { report_progress(done); });
    worker_.add_accesses(team_->accesses());
    if (!complete) end_launch(sticky_error());
    next_ = blocks_;
}

// The first block always runs with hooks: it shows what a block costs, and whether lanes of a warp
// communicate through memory.
void GridRun::run_first() {
    const std::vector<std::uint32_t>& asked = options().blocks;
    for (const std::uint32_t block : asked)
        if (block < blocks_) chosen_.push_back(block);
    std::ranges::sort(chosen_);
    chosen_.erase(std::unique(chosen_.begin(), chosen_.end()), chosen_.end());
    if (!asked.empty()) add_more_blocks();
    const bool recorded =
        recorder_ != nullptr && (asked.empty() || (!chosen_.empty() && chosen_[0] == 0));
    if (!recorded) worker_.set_sink(discarding_sink_.get());
    run_with_hooks(0, true);
    if (recorder_ != nullptr && asked.empty()) {
        const std::uint64_t cost = std::max<std::uint64_t>(worker_.cost(), 1);
        // A block that was cut off has used up the budget.
        if (is_cut_)
            chosen_ = {0};
        else
            chosen_ = blocks_within(facts_.grid, cost, budget_);
        add_more_blocks();
    }
    if (!recorded) worker_.set_sink(recorder_);
    if (recorder_ != nullptr) recorder_->expect_blocks(chosen_.size());
    next_ = 1;
    const auto here = reinterpret_cast<std::uint64_t>(__builtin_thread_pointer());
    for (const MemoryArray& array : worker_.shared_arrays())
        unhooked_.shared.push_back(
            {static_cast<std::int64_t>(array.base - here), array.bytes, array.place_bytes});
}

void GridRun::add_more_blocks() {
    more_ = more_blocks_of(facts_.number, blocks_, chosen_);
    chosen_.insert(chosen_.end(), more_.begin(), more_.end());
    std::ranges::sort(chosen_);
}

bool GridRun::needs_hooks() const {
    const Kernel* const kernel = running_kernel();
    return kernel == nullptr || kernel->unhooked == nullptr || worker_.lockstep() || unsafe_;
}

void GridRun::run_with_hooks(std::uint32_t block, bool recorded) {
    if (recorded) begun_ = block;
    const std::uint64_t before = worker_.cost();
    in_recorded_ = recorded;
    worker_.run(block, recorded, unsafe_);
    in_recorded_ = false;
    if (std::ranges::binary_search(more_, block)) more_cost_ += worker_.cost() - before;
    keep_printed(block, worker_.printed);
    report_progress(block + 1);
}

void GridRun::run_without_hooks(std::uint32_t end) {
    // Waking other CPU threads does not pay off for a few short blocks.
    constexpr std::int64_t kAloneNs = 500'000;
    const std::int64_t alone_until = steady_ns() + kAloneNs;
    work(end, [&] { return steady_ns() < alone_until; });
    if (!stopped_ && next_ < end) {
        const std::function<void()> help = [&] { work(end, nullptr); };
        Team& team = Team::instance();
        team.start(help);
        work(end, [&] {
            report_progress(next_);
            return !takes_too_long(team.helpers() + 1);
        });
        team.wait();
    }
    next_ = std::min(next_.load(), end);
    if (stopped_) end_launch(sticky_error());
}

// Runs one block after another while `may_continue` returns true.
void GridRun::work(std::uint32_t end, const std::function<bool()>& may_continue) {
    UnhookedWorker worker(unhooked_);
    const bool complete = run_guarded([&] {
        while (!stopped_ && !left_out_ && !time_is_up()) {
            const std::uint32_t block = next_++;
            if (block >= end) return;
            if (is_done(block)) continue;
            worker.run(block);
            ++unhooked_blocks_;
            keep_printed(block, worker.printed);
            if (may_continue && !may_continue()) return;
        }
        if (time_is_up()) end_launch(cudaErrorLaunchTimeout);
    });
    if (!complete) stopped_ = true;
}

// The output is printed in the order of the blocks, not in the order in which they end.
void GridRun::keep_printed(std::uint32_t block, std::string& text) {
    if (text.empty()) return;
    const std::lock_guard lock(printed_mutex_);
    printed_bytes_ += text.size();
    printed_[block] += text;
    text.clear();
    if (printed_bytes_ < kMostPrintedBytes) return;
    for (const auto& [number, words] : printed_) std::fwrite(words.data(), 1, words.size(), stdout);
    printed_.clear();
    printed_bytes_ = 0;
}

void GridRun::report_progress(std::uint32_t done) {
    constexpr std::int64_t kIntervalNs = 100'000'000;
    if (steady_ns() - reported_at_ns_ < kIntervalNs) return;
    reported_at_ns_ = steady_ns();
    send_message(contract::Progress{.of = blocks_, .done = std::min(done, blocks_)});
}

}  // namespace tilereel::runtime
