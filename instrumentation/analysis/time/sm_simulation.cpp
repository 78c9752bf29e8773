#include "instrumentation/analysis/time/sm_simulation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>

#include "instrumentation/analysis/time/arithmetic_units.h"
#include "instrumentation/analysis/time/sector_path.h"

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
    std::array<double, kScoreboards> board{};          // clocks at which they are clear
    std::array<std::uint32_t, kScoreboards> queued{};  // requests that the pipe has not taken yet
    double copies_arrive = 0;                          // of those not committed yet
    std::uint32_t copies_queued = 0;                   // that the memory pipe has not taken yet
    std::vector<double> groups;                        // of copies: clocks of arrival, oldest first
    [[nodiscard]] bool done() const { return next >= ops->size(); }
    [[nodiscard]] const TimedOp& op() const { return (*ops)[next]; }
};

// A warp's place may go to another block before its last requests are served.
struct Request {
    std::uint32_t warp = 0;
    const TimedOp* op = nullptr;
    const BlockStream* stream = nullptr;
    std::uint64_t tag = 0;
};

struct Scheduler {
    std::vector<std::uint32_t> warps;
    std::deque<Request> queue;  // of the memory pipe
    std::uint32_t last = 0;     // index in `warps` of the latest issue
    double blocked_until = 0, requests_free = 0;
    std::array<double, kArithmeticUnits> unit_free{};  // of its parts of the pipes
};

class Simulation {
  public:
    Simulation(const std::vector<const BlockStream*>& streams, std::size_t following,
               const GpuModel& gpu, const SmConditions& conditions, std::size_t sites)
        : streams_(streams),
          following_(following),
          gpu_(gpu),
          sm_(gpu.sm),
          path_(gpu, conditions),
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
            warp.ready = clock + sm_.warp_start;
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
                serve(request);
                found = true;
            }
            if (!found) return;
        }
    }

    void serve(const Request& request) {
        const TimedOp& op = *request.op;
        Warp& warp = warps_[request.warp];
        const bool is_there = warp.stream == request.stream && warp.tag == request.tag;
        const double passes = op.passes;
        const double begin = std::max(memory_free_, now_);
        memory_free_ = begin + passes;
        run_.memory += passes;
        run_.sites[op.site].memory += passes;
        double there = begin + passes;
        switch (op.kind) {
            case TimedKind::kSharedLoad:
                there = begin + sm_.shared_load + passes - 1 + (op.words - 1);
                if (is_there) note(warp.shared, there);
                break;
            case TimedKind::kGlobalLoad: {
                there = fetch(request, begin);
                if (is_there) note(warp.global, there);
                break;
            }
            case TimedKind::kCopy: {
                there = fetch(request, begin);
                if (!is_there) break;
                warp.copies_arrive = std::max(warp.copies_arrive, there);
                --warp.copies_queued;
                break;
            }
            case TimedKind::kGlobalStore:
                path_.store(op, *request.stream, begin);
                add_l2_bytes(op, op.sectors);
                break;
            case TimedKind::kSharedStore:
                there = begin + sm_.shared_store + passes - 1;
                break;
            default:
                break;
        }
        if (is_there) clear_all(op, warp, begin, there);
    }

    void add_l2_bytes(const TimedOp& op, std::uint32_t sectors) {
        const double bytes = sectors * kCacheSectorBytes;
        run_.l2_bytes += bytes;
        run_.sites[op.site].l2_bytes += bytes;
    }

    // The clock at which all sectors of a load are there.
    double fetch(const Request& request, double begin) {
        const TimedOp& op = *request.op;
        const Fetched found = path_.fetch(op, *request.stream, request.tag, begin);
        memory_free_ += sm_.missed_sector * found.missed_sectors;
        run_.memory += sm_.missed_sector * found.missed_sectors;
        run_.sectors += op.sectors;
        run_.missed_sectors += found.missed_sectors;
        add_l2_bytes(op, found.missed_sectors);
        return found.there;
    }

    static void note(Arrivals& arrivals, double clock) {
        arrivals.push_back(arrivals.empty() ? clock : std::max(arrivals.back(), clock));
    }
    // A scoreboard that a request has set is clear from this clock on.
    static void clear(Warp& warp, std::uint8_t board, double clock) {
        if (board >= kScoreboards) return;
        warp.board[board] = std::max(warp.board[board], clock);
        --warp.queued[board];
    }
    static void clear_all(const TimedOp& op, Warp& warp, double begin, double there) {
        clear(warp, op.reads, begin + op.passes);
        clear(warp, op.writes, there);
    }
    [[nodiscard]] double boards_clear(const Warp& warp, const TimedOp& op) const {
        double when = 0;
        for (std::size_t i = 0; i < kScoreboards; ++i) {
            if ((op.waits >> i & 1) == 0) continue;
            if (warp.queued[i] != 0) return kLater;
            when = std::max(when, warp.board[i]);
        }
        return when;
    }
    void set_boards(Warp& warp, const TimedOp& op, bool is_request) const {
        for (const std::uint8_t board : {op.writes, op.reads}) {
            if (board >= kScoreboards) continue;
            if (is_request)
                ++warp.queued[board];
            else
                warp.board[board] = std::max(warp.board[board], now_ + op.latency);
        }
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
                                arrival(warp.global, op.global_loads), boards_clear(warp, op)});
        if (op.kind == TimedKind::kWaitCopies && warp.groups.size() > op.repeat)
            when = std::max(when, warp.groups[warp.groups.size() - 1 - op.repeat]);
        if (op.kind == TimedKind::kCommit && warp.copies_queued != 0) return kLater;
        return when;
    }

    // Whether the pipe of the instruction takes one more now, else the clock at which to look
    // again.
    double pipe_free(const Scheduler& scheduler, const TimedOp& op) const {
        if (const ArithmeticUnit* const unit = unit_of(op.kind))
            return scheduler.unit_free[unit->number];
        switch (op.kind) {
            case TimedKind::kIssueOnly:
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
        if (const ArithmeticUnit* const unit = unit_of(op.kind)) {
            const double clocks = 1 / sm_.*unit->a_clock;
            site.*unit->of_site += clocks;
            run_.*unit->of_run += clocks;
            scheduler.unit_free[unit->number] = now_ + sm_.schedulers * clocks;
            if (op.kind == TimedKind::kInteger && !op.compiled)
                until_next = sm_.schedulers * clocks;
            repeats = true;
            set_boards(warp, op, false);
        } else {
            repeats = op.kind == TimedKind::kIssueOnly;
            set_boards(warp, op, is_request(op.kind));
            issue_other(scheduler, number, op);
        }
        until_next = std::max<double>(until_next, op.spacing);
        warp.ready = std::max(warp.ready, now_ + until_next);
        if (repeats && ++warp.repeated < op.repeat) return;
        warp.repeated = 0;
        ++warp.next;
        if (warp.done()) finish(warp);
    }

    static bool is_request(TimedKind kind) {
        return kind >= TimedKind::kSharedLoad && kind <= TimedKind::kCopy;
    }
    void issue_other(Scheduler& scheduler, std::uint32_t number, const TimedOp& op) {
        Warp& warp = warps_[number];
        switch (op.kind) {
            case TimedKind::kIssueOnly:
            case TimedKind::kWaitCopies:
                break;
            case TimedKind::kBarrier:
                arrive(warp);
                break;
            case TimedKind::kCommit:
                warp.groups.push_back(warp.copies_arrive);
                warp.copies_arrive = 0;
                break;
            case TimedKind::kCopy:
                ++warp.copies_queued;
                [[fallthrough]];
            default:
                scheduler.queue.push_back({number, &op, warp.stream, warp.tag});
                scheduler.requests_free = now_ + sm_.between_requests;
                if (op.kind == TimedKind::kSharedLoad && op.words >= 4)
                    scheduler.blocked_until = now_ + 1 + sm_.wide_load;
        }
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
        start(place, now_ + sm_.next_block);
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

    static constexpr double kLater = 1e18;
    static constexpr double kBetweenBlocks = 37;  // clocks between the starts of the first blocks
    static constexpr std::uint64_t kTags = 256;

    const std::vector<const BlockStream*>& streams_;
    std::size_t following_, started_ = 0;
    const GpuModel& gpu_;
    const SmTimes& sm_;
    SectorPath path_;
    std::vector<Scheduler> schedulers_;
    std::vector<Warp> warps_;
    std::vector<std::vector<std::uint32_t>> warps_of_;  // by place
    std::vector<std::uint32_t> alive_, waiting_;        // warps, by block
    std::size_t left_ = 0, turn_ = 0;
    double now_ = 0, memory_free_ = 0;
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
