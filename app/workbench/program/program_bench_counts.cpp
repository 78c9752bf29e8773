// Counts the launches of a program while its thread has nothing else to do.
#include <mutex>

#include "app/workbench/program/program_bench_state.h"
#include "instrumentation/analysis/cost/counters.h"

namespace tilereel {
namespace {

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

}  // namespace

void ProgramBench::start_counting() {
    if (counting_) counting_->cancel = true;
    const std::vector<program::LaunchSummary>& launches = program_->run->launches;
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

}  // namespace tilereel
