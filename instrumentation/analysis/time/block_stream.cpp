#include "instrumentation/analysis/time/block_stream.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>

#include "instrumentation/analysis/source/loop_groups.h"
#include "instrumentation/analysis/time/copied_sites.h"
#include "instrumentation/analysis/time/counting_atomics.h"
#include "instrumentation/analysis/time/joined_loads.h"
#include "instrumentation/analysis/time/timed_requests.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

constexpr std::uint32_t kIntegersOfAddress = 2;  // for each request of global memory
constexpr std::uint32_t kIntegersOfTrip = 10;    // for each part of a loop that loads a tile
constexpr std::uint32_t kIntegersOfChunk = 6;    // of a loop without tiles
constexpr std::uint32_t kIntegersOfGroup = 3;    // of trips that are unrolled together
// nvcc's code of tests/hardware/estimate: until a warp knows its place and its arguments, by pipes;
// and before a loop that is unrolled without its trips being known.
constexpr std::uint32_t kProductsOfStart = 2, kIntegersOfStart = 3, kOthersOfStart = 5;
constexpr std::uint32_t kIntegersOfLoop = 15, kOthersOfLoop = 10;
// Trips of a loop whose loads are started together.
constexpr std::uint32_t kTripsOfShared = 4, kTripsOfGlobal = 16;
constexpr std::uint32_t kEnoughMultiplyAdds = 16;  // of one trip: it is not joined with the next
constexpr std::uint8_t kDependentClocks = 4;
constexpr std::size_t kKeptValues = 32;  // of a thread: more take too many registers

// The instructions between two barriers: loads and the multiply-adds that need them.
struct Chunk {
    std::vector<TimedOp> loads, work;
    std::uint32_t trips = 0, multiply_adds = 0;
    bool of_global = false;
    bool in_groups = false;  // of trips that LoopGroups puts together
    bool of_loaded = false;  // some load waits for another one's value
};

class StreamBuilder {
  public:
    StreamBuilder(const Trace& trace, std::uint32_t block, const Generation& generation,
                  const StreamOptions& options)
        : trace_(trace),
          options_(options),
          generation_(generation),
          range_(segments_of_block(trace, block)),
          costs_(trace, generation, options.what_if == WhatIf::kNoConflicts,
                 options.what_if == WhatIf::kCoalesced),
          copied_(copied_sites(trace, block)),
          counting_(counting_sites(trace, block)),
          groups_(trace) {}

    Result<BlockStream> build() {
        stream_.warps.resize(trace_.launch.warps());
        for (std::size_t segment = range_.first; segment < range_.last;) {
            std::size_t end = segment;
            while (end < range_.last &&
                   trace_.segments.epoch[end] == trace_.segments.epoch[segment])
                ++end;
            allowed_ = words_allowed(trace_, {segment, end});
            for (; segment < end; ++segment) {
                warp_ = trace_.segments.warp[segment];
                std::vector<std::uint64_t> records;
                for (const std::uint64_t record : records_of(trace_.segments, segment))
                    records.push_back(record);
                if (stream_.warps[warp_].empty() && !records.empty())
                    start_warp(site_of(trace_, records.front()));
                TRY(add_epoch(records));
            }
        }
        return std::move(stream_);
    }

  private:
    struct Loads {
        std::uint32_t shared = 0, global = 0;
    };

    void start_warp(SiteId site) {
        emit(others(kOthersOfStart, site));
        emit({.kind = TimedKind::kIntegerProduct, .repeat = kProductsOfStart, .site = site});
        emit(integers(kIntegersOfStart, site));
    }

    Status add_epoch(const std::vector<std::uint64_t>& records) {
        const std::vector<std::uint8_t> words = options_.known_trips
                                                    ? join_loads(trace_, records, allowed_)
                                                    : std::vector<std::uint8_t>(records.size(), 1);
        of_global_.clear();
        of_shared_.clear();
        chunks_.clear();
        chunks_.emplace_back();
        groups_.begin(records);
        for (std::size_t i = 0; i < records.size(); ++i) {
            if (words[i] == 0) continue;
            TRY(add(records[i], words[i]));
        }
        flush();
        return Done{};
    }

    Status add(std::uint64_t record, std::uint8_t words) {
        const Site& site = site_at(trace_, record);
        TimedOp op{.site = site_of(trace_, record)};
        add_arithmetic(site, op.site);
        if (site.operation == Operation::kLoad && may_call(site)) end_block();
        using enum Operation;
        switch (site.operation) {
            case kMultiplyAdd:
                if (site.width_bytes == sizeof(double)) op.kind = TimedKind::kFp64;
                return add_multiply_add(op, trace_.records.base[record]), Done{};
            case kLoad:
                if (words == 1 && !site.is_volatile() && is_in_register(site, record))
                    return Done{};
                return add_load(op, record, words), Done{};
            case kMatrixLoad:
                return add_load(op, record, words), Done{};
            case kStore:
            case kMatrixStore:
            case kAtomic:
                forget_registers(trace_.arrays[site.array].space);
                return add_store(op, record), Done{};
            case kCopyLoad:
                return add_copy(op, record), Done{};
            case kCopyStore:
                return Done{};  // a part of its load
            case kCommitCopies:
                op.kind = TimedKind::kCommit;
                break;
            case kWaitCopies:
                op.kind = TimedKind::kWaitCopies;
                op.repeat = trace_.records.base[record];
                break;
            case kBarrier:
                op.kind = TimedKind::kBarrier;
                break;
            case kExchange:
                op.kind = TimedKind::kSharedLoad;
                op.passes = 1;
                after_work(op);
                return Done{};
            case kWarpBarrier:
                op.kind = TimedKind::kInteger;
                break;
            case kAssign:
                return Done{};
            default:
                return failed(std::string(words_for(site.operation).name));
        }
        flush();
        emit(op);
        return Done{};
    }

    // A compiler loads a value once, as long as no store may have changed it: x[i] * x[i] is one
    // load, and a[row] in a loop over columns stands before the loop.
    bool is_in_register(const Site& site, std::uint64_t record) {
        auto& known = trace_.arrays[site.array].space == Space::kGlobal ? of_global_ : of_shared_;
        const Loaded loaded{site.array, trace_.records.pattern[record], trace_.records.base[record],
                            site.width_bytes};
        if (std::ranges::find(known, loaded) != known.end()) return true;
        if (known.size() == kKeptValues) known.erase(known.begin());
        known.push_back(loaded);
        return false;
    }
    void forget_registers(Space space) {
        (space == Space::kGlobal ? of_global_ : of_shared_).clear();
    }

    // Divisions, roots and sines branch around a call, for arguments out of range. What comes
    // behind stays there.
    static bool may_call(const Site& site) {
        const auto count = [&](ArithmeticPipe pipe) {
            return site.instructions[static_cast<std::size_t>(pipe)];
        };
        return count(ArithmeticPipe::kXu) >= 1 && count(ArithmeticPipe::kIssueOnly) >= 2;
    }
    void end_block() {
        in_work_ = false;
        chunks_.emplace_back().of_global = true;
    }

    // What is computed between the record before and this one.
    void add_arithmetic(const Site& site, SiteId id) {
        using enum TimedKind;
        constexpr std::array kKinds = {kMultiplyAdd, kIntegerProduct, kInteger,
                                       kXu,          kFp64,           kIssueOnly};
        static_assert(kKinds.size() == kArithmeticPipes);
        const std::uint32_t all =
            std::accumulate(site.instructions.begin(), site.instructions.end(), 0u);
        // The chain of those that need one another is spread over all of them.
        const auto spacing = static_cast<std::uint8_t>(
            std::clamp<std::uint32_t>(site.latency_clocks / std::max(all, 1u), 1, 0xff));
        for (std::size_t pipe = 0; pipe < kKinds.size(); ++pipe)
            if (site.instructions[pipe] != 0)
                chunks_.back().work.push_back({.kind = kKinds[pipe],
                                               .spacing = spacing,
                                               .repeat = site.instructions[pipe],
                                               .site = id});
    }

    void add_multiply_add(TimedOp op, std::uint32_t accumulator) {
        Chunk& chunk = chunks_.back();
        ++chunk.multiply_adds;
        op.spacing = accumulator == last_accumulator_ ? kDependentClocks : 1;
        last_accumulator_ = accumulator;
        if (!chunk.work.empty()) {
            TimedOp& last = chunk.work.back();
            if (last.kind == op.kind && last.site == op.site &&
                (last.spacing == op.spacing || last.repeat == 1)) {
                last.spacing = op.spacing;
                ++last.repeat;
                in_work_ = true;
                return;
            }
        }
        chunk.work.push_back(op);
        in_work_ = true;
    }

    // A load after multiply-adds begins the next trip of a loop.
    void begin_trip(bool of_global, bool in_groups = false) {
        if (!in_work_) {
            chunks_.back().of_global |= of_global;
            return;
        }
        in_work_ = false;
        Chunk& chunk = chunks_.back();
        ++chunk.trips;
        if (in_groups) {
            chunk.of_global |= of_global;
            return;
        }
        const std::uint32_t most =
            chunk.of_global && !chunk.of_loaded ? kTripsOfGlobal : kTripsOfShared;
        if (chunk.trips >= most || chunk.multiply_adds >= kEnoughMultiplyAdds * chunk.trips)
            chunks_.emplace_back();
        chunks_.back().of_global |= of_global;
    }

    void add_load(TimedOp op, std::uint64_t record, std::uint8_t words) {
        const Space space = trace_.arrays[site_at(trace_, record).array].space;
        if (space == Space::kGlobal) {
            const RequestCost& cost = costs_(record);
            op.kind = TimedKind::kGlobalLoad;
            op.words = costs_.words_of(record);
            op.passes = TimedRequests::passes(costs_.lines_of(cost));
            costs_.add_sectors(record, op, stream_);
            if (groups_.begins_group(op.site) || is_repeated(op.site)) end_trips_of_loads(op.site);
            if (stored_global_) begin_after_store();
            if (groups_.begins_loop()) {
                chunks_.back().loads.push_back(integers(kIntegersOfLoop, op.site));
                chunks_.back().loads.push_back(others(kOthersOfLoop, op.site));
            }
            const bool copied = copied_[op.site];
            if (!copied) begin_trip(true, groups_.is_known(op.site));
            Chunk& chunk = chunks_.back();
            chunk.in_groups |= groups_.is_known(op.site);
            chunk.of_loaded |= trace_.sites[op.site].address == AddressKind::kLoaded;
            // In an unrolled loop the next address is a constant apart.
            if (!is_next_of_group(op.site))
                chunk.loads.push_back(integers(copied ? kIntegersOfAddress : 1, op.site));
            chunk.loads.push_back(op);
            copies_ |= copied;
            return;
        }
        if (space == Space::kConstant) return;  // an operand of the instruction that needs it
        begin_trip(false);
        op.kind = TimedKind::kSharedLoad;
        op.words = words > 1 ? words : costs_.words_of(record);
        op.passes = TimedRequests::passes(words > 1 ? joined_wavefronts(record, words)
                                                    : costs_.wavefronts_of(costs_(record)));
        chunks_.back().loads.push_back(op);
    }

    // A load of the same place once more, with nothing between that needs the earlier ones: a loop
    // whose arithmetic is not recorded. It needs the loads of some trips before the next ones; a
    // tile that is copied to shared memory, those of one trip.
    [[nodiscard]] bool is_repeated(SiteId site) const {
        if (groups_.is_known(site) && !copied_[site]) return false;
        const bool one_by_one = copied_[site] && !groups_.is_unrolled(site);
        const std::ptrdiff_t trips = one_by_one      ? 1
                                     : copied_[site] ? std::ptrdiff_t{kTripsOfShared}
                                                     : std::ptrdiff_t{kTripsOfGlobal};
        return !in_work_ && chunks_.back().multiply_adds == 0 &&
               std::ranges::count_if(chunks_.back().loads, [&](const TimedOp& op) {
                   return op.site == site && op.kind == TimedKind::kGlobalLoad;
               }) >= trips;
    }
    [[nodiscard]] bool is_next_of_group(SiteId site) const {
        if (!groups_.is_in_loop(site) || trace_.sites[site].address != AddressKind::kLinear)
            return false;
        return std::ranges::any_of(chunks_.back().loads, [&](const TimedOp& op) {
            return op.site == site && op.kind == TimedKind::kGlobalLoad;
        });
    }
    // A load from global memory stays behind a store: it may read what was stored.
    void begin_after_store() {
        stored_global_ = false;
        chunks_.emplace_back().of_global = true;
    }
    void end_trips_of_loads(SiteId site) {
        in_work_ = false;
        chunks_.back().work.push_back(integers(kIntegersOfAddress, site));
        chunks_.emplace_back().of_global = true;
    }

    void add_store(TimedOp op, std::uint64_t record) {
        const Site& site = site_at(trace_, record);
        const RequestCost& cost = costs_(record);
        if (trace_.arrays[site.array].space == Space::kGlobal) {
            op.kind = TimedKind::kGlobalStore;
            op.passes = TimedRequests::passes(costs_.lines_of(cost) + cost.collisions);
            costs_.add_sectors(record, op, stream_);
            stored_global_ = true;
        } else {
            op.kind = TimedKind::kSharedStore;
            op.passes = TimedRequests::passes(costs_.wavefronts_of(cost) +
                                              (counting_[op.site] ? 0 : cost.collisions));
        }
        op.words = costs_.words_of(record);
        after_work(op);
    }

    // What needs all loads so far. It joins the work of the current chunk.
    void after_work(TimedOp op) {
        chunks_.back().work.push_back(op);
        last_accumulator_ = kNoAccumulator;
    }

    void add_copy(TimedOp op, std::uint64_t record) {
        flush();
        emit(integers(kIntegersOfAddress, op.site));
        const RequestCost& from = costs_(record);
        op.kind = TimedKind::kCopy;
        op.words = costs_.words_of(record);
        std::uint32_t wavefronts = 0;
        if (record + 1 < trace_.records.size() &&
            site_at(trace_, record + 1).operation == Operation::kCopyStore)
            wavefronts = costs_.wavefronts_of(costs_(record + 1));
        op.passes = TimedRequests::passes(std::max(costs_.lines_of(from), wavefronts));
        costs_.add_sectors(record, op, stream_);
        emit(op);
        copies_ = true;
    }

    // Orders the chunks: the loads of a chunk come before the work of the chunk before it, unless
    // they are loads of global memory, which take too many registers.
    void flush() {
        if (copies_) emit(integers(kIntegersOfTrip, 0));
        copies_ = false;
        emit_loads(chunks_.front());
        for (std::size_t i = 0; i < chunks_.size(); ++i) {
            const Loads needed = loads_[warp_];
            const bool ahead = i + 1 < chunks_.size() && !chunks_[i + 1].of_global;
            if (ahead) emit_loads(chunks_[i + 1]);
            if (chunks_[i].of_global && chunks_[i].trips != 0)
                emit(integers(chunks_[i].in_groups ? kIntegersOfGroup : kIntegersOfChunk,
                              chunks_[i].work.empty() ? SiteId{0} : chunks_[i].work[0].site));
            for (TimedOp op : chunks_[i].work) {
                op.shared_loads = needed.shared;
                op.global_loads = needs_copied(op) ? loads_[warp_].global : operands_needed(needed);
                emit(op);
                if (op.kind == TimedKind::kSharedLoad) ++loads_[warp_].shared;
            }
            if (!ahead && i + 1 < chunks_.size()) emit_loads(chunks_[i + 1]);
        }
        chunks_.clear();
        chunks_.emplace_back();
        in_work_ = stored_global_ = false;
    }

    // Loads whose address is loaded come behind the loads of addresses.
    void emit_loads(const Chunk& chunk) {
        for (const bool loaded : {false, true})
            for (const TimedOp& op : chunk.loads)
                if ((trace_.sites[op.site].address == AddressKind::kLoaded) == loaded)
                    emit_load(op, loaded);
    }
    void emit_load(TimedOp op, bool waits) {
        Loads& loads = loads_[warp_];
        if (waits) {
            op.shared_loads = loads.shared;
            op.global_loads = loads.global;
        }
        emit(op);
        if (op.kind == TimedKind::kSharedLoad) ++loads.shared;
        if (op.kind != TimedKind::kGlobalLoad) return;
        ++loads.global;
        if (!copied_[op.site]) operands_[warp_] = loads.global;
    }

    // A store of what was loaded from global memory waits for it.
    static bool needs_copied(const TimedOp& op) { return op.kind == TimedKind::kSharedStore; }
    // The loads from global memory up to the last one that is an operand.
    std::uint32_t operands_needed(const Loads& needed) {
        return std::min(operands_[warp_], needed.global);
    }

    void emit(const TimedOp& op) {
        stream_.warps[warp_].push_back(op);
        stream_.instructions += op.kind == TimedKind::kWaitCopies ? 1 : op.repeat;
    }
    static TimedOp others(std::uint32_t count, SiteId site) {
        return {.kind = TimedKind::kIssueOnly, .repeat = count, .site = site};
    }
    static TimedOp integers(std::uint32_t count, SiteId site) {
        return {.kind = TimedKind::kInteger, .repeat = count, .site = site};
    }
    std::uint32_t joined_wavefronts(std::uint64_t record, std::uint8_t words) {
        const std::tuple key{trace_.records.pattern[record], trace_.records.base[record] % 128,
                             words};
        const auto [known, is_new] = joined_.try_emplace(key);
        if (is_new)
            known->second =
                costs_.wavefronts_of(cost_of_joined(trace_, record, words, generation_));
        return known->second;
    }

    static constexpr std::uint32_t kNoAccumulator = 0xffffffff;

    const Trace& trace_;
    const StreamOptions options_;
    const Generation& generation_;
    const SegmentRange range_;
    TimedRequests costs_;
    const std::vector<bool> copied_, counting_;  // by site
    LoopGroups groups_;
    BlockStream stream_;
    JoinedWords allowed_;  // of the epoch
    std::vector<Chunk> chunks_;
    std::map<std::uint16_t, Loads> loads_;  // by warp: emitted so far
    std::map<std::uint16_t, std::uint32_t>
        operands_;  // by warp: global loads up to the last operand
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint8_t>, std::uint32_t> joined_;
    struct Loaded {
        ArrayId array = 0;
        std::uint32_t pattern = 0, base = 0;
        std::uint8_t width = 0;
        bool operator==(const Loaded&) const = default;
    };
    std::vector<Loaded> of_global_, of_shared_;  // what the warp has in registers, oldest first
    std::uint16_t warp_ = 0;
    std::uint32_t last_accumulator_ = kNoAccumulator;
    bool in_work_ = false;        // the last record was a multiply-add
    bool copies_ = false;         // tiles are being loaded
    bool stored_global_ = false;  // in the latest chunk
};

}  // namespace

Result<BlockStream> stream_of_block(const Trace& trace, std::uint32_t block,
                                    const Generation& generation, const StreamOptions& options) {
    return StreamBuilder(trace, block, generation, options).build();
}

}  // namespace tilereel
