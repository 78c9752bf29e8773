#include "app/workbench/time/launch_estimate.h"

#include <algorithm>

#include "app/ladder/sample/time_sample.h"
#include "app/workbench/tables/registers.h"
#include "instrumentation/analysis/cost/counters.h"
#include "instrumentation/analysis/generations/occupancy.h"
#include "instrumentation/analysis/time/dram_traffic.h"
#include "instrumentation/analysis/time/pipe_work.h"
#include "instrumentation/base/format/with_commas.h"
#include "kernels/catalog.h"

namespace tilereel {
namespace {

std::string title_of(const RecordRequest& request) {
    const KernelParameters& p = request.parameters;
    std::string title = request.kernel;
    for (const auto& [name, value] : {std::pair("M", p.m), std::pair("N", p.n), std::pair("K", p.k),
                                      std::pair("TILE", p.tile), std::pair("PAD", p.pad)})
        title += std::string("  ") + name + " " + with_commas(static_cast<std::uint64_t>(value));
    return title;
}

std::uint64_t flop_of(const KernelParameters& p) {
    return 2 * static_cast<std::uint64_t>(p.m) * static_cast<std::uint64_t>(p.n) *
           static_cast<std::uint64_t>(p.k);
}

std::vector<EstimatedLaunch::Array> arrays_of(const Trace& trace) {
    std::vector<EstimatedLaunch::Array> arrays;
    for (const auto& array : trace.arrays) arrays.push_back({array.name, array.space});
    return arrays;
}

class LaunchEstimator {
  public:
    LaunchEstimator(const TimeQuestion& question, RecordProgress* progress,
                    const EstimateStep& step)
        : question_(question), progress_(progress), step_(step) {}

    Result<EstimatedLaunch> of_recording() {
        const Trace& trace = *question_.trace;
        found_.title = trace.launch.kernel;
        const std::size_t blocks = std::max<std::size_t>(whole_blocks(trace).size(), 1);
        found_.flop = count_kernel(trace).flop() / blocks * trace.launch.blocks();
        found_.is_product = trace.product.has_value();
        found_.arrays = arrays_of(trace);
        const DramTraffic traffic =
            question_.gpu != nullptr ? dram_traffic(trace, *question_.gpu) : DramTraffic{};
        const TimedLaunch timed{
            .trace = &trace,
            .blocks = trace.launch.blocks(),
            .resources = {.threads = static_cast<int>(trace.launch.threads()),
                          .registers_per_thread =
                              question_.machine != nullptr && question_.machine->registers > 0
                                  ? question_.machine->registers
                                  : kAssumedRegisters,
                          .shared_bytes = trace.launch.shared_bytes},
            .dram = {.asked = traffic.asked_bytes(),
                     .fetched = traffic.fetched_bytes,
                     .written = traffic.written_bytes},
            .cold = question_.cold,
            .band = trace.product ? kBandOfProducts : kBandOfOthers,
            .options = {.machine = question_.machine.get()}};
        TRY(estimate(timed));
        if (found_.estimate.why_recording.empty())
            found_.estimate.why_recording = question_.why_no_machine;
        if (question_.with_changes) TRY(add_without_faults(timed));
        return std::move(found_);
    }

    Result<EstimatedLaunch> of_kernel() {
        const RecordRequest& asked = question_.request;
        const KernelInfo* const kernel = find_kernel(asked.kernel);
        if (kernel == nullptr) return wrong_call("there is no kernel '" + asked.kernel + "'");
        const TimeSample sample = TRY(sample_of(asked));
        found_.title = title_of(asked);
        found_.flop = flop_of(asked.parameters);
        found_.is_product = true;
        found_.arrays = arrays_of(sample.shorter);
        const TimedLaunch timed = sample.launch(question_.cold);
        TRY(estimate(timed));
        if (question_.with_changes && found_.estimate.kind == EstimateKind::kAbout)
            TRY(add_changes(*kernel, timed));
        return std::move(found_);
    }

    Result<EstimatedLaunch> l2() {
        if (question_.gpu == nullptr) return wrong_call("the size of L2 of this GPU is not known");
        Result<LaunchL2> l2 =
            question_.trace
                ? launch_l2(*question_.trace, kAssumedRegisters, *question_.gpu, progress_)
                : launch_l2(question_.request, *question_.gpu, progress_);
        if (!l2 && l2.error().kind == ErrorKind::kCancelled) return l2.error();
        if (l2)
            found_.l2 = std::make_shared<const LaunchL2>(std::move(l2).value());
        else
            found_.why_no_l2 = l2.error().message;
        return std::move(found_);
    }

  private:
    Status add_changes(const KernelInfo& kernel, const TimedLaunch& timed) {
        const RecordRequest& asked = question_.request;
        TRY(add_without_faults(timed));
        for (const int tile : kernel.tiles) {
            RecordRequest other = asked;
            other.parameters.tile = tile;
            if (tile != asked.parameters.tile)
                TRY(add_launch(std::move(other), "TILE " + std::to_string(tile)));
        }
        for (const int pad : kernel.pads) {
            RecordRequest other = asked;
            other.parameters.pad = pad;
            if (pad != asked.parameters.pad)
                TRY(add_launch(std::move(other), "PAD " + std::to_string(pad)));
        }
        for (const RecordRequest& other : question_.others)
            if (const KernelInfo* info = find_kernel(other.kernel))
                TRY(add_launch(other, std::string(info->title)));
        return Done{};
    }

    Result<TimeSample> sample_of(const RecordRequest& request) const {
        const KernelParameters& p = request.parameters;
        return sample_for_time(request, registers_of(request.kernel, p.tile, p.pad).a_thread,
                               question_.gpu, progress_);
    }

    Status may_go_on() const {
        if (progress_ != nullptr && progress_->cancel) return cancelled();
        return Done{};
    }

    Status estimate(const TimedLaunch& timed) {
        TRY(may_go_on());
        if (question_.gpu == nullptr)
            return wrong_call(
                "There are no times for this GPU generation; choose 7.5, 8.0, 8.9 or 9.0");
        found_.estimate = TRY(estimate_time(timed, *question_.gpu));
        if (step_) step_(found_);
        return Done{};
    }

    Status add(TimeChange change, const TimedLaunch& timed) {
        TRY(may_go_on());
        const TimeEstimate estimate = TRY(estimate_time(timed, *question_.gpu));
        if (estimate.kind != EstimateKind::kAbout) return Done{};
        change.seconds = estimate.seconds;
        change.blocks_an_sm = estimate.occupancy.blocks;
        found_.changes.push_back(std::move(change));
        if (step_) step_(found_);
        return Done{};
    }

    // The same launch without what usually costs most.
    Status add_without_faults(TimedLaunch timed) {
        if (found_.estimate.kind != EstimateKind::kAbout) return Done{};
        timed.options.what_if = WhatIf::kNoConflicts;
        TRY(add({.kind = ChangeKind::kNoConflicts, .what = "without bank conflicts"}, timed));
        timed.options.what_if = WhatIf::kCoalesced;
        return add({.kind = ChangeKind::kCoalesced, .what = "every access coalesced"}, timed);
    }

    // Leaves out what cannot run at this size.
    Status add_launch(RecordRequest other, std::string what) {
        if (!validate(*find_kernel(other.kernel), other.parameters)) return Done{};
        TRY(may_go_on());
        const TimeSample sample = TRY(sample_of(other));
        const ChangeKind kind = other.kernel == question_.request.kernel ? ChangeKind::kVariant
                                                                         : ChangeKind::kOtherKernel;
        return add({.kind = kind, .what = std::move(what), .launch = std::move(other)},
                   sample.launch(question_.cold));
    }

    const TimeQuestion& question_;
    RecordProgress* progress_;
    const EstimateStep& step_;
    EstimatedLaunch found_;
};

// The best of some kinds; nullptr: none is a tenth faster.
const TimeChange* best_of(const EstimatedLaunch& launch, std::initializer_list<ChangeKind> kinds) {
    constexpr double kWorthTrying = 1.1;
    const TimeChange* best = nullptr;
    for (const TimeChange& change : launch.changes) {
        if (std::ranges::find(kinds, change.kind) == kinds.end()) continue;
        if (launch.times_as_fast(change) < kWorthTrying) continue;
        if (best == nullptr || change.seconds < best->seconds) best = &change;
    }
    return best;
}

}  // namespace

const TimeChange* change_to_try(const EstimatedLaunch& launch) {
    if (const TimeChange* best = best_of(launch, {ChangeKind::kVariant})) return best;
    if (const TimeChange* best = best_of(launch, {ChangeKind::kOtherKernel})) return best;
    return best_of(launch, {ChangeKind::kNoConflicts, ChangeKind::kCoalesced});
}

std::vector<const TimeChange*> listed_changes(const EstimatedLaunch& launch) {
    std::vector<const TimeChange*> listed;
    const TimeChange* const first = change_to_try(launch);
    if (first != nullptr) listed.push_back(first);
    for (const TimeChange& change : launch.changes)
        if (&change != first) listed.push_back(&change);
    return listed;
}

Result<EstimatedLaunch> estimate_launch(const TimeQuestion& question, RecordProgress* progress,
                                        const EstimateStep& step) {
    LaunchEstimator estimator(question, progress, step);
    if (question.only_l2) return estimator.l2();
    return question.trace ? estimator.of_recording() : estimator.of_kernel();
}

}  // namespace tilereel
