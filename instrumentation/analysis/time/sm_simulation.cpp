#include "instrumentation/analysis/time/sm_simulation.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "instrumentation/analysis/time/l1_cache.h"

namespace tilereel {
namespace {

// The arrivals of a warp's loads of one kind: entry i is the clock at which loads 0 .. i are there.
using Arrivals = std::vector<double>;

struct Warp {
    const BlockStream* stream = nullptr;
    const std::vector<TimedOp>* ops = nullptr;
    std::uint32_t block = 0;     // the place of its block
    std::uint64_t tag = 0;       // of the block's addresses: blocks do not share lines
    std::size_t next = 0;        // op
    std::uint32_t repeated = 0;  // of it
    double ready = 0;            // clock of the earliest next issue
    bool at_barrier = false;
    Arrivals shared, global;
    double copies_arrive = 0;         // of those not committed yet
    std::uint32_t copies_queued = 0;  // that the memory pipe has not taken yet
    std::vector<double> groups;       // of copies: clocks of arrival, oldest first
    [[nodiscard]] bool done() const { return next >= ops->size(); }
    [[nodiscard]] const TimedOp& op() const { return (*ops)[next]; }
};

struct Request {
    std::uint32_t warp = 0;
    const TimedOp* op = nullptr;
};

struct Scheduler {
    std::vector<std::uint32_t> warps;
    std::deque<Request> queue;  // of the memory pipe
    std::uint32_t last = 0;     // index in `warps` of the latest issue
    double blocked_until = 0, integer_free = 0, fma_free = 0, requests_free = 0;
};

class Simulation {
  public:
    Simulation(const std::vector<const BlockStream*>& streams, std::size_t following,
               const GpuModel& gpu, const SmConditions& conditions, std::size_t sites)
        : streams_(streams),
          following_(following),
          gpu_(gpu),
          sm_(gpu.sm),
          conditions_(conditions),
          l1_(std::max<std::size_t>(
              (static_cast<std::size_t>(sm_.l1_bytes) -
               std::min<std::size_t>(conditions.shared_bytes,
                                     static_cast<std::size_t>(sm_.l1_bytes) - kCacheLineBytes)) /
                  kCacheLineBytes,
              1)),
          schedulers_(static_cast<std::size_t>(sm_.schedulers)) {
        run_.sites.resize(sites);
        alive_.resize(streams.size());
        waiting_.resize(streams.size());
        warps_of_.resize(streams.size());
        for (std::uint32_t block = 0; block < streams.size(); ++block) {
            for (std::size_t i = 0; i < streams[block]->warps.size(); ++i) {
                const auto number = static_cast<std::uint32_t>(warps_.size());
                schedulers_[number % schedulers_.size()].warps.push_back(number);
                warps_of_[block].push_back(number);
                warps_.emplace_back().block = block;
            }
            start(block, kBetweenBlocks * block);
        }
    }

    SmRun run() {
        while (left_ != 0) {
            serve_requests();
            note_pace();
            bool issued = false;
            for (Scheduler& scheduler : schedulers_) issued |= issue(scheduler);
            now_ = issued ? now_ + 1 : std::max(now_ + 1, std::floor(next_event()));
        }
        // What the warps have left to the memory pipe.
        while (std::ranges::any_of(
            schedulers_, [](const Scheduler& scheduler) { return !scheduler.queue.empty(); })) {
            now_ = std::max(now_ + 1, std::floor(memory_free_));
            serve_requests();
        }
        run_.clocks = std::max(now_, memory_free_);
        const double pace = pace_end_ > pace_begin_ && issued_end_ > issued_begin_
                                ? (pace_end_ - pace_begin_) * all_ / (issued_end_ - issued_begin_)
                                : run_.clocks;
        run_.steady_clocks = std::max({pace, run_.memory, run_.issued / sm_.schedulers});
        return std::move(run_);
    }

  private:
    // Gives a place on the SM to the next block.
    void start(std::uint32_t place, double clock) {
        const BlockStream& stream = *streams_[started_ % streams_.size()];
        for (std::size_t i = 0; i < warps_of_[place].size(); ++i) {
            Warp& warp = warps_[warps_of_[place][i]];
            warp = Warp{};
            warp.block = place;
            warp.tag = started_ % kTags;
            warp.stream = &stream;
            warp.ops = &stream.warps[i];
            warp.ready = clock;
            if (warp.done()) continue;
            ++alive_[place];
            ++left_;
            for (const TimedOp& op : *warp.ops)
                all_ += op.kind == TimedKind::kWaitCopies ? 1 : op.repeat;
        }
        ++started_;
    }

    // The pace is that of the middle half: neither the first loads nor the last blocks count.
    void note_pace() {
        if (issued_begin_ == 0 && run_.issued >= all_ / 4) {
            issued_begin_ = run_.issued;
            pace_begin_ = now_;
        }
        if (issued_end_ == 0 && run_.issued >= all_ * 3 / 4) {
            issued_end_ = run_.issued;
            pace_end_ = now_;
        }
    }

    // The memory pipe takes the requests of the schedulers in turn.
    void serve_requests() {
        while (memory_free_ < now_ + 1) {
            bool found = false;
            for (std::size_t i = 0; i < schedulers_.size() && !found; ++i) {
                Scheduler& scheduler = schedulers_[(turn_ + i) % schedulers_.size()];
                if (scheduler.queue.empty()) continue;
                const Request request = scheduler.queue.front();
                scheduler.queue.pop_front();
                turn_ = (turn_ + i + 1) % schedulers_.size();
                serve(warps_[request.warp], *request.op);
                found = true;
            }
            if (!found) return;
        }
    }

    void serve(Warp& warp, const TimedOp& op) {
        const double passes = op.passes;
        const double begin = std::max(memory_free_, now_);
        memory_free_ = begin + passes;
        run_.memory += passes;
        run_.sites[op.site].memory += passes;
        switch (op.kind) {
            case TimedKind::kSharedLoad:
                note(warp.shared, begin + sm_.shared_load + passes - 1 + (op.words - 1));
                break;
            case TimedKind::kGlobalLoad:
                note(warp.global, fetch(warp, op, begin));
                break;
            case TimedKind::kCopy:
                warp.copies_arrive = std::max(warp.copies_arrive, fetch(warp, op, begin));
                --warp.copies_queued;
                break;
            case TimedKind::kGlobalStore:
                for (std::uint32_t i = 0; i < op.sectors; ++i) move_sector(begin);
                add_l2_bytes(op, op.sectors * kCacheSectorBytes);
                break;
            default:
                break;
        }
    }

    void add_l2_bytes(const TimedOp& op, double bytes) {
        run_.l2_bytes += bytes;
        run_.sites[op.site].l2_bytes += bytes;
    }

    // The clock at which L2, and if it takes part DRAM, have served a sector of this SM.
    double move_sector(double clock) {
        l2_free_ = std::max(l2_free_, clock) + kCacheSectorBytes / gpu_.l2_bytes_a_clock;
        const double dram_a_clock = gpu_.dram_gbs / gpu_.clock_ghz / gpu_.multiprocessors;
        dram_free_ =
            std::max(dram_free_, clock) + kCacheSectorBytes * conditions_.dram_share / dram_a_clock;
        return std::max(l2_free_, dram_free_);
    }

    // The clock at which all sectors of a load are there.
    double fetch(const Warp& warp, const TimedOp& op, double begin) {
        double there = begin + sm_.l1_hit + op.passes - 1;
        std::uint64_t missed_line = ~std::uint64_t{0};
        for (std::uint32_t i = 0; i < op.sectors; ++i) {
            const std::uint64_t sector = warp.stream->sectors[op.first_sector + i] | warp.tag << 56;
            bool missed = false;
            double& arrives = *l1_.look_up(sector, missed);
            ++run_.sectors;
            if (missed) {
                ++run_.missed_sectors;
                add_l2_bytes(op, kCacheSectorBytes);
                if (sector / kSectorsOfLine != missed_line) {
                    missed_line = sector / kSectorsOfLine;
                    memory_free_ += sm_.missed_line;
                    run_.memory += sm_.missed_line;
                }
                arrives = move_sector(begin) + conditions_.miss_latency;
            }
            there = std::max(there, arrives);
        }
        return there;
    }

    static void note(Arrivals& arrivals, double clock) {
        arrivals.push_back(arrivals.empty() ? clock : std::max(arrivals.back(), clock));
    }
    [[nodiscard]] double arrival(const Arrivals& arrivals, std::uint32_t loads) const {
        if (loads == 0) return 0;
        return loads <= arrivals.size() ? arrivals[loads - 1] : kLater;
    }

    // The clock from which the warp can issue its next instruction; kLater: not known yet.
    double can_issue(const Warp& warp) const {
        if (warp.at_barrier) return kLater;
        const TimedOp& op = warp.op();
        double when = std::max({warp.ready, arrival(warp.shared, op.shared_loads),
                                arrival(warp.global, op.global_loads)});
        if (op.kind == TimedKind::kWaitCopies && warp.groups.size() > op.repeat)
            when = std::max(when, warp.groups[warp.groups.size() - 1 - op.repeat]);
        if (op.kind == TimedKind::kCommit && warp.copies_queued != 0) return kLater;
        return when;
    }

    // Whether the pipe of the instruction takes one more now, else the clock at which to look
    // again.
    double pipe_free(const Scheduler& scheduler, const TimedOp& op) const {
        switch (op.kind) {
            case TimedKind::kMultiplyAdd:
                return scheduler.fma_free;
            case TimedKind::kInteger:
                return scheduler.integer_free;
            case TimedKind::kCommit:
            case TimedKind::kWaitCopies:
            case TimedKind::kBarrier:
                return 0;
            default:
                return scheduler.queue.size() >= static_cast<std::size_t>(sm_.queued_requests)
                           ? std::max(now_ + 1, memory_free_)
                           : scheduler.requests_free;
        }
    }

    bool issue(Scheduler& scheduler) {
        if (scheduler.blocked_until > now_) return false;
        const std::size_t count = scheduler.warps.size();
        // The warp of the latest issue first, then the others, youngest first.
        for (std::size_t i = 0; i <= count; ++i) {
            const std::size_t at = i == 0 ? scheduler.last : count - i;
            if (at >= count || (i != 0 && at == scheduler.last)) continue;
            Warp& warp = warps_[scheduler.warps[at]];
            if (warp.done()) continue;
            const double when = can_issue(warp);
            if (when > now_ || pipe_free(scheduler, warp.op()) > now_) continue;
            scheduler.last = static_cast<std::uint32_t>(at);
            issue(scheduler, scheduler.warps[at]);
            return true;
        }
        return false;
    }

    void issue(Scheduler& scheduler, std::uint32_t number) {
        Warp& warp = warps_[number];
        const TimedOp& op = warp.op();
        SiteTime& site = run_.sites[op.site];
        site.waited += std::max(0.0, now_ - std::max(warp.ready, 0.0));
        ++site.issued;
        ++run_.issued;
        double until_next = 1;
        bool repeats = false;
        switch (op.kind) {
            case TimedKind::kMultiplyAdd:
                ++run_.multiply_adds;
                ++site.multiply_adds;
                until_next = op.spacing;
                scheduler.fma_free = now_ + sm_.schedulers / sm_.fma_a_clock;
                repeats = true;
                break;
            case TimedKind::kInteger:
                scheduler.integer_free = now_ + sm_.integer;
                until_next = sm_.integer;
                repeats = true;
                break;
            case TimedKind::kBarrier:
                arrive(warp);
                break;
            case TimedKind::kCommit:
                warp.groups.push_back(warp.copies_arrive);
                warp.copies_arrive = 0;
                break;
            case TimedKind::kWaitCopies:
                break;
            case TimedKind::kCopy:
                ++warp.copies_queued;
                [[fallthrough]];
            default:
                scheduler.queue.push_back({number, &op});
                scheduler.requests_free = now_ + sm_.between_requests;
                if (op.kind == TimedKind::kSharedLoad && op.words >= 4)
                    scheduler.blocked_until = now_ + 1 + sm_.wide_load;
        }
        warp.ready = std::max(warp.ready, now_ + until_next);
        if (repeats && ++warp.repeated < op.repeat) return;
        warp.repeated = 0;
        ++warp.next;
        if (warp.done()) finish(warp);
    }

    void arrive(Warp& warp) {
        warp.at_barrier = true;
        ++waiting_[warp.block];
        release_if_all(warp.block);
    }
    void finish(const Warp& warp) {
        --left_;
        --alive_[warp.block];
        if (warp.at_barrier) --waiting_[warp.block];
        const std::uint32_t place = warp.block;
        release_if_all(place);
        if (alive_[place] != 0 || following_ == 0) return;
        --following_;
        start(place, now_ + 1);
    }
    void release_if_all(std::uint32_t block) {
        if (waiting_[block] == 0 || waiting_[block] < alive_[block]) return;
        waiting_[block] = 0;
        for (Warp& warp : warps_)
            if (warp.block == block && warp.at_barrier) {
                warp.at_barrier = false;
                warp.ready = std::max(warp.ready, now_ + sm_.barrier);
            }
    }

    // The next clock at which something may change, if nothing was issued in this one.
    double next_event() const {
        double next = kLater;
        bool queued = false;
        for (const Scheduler& scheduler : schedulers_) {
            queued |= !scheduler.queue.empty();
            for (const std::uint32_t number : scheduler.warps) {
                const Warp& warp = warps_[number];
                if (warp.done()) continue;
                const double when = can_issue(warp);
                if (when == kLater) continue;
                next = std::min(next, std::max({when, pipe_free(scheduler, warp.op()),
                                                scheduler.blocked_until}));
            }
        }
        if (queued) next = std::min(next, memory_free_);
        return next == kLater ? now_ + 1 : next;
    }

    static constexpr std::uint64_t kSectorsOfLine = kCacheLineBytes / kCacheSectorBytes;
    static constexpr double kLater = 1e18;
    static constexpr double kBetweenBlocks = 37;  // clocks between the starts of the first blocks
    static constexpr std::uint64_t kTags = 256;

    const std::vector<const BlockStream*>& streams_;
    std::size_t following_, started_ = 0;
    const GpuModel& gpu_;
    const SmTimes& sm_;
    const SmConditions& conditions_;
    L1Cache l1_;
    std::vector<Scheduler> schedulers_;
    std::vector<Warp> warps_;
    std::vector<std::vector<std::uint32_t>> warps_of_;  // by place
    std::vector<std::uint32_t> alive_, waiting_;        // warps, by block
    std::size_t left_ = 0, turn_ = 0;
    double now_ = 0, memory_free_ = 0, l2_free_ = 0, dram_free_ = 0;
    double all_ = 0;  // instructions
    double pace_begin_ = 0, pace_end_ = 0, issued_begin_ = 0, issued_end_ = 0;
    SmRun run_;
};

}  // namespace

SmRun simulate_sm(const std::vector<const BlockStream*>& streams, std::size_t following,
                  const GpuModel& gpu, const SmConditions& conditions, std::size_t sites) {
    return Simulation(streams, following, gpu, conditions, sites).run();
}

}  // namespace tilereel
