#include "instrumentation/cuda/runtime/grid/cluster_run.h"

#include <algorithm>
#include <cstdio>
#include <system_error>
#include <thread>

#include "instrumentation/contract/cluster_layout.h"
#include "instrumentation/cuda/runtime/block/built_in.h"
#include "instrumentation/cuda/runtime/block/thread_findings.h"
#include "instrumentation/cuda/runtime/grid/block_choice.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/running_kernel.h"

namespace tilereel::runtime {
ClusterRun::ClusterRun(const LaunchFacts& facts, void (*body)(void*), void* data,
                       LaunchRecorder* recorder, std::uint64_t budget)
    : facts_(facts),
      recorder_(recorder),
      budget_(budget),
      turns_(static_cast<std::uint32_t>(facts.cluster.count())),
      cluster_(facts.grid, facts.cluster, turns_),
      clusters_(static_cast<std::uint32_t>(facts.grid.count() / facts.cluster.count())),
      members_(facts.cluster.count()) {
    unhooked_.grid = facts.grid;
    unhooked_.block = facts.block;
    unhooked_.dynamic_shared_bytes = facts.dynamic_shared_bytes;
    unhooked_.body = body;
    unhooked_.data = data;
    if (recorder != nullptr && !options().blocks.empty()) choose(options().blocks);
}

// Chooses the clusters of these blocks.
void ClusterRun::choose(std::vector<std::uint32_t> blocks) {
    std::erase_if(blocks, [&](std::uint32_t block) { return block >= facts_.grid.count(); });
    std::vector<std::uint32_t> known = blocks;
    std::ranges::sort(known);
    const std::vector<std::uint32_t> more =
        more_blocks_of(facts_.number, facts_.grid.count(), known);
    blocks.insert(blocks.end(), more.begin(), more.end());
    chosen_ = contract::whole_clusters(facts_.grid, facts_.cluster, blocks);
}

bool ClusterRun::is_chosen(std::uint32_t cluster) const {
    const std::uint32_t first =
        contract::blocks_of_cluster(facts_.grid, facts_.cluster, cluster).front();
    return std::ranges::binary_search(chosen_, first);
}

bool ClusterRun::run() {
    // The first cluster shows what a block costs.
    if (recorder_ != nullptr && options().blocks.empty())
        chosen_ = contract::blocks_of_cluster(facts_.grid, facts_.cluster, 0);
    std::ranges::sort(chosen_);
    std::vector<std::thread> threads;
    for (std::uint32_t rank = 0; rank < cluster_.size(); ++rank) try {
            threads.emplace_back([this, rank] { run_rank(rank); });
        } catch (const std::system_error&) {
            fail_recorder(
                "the system starts no more threads, of which a cluster needs one for each of its "
                "blocks; raise its limits (ulimit -u, ulimit -v)");
        }
    for (std::thread& thread : threads) thread.join();
    interrupt_at_end(0);
    for (const auto& [block, text] : printed_) std::fwrite(text.data(), 1, text.size(), stdout);
    hand_over();
    return !turns_.is_stopped();
}

// The launch was cut short: where the warps of the recorded blocks were that ran then.
void ClusterRun::note_stops() {
    const LatePlace place = late_place(worker().site_reached());
    const WarpStopKind of_runner = !time_is_up()   ? WarpStopKind::kFaulted
                                   : place.in_loop ? WarpStopKind::kInLoop
                                                   : WarpStopKind::kOnLine;
    const std::uint32_t line = time_is_up() ? place.line : last_reported_line();
    std::map<std::uint32_t, std::vector<WarpStop>> stops;  // by block
    for (const Member& member : members_)
        if (member.is_recording)
            stops[member.hooked->block()] = member.hooked->stops(of_runner, line);
    for (const auto& [block, of_block] : stops) recorder_->add_stops(of_block);
}

// What the CPU thread of a rank does: at its first turn it says where its shared memory lies, then
// it runs the block of this rank of each cluster.
void ClusterRun::run_rank(std::uint32_t rank) {
    use_signal_stack();
    turns_.wait(rank);
    cluster_.attach(rank);
    const std::uint32_t grid[] = {facts_.grid.x, facts_.grid.y, facts_.grid.z};
    const std::uint32_t extents[] = {facts_.block.x, facts_.block.y, facts_.block.z};
    set_extents(grid, extents);
    turns_.pass(rank, true);
    for (bool more = true; more;) {
        turns_.wait(rank);
        more = !turns_.is_stopped() && (rank != 0 || begin_next()) && !is_over_;
        if (more && !run_guarded([&] { run_block(rank); })) turns_.stop();
        turns_.pass(rank, true);
    }
}

// Called at the first turn of a round. Returns false if no cluster is left.
bool ClusterRun::begin_next() {
    if (done_ == 1 && !first_has_ended_) end_first();
    if (time_is_up()) turns_.stop();
    const std::optional<std::uint32_t> cluster = turns_.is_stopped() ? std::nullopt : take_next();
    if (!cluster) {
        is_over_ = true;
        return false;
    }
    report_progress();
    is_hooked_ = done_ == 0 || needs_hooks_ || (recorder_ != nullptr && is_chosen(*cluster));
    cluster_.begin(*cluster);
    ++done_;
    return true;
}

// The cluster that runs next: of a long launch the chosen ones first, and as many of the others as
// the time allows.
std::optional<std::uint32_t> ClusterRun::take_next() {
    if (done_ == 0) return next_++;
    for (; chosen_first_ && next_chosen_ < clusters_; ++next_chosen_)
        if (is_chosen(next_chosen_)) return next_chosen_++;
    // In a large launch of the ladder the blocks that are not recorded do not run.
    if (!options().other_blocks && recorder_ != nullptr) return std::nullopt;
    if (chosen_first_ && !rest_.has_begun()) {
        rest_.begin(done_ * cluster_.size());
        hand_over();
        on_recorded();
    }
    if (rest_.takes_too_long(facts_, done_ * cluster_.size(), 1)) return std::nullopt;
    while (chosen_first_ && next_ < clusters_ && is_chosen(next_)) ++next_;
    return next_ < clusters_ ? std::optional(next_++) : std::nullopt;
}

void ClusterRun::report_progress() {
    constexpr std::int64_t kIntervalNs = 100'000'000;
    if (steady_ns() - reported_at_ns_ < kIntervalNs) return;
    reported_at_ns_ = steady_ns();
    send_message(contract::Progress{.of = static_cast<std::uint32_t>(facts_.grid.count()),
                                    .done = done_ * cluster_.size()});
}

// What was recorded goes to the recorder, block by block.
void ClusterRun::hand_over() {
    if (recorder_ == nullptr) return;
    recorder_->expect_blocks(chosen_.size());
    for (auto& [block, kept] : kept_)
        kept.replay_with(*recorder_, members_.front().hooked->shared_arrays());
    if (turns_.is_stopped()) {
        note_stops();
        std::erase_if(chosen_, [&](std::uint32_t block) { return !kept_.contains(block); });
    }
    recorder_ = nullptr;
}

// The first cluster has ended.
void ClusterRun::end_first() {
    const Kernel* const kernel = running_kernel();
    needs_hooks_ = needs_hooks_ || kernel == nullptr || kernel->unhooked == nullptr;
    if (recorder_ != nullptr && options().blocks.empty()) {
        const std::uint64_t a_block = std::max<std::uint64_t>(cost_ / cluster_.size(), 1);
        choose(is_cut_ ? std::vector<std::uint32_t>{0}
                       : blocks_within(facts_.grid, a_block, budget_));
    }
    // What is recorded can be shown while the other clusters run.
    chosen_first_ = recorder_ != nullptr &&
                    (!options().other_blocks || (on_recorded && options().memory_file < 0 &&
                                                 chosen_.size() != facts_.grid.count()));
    first_has_ended_ = true;
    const auto here = reinterpret_cast<std::uint64_t>(__builtin_thread_pointer());
    for (const MemoryArray& array : members_.front().hooked->shared_arrays())
        unhooked_.shared.push_back(
            {static_cast<std::int64_t>(array.base - here), array.bytes, array.place_bytes});
}

void ClusterRun::run_block(std::uint32_t rank) {
    if (turns_.is_stopped()) end_launch(sticky_error());
    const std::uint32_t block = cluster_.block_number(rank);
    if (is_hooked_)
        run_with_hooks(rank, block);
    else
        run_without_hooks(rank, block);
    cluster_.leave(rank);
}

Job ClusterRun::job() {
    Job job;
    job.grid = facts_.grid;
    job.block = facts_.block;
    job.dynamic_shared_bytes = facts_.dynamic_shared_bytes;
    job.body = unhooked_.body;
    job.data = unhooked_.data;
    job.runs_once = true;
    job.sink = &discarded_;
    constexpr std::uint64_t kLeast = std::uint64_t{1} << 16;
    if (options().memory_file < 0) job.most_cost = std::max(budget_ / cluster_.size(), kLeast);
    job.on_cut = [this](std::uint32_t block) {
        is_cut_ = true;
        if (recorder_ == nullptr || !std::ranges::binary_search(chosen_, block)) return;
        recorder_->add_cut_block(block);
        recorder_->add_stops(Worker::current()->stops_at_cut());
    };
    job.on_fault = [this](const FaultPlace& fault) {
        needs_hooks_ = needs_hooks_ || fault.fault != Fault::kMayHaveEnded;
        if (recorder_ != nullptr) recorder_->add_fault(fault);
    };
    return job;
}

void ClusterRun::run_with_hooks(std::uint32_t rank, std::uint32_t block) {
    Member& member = members_[rank];
    if (!member.hooked) {
        member.hooked = std::make_unique<Worker>(job());
        member.hooked->shared_barriers().keep_all();
        member.hooked->on_cluster_barrier = [&member] { pass_cluster_barrier(*member.hooked); };
    }
    const bool recorded = recorder_ != nullptr && std::ranges::binary_search(chosen_, block);
    member.hooked->set_sink(recorded ? static_cast<BlockSink*>(&kept_[block]) : &discarded_);
    member.is_recording = recorded;
    cluster_.enter(rank, *member.hooked);
    member.hooked->run(block, recorded, true);
    member.is_recording = false;
    cost_ += member.hooked->cost();
    if (!member.hooked->printed.empty()) printed_[block] = member.hooked->printed;
}

void ClusterRun::run_without_hooks(std::uint32_t rank, std::uint32_t block) {
    Member& member = members_[rank];
    if (!member.unhooked) {
        member.unhooked = std::make_unique<UnhookedWorker>(unhooked_);
        member.unhooked->on_cluster_barrier = [&member] { pass_cluster_barrier(*member.unhooked); };
    }
    cluster_.enter(rank, *member.unhooked);
    member.unhooked->run(block);
    ++unhooked_blocks_;
    if (!member.unhooked->printed.empty()) printed_[block] = member.unhooked->printed;
}

}  // namespace tilereel::runtime
