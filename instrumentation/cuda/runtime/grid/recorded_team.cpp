#include "instrumentation/cuda/runtime/grid/recorded_team.h"

#include <algorithm>
#include <utility>

#include "instrumentation/cuda/runtime/block/built_in.h"
#include "instrumentation/cuda/runtime/grid/team.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/record/record_blocks.h"

namespace tilereel::runtime {

RecordedTeam::RecordedTeam(const LaunchFacts& facts, const Job& job, LaunchRecorder& recorder,
                           std::uint32_t first, std::uint32_t last)
    : facts_(facts),
      job_(job),
      recorder_(recorder),
      first_(first),
      last_(last),
      batch_blocks_(blocks_of_a_batch(last - first, Team::instance().helpers() + 1)),
      batches_((last - first + batch_blocks_ - 1) / batch_blocks_),
      members_(Team::instance().helpers() + 1),
      finished_(batches_) {
    job_.on_fault = [this, on_fault = job.on_fault](const FaultPlace& place) {
        const std::lock_guard lock(mutex_);
        on_fault(place);
    };
}

bool RecordedTeam::run(const std::function<void(std::uint32_t next)>& report) {
    const std::function<void()> help = [this] { work(nullptr); };
    Team& team = Team::instance();
    team.start(help);
    work(&report);
    team.wait();
    return !stopped_;
}

std::uint64_t RecordedTeam::accesses() const {
    std::uint64_t sum = 0;
    for (const Member& member : members_)
        if (member.worker) sum += member.worker->accesses();
    return sum;
}

std::uint32_t RecordedTeam::first_of(std::size_t batch) const {
    return std::min(last_, first_ + static_cast<std::uint32_t>(batch) * batch_blocks_);
}

void RecordedTeam::work(const std::function<void(std::uint32_t next)>* report) {
    Member& member = members_[next_member_++];
    const std::uint32_t grid[] = {facts_.grid.x, facts_.grid.y, facts_.grid.z};
    const std::uint32_t block[] = {facts_.block.x, facts_.block.y, facts_.block.z};
    set_extents(grid, block);
    const bool complete = run_guarded([&] {
        while (!stopped_ && !time_is_up()) {
            const std::size_t batch = next_batch_++;
            if (batch >= batches_) return;
            record(member, batch);
            if (report != nullptr) (*report)(first_of(merged_));
        }
        if (time_is_up()) end_launch(cudaErrorLaunchTimeout);
    });
    if (!complete) stopped_ = true;
}

void RecordedTeam::record(Member& member, std::size_t batch) {
    if (!member.worker) {
        member.sink = recorder_.make_sink();
        Job job = job_;
        job.sink = member.sink.get();
        member.worker = std::make_unique<Worker>(job);
    }
    std::unique_ptr<Batch> records = take_empty();
    member.sink->begin_batch(*records);
    for (std::uint32_t block = first_of(batch); block < first_of(batch + 1); ++block)
        member.worker->run(block, true);
    merge(batch, std::move(records));
}

std::unique_ptr<Batch> RecordedTeam::take_empty() {
    const std::lock_guard lock(mutex_);
    if (empty_.empty()) return std::make_unique<Batch>();
    std::unique_ptr<Batch> batch = std::move(empty_.back());
    empty_.pop_back();
    return batch;
}

// Merges this batch if all earlier ones are merged, and then the later batches that waited for it.
void RecordedTeam::merge(std::size_t batch, std::unique_ptr<Batch> full) {
    const std::lock_guard lock(mutex_);
    finished_[batch] = std::move(full);
    for (; merged_ < batches_ && finished_[merged_]; ++merged_) {
        std::unique_ptr<Batch> next = std::move(finished_[merged_]);
        recorder_.merge_batch(*next, first_of(merged_ + 1) - first_of(merged_));
        next->clear();
        empty_.push_back(std::move(next));
    }
}

}  // namespace tilereel::runtime
