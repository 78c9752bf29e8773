#include "instrumentation/analysis/time/machine_stream.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "instrumentation/analysis/time/counting_atomics.h"
#include "instrumentation/analysis/time/joined_loads.h"
#include "instrumentation/analysis/time/timed_requests.h"

namespace tilereel {
namespace {

// Clocks until the result of an instruction that sets a scoreboard and is no memory request.
// Estimates, of which no source was found for Hopper.
constexpr std::uint8_t kXuClocks = 22, kOtherClocks = 14, kSpecialClocks = 26, kFp64Clocks = 16;
constexpr std::uint64_t kMostInstructions = 12'000'000;  // of a block
constexpr std::size_t kLookAhead = 256;                  // records in which words are joined

std::string file_name(std::string_view path) {
    return std::string(path.substr(path.rfind('/') + 1));
}

AccessClass class_of(const Trace& trace, const Site& site) {
    using enum Operation;
    if (site.operation == kBarrier) return AccessClass::kBarrier;
    if (site.operation == kCopyLoad) return AccessClass::kCopy;
    if (site.operation != kLoad && site.operation != kStore && site.operation != kAtomic &&
        site.operation != kMatrixLoad)
        return AccessClass::kNone;
    const Space space = trace.arrays[site.array].space;
    if (space != Space::kGlobal && space != Space::kShared) return AccessClass::kNone;
    const bool shared = space == Space::kShared;
    if (site.operation == kStore)
        return shared ? AccessClass::kSharedStore : AccessClass::kGlobalStore;
    if (site.operation == kAtomic)
        return shared ? AccessClass::kSharedAtomic : AccessClass::kGlobalAtomic;
    return shared ? AccessClass::kSharedLoad : AccessClass::kGlobalLoad;
}

// The records of one place of a warp, oldest first.
struct PlaceQueue {
    std::vector<std::uint64_t> records;
    std::vector<bool> taken, repeated;
    std::set<SiteId> in_rows{};  // whose words are neighbours, so that they may be joined
    std::size_t next = 0;
    double part = 0;  // of the record at `next`: already accessed
};

class MachineStreamBuilder {
  public:
    MachineStreamBuilder(const Trace& trace, std::uint32_t block, const Generation& generation,
                         WhatIf what_if, const MachineKernel& kernel)
        : trace_(trace),
          generation_(generation),
          kernel_(kernel),
          graph_(graph_of(kernel)),
          range_(segments_of_block(trace, block)),
          counting_(counting_sites(trace, block)),
          requests_(trace, generation, what_if == WhatIf::kNoConflicts,
                    what_if == WhatIf::kCoalesced) {}

    Result<MachineStream> build() {
        find_places();
        std::vector<std::vector<std::uint64_t>> records(trace_.launch.warps());
        for (std::size_t segment = range_.first; segment < range_.last; ++segment)
            for (const std::uint64_t record : records_of(trace_.segments, segment))
                records[trace_.segments.warp[segment]].push_back(record);
        made_.stream.warps.resize(records.size());
        for (warp_ = 0; warp_ < records.size(); ++warp_) TRY(add_warp(records[warp_]));
        made_.explained = recorded_bytes_ == 0 ? 1 : explained_bytes_ / recorded_bytes_;
        return std::move(made_);
    }

  private:
    // Lines of the machine code whose accesses the recording has on another line of the same
    // statement count as the nearest one.
    void find_places() {
        std::set<AccessPlace> recorded;
        for (const Site& site : trace_.sites)
            if (const AccessClass access = class_of(trace_, site); access != AccessClass::kNone)
                recorded.insert({site.file, site.line, access});
        std::vector<std::optional<std::uint16_t>> files;
        for (const std::string& path : kernel_.files) {
            std::optional<std::uint16_t>& found = files.emplace_back();
            for (std::size_t file = 0; file <= trace_.more_sources.size(); ++file) {
                const auto number = static_cast<std::uint16_t>(file);
                if (!path.empty() && file_name(path) == file_name(source_name(trace_, number)))
                    found = number;
            }
        }
        // What is inlined from other files counts as the line before it.
        std::set<AccessPlace> compiled;
        AccessPlace before{};
        for (const MachineInstruction& each : kernel_.instructions) {
            if (each.file < files.size() && files[each.file])
                before = {.file = *files[each.file], .line = each.line};
            AccessPlace place{before.file, before.line, tilereel::class_of(each.kind)};
            lines_.emplace_back(place.file, place.line);
            if (place.access != AccessClass::kNone) place = nearest(recorded, place);
            if (place.line == 0) place.access = AccessClass::kNone;
            if (place.access != AccessClass::kNone) compiled.insert(place);
            places_.push_back(place);
        }
        for (const Site& site : trace_.sites) {
            AccessPlace place{site.file, site.line, class_of(trace_, site)};
            if (place.access != AccessClass::kNone) place = nearest(compiled, place);
            place_of_site_.push_back(place);
        }
        for (SiteId site = 0; site < trace_.sites.size(); ++site)
            site_of_line_.try_emplace({trace_.sites[site].file, trace_.sites[site].line}, site);
        for (const auto& line : lines_) {
            const auto known = site_of_line_.find(line);
            const SiteId before_it = sites_.empty() ? SiteId{0} : sites_.back();
            sites_.push_back(known == site_of_line_.end() ? before_it : known->second);
        }
    }
    static AccessPlace nearest(const std::set<AccessPlace>& places, const AccessPlace& wanted) {
        AccessPlace best{wanted.file, 0, wanted.access};
        std::uint32_t distance = 0xffffffff;
        for (const AccessPlace& place : places) {
            if (place.access != wanted.access || place.file != wanted.file) continue;
            const std::uint32_t lines =
                std::max(place.line, wanted.line) - std::min(place.line, wanted.line);
            if (lines < distance) best = place, distance = lines;
        }
        return best;
    }

    Status add_warp(const std::vector<std::uint64_t>& records) {
        queues_.clear();
        waits_.clear();
        std::vector<std::uint32_t> counts(trace_.sites.size());
        for (const std::uint64_t record : records) {
            const SiteId site = site_of(trace_, record);
            ++counts[site];
            const AccessPlace& place = place_of_site_[site];
            if (place.access != AccessClass::kNone) queues_[place].records.push_back(record);
            if (trace_.sites[site].operation == Operation::kWaitCopies)
                waits_.push_back(trace_.records.base[record]);
        }
        for (auto& [place, queue] : queues_) prepare(queue);
        const auto [known, is_new] = executions_.try_emplace(counts);
        if (is_new) known->second = executions_of(kernel_, graph_, places_, recorded(counts));
        if (known->second.empty()) return failed("how often its parts run does not follow");
        runs_ = &known->second;
        credit_.assign(graph_.blocks.size(), 0);
        loop_credit_.assign(graph_.loops.size(), 0);
        add_blocks(0, static_cast<std::uint32_t>(graph_.blocks.size()), 0, 1);
        for (const auto& [place, queue] : queues_)
            for (std::size_t i = 0; i < queue.records.size(); ++i) {
                if (queue.repeated[i]) continue;
                recorded_bytes_ += bytes_of(queue.records[i]);
                if (queue.taken[i]) explained_bytes_ += bytes_of(queue.records[i]);
            }
        if (made_.stream.instructions > kMostInstructions) return failed("its blocks are too long");
        return Done{};
    }
    // A load of what was loaded there before may be left out by a compiler.
    void prepare(PlaceQueue& queue) const {
        const std::size_t count = queue.records.size();
        queue.taken.resize(count);
        queue.repeated.resize(count);
        std::set<std::tuple<ArrayId, std::uint32_t, std::uint32_t>> loaded;
        std::map<std::tuple<SiteId, std::uint32_t, std::uint32_t>, std::size_t> at;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t record = queue.records[i];
            const Site& site = site_at(trace_, record);
            const std::uint32_t pattern = trace_.records.pattern[record];
            const std::uint32_t base = trace_.records.base[record];
            if (site.operation == Operation::kLoad)
                queue.repeated[i] = !loaded.insert({site.array, pattern, base}).second;
            const SiteId id = site_of(trace_, record);
            if (const auto known = at.find({id, pattern, base - site.width_bytes});
                known != at.end() && i - known->second < kLookAhead)
                queue.in_rows.insert(id);
            at[{id, pattern, base}] = i;
        }
    }
    [[nodiscard]] double bytes_of(std::uint64_t record) const {
        const Site& site = site_at(trace_, record);
        return site.operation == Operation::kBarrier ? 1 : site.width_bytes;
    }

    [[nodiscard]] std::map<AccessPlace, RecordedAccesses> recorded(
        const std::vector<std::uint32_t>& counts) const {
        std::map<AccessPlace, RecordedAccesses> found;
        std::map<AccessPlace, double> bytes;
        for (std::size_t site = 0; site < counts.size(); ++site) {
            const AccessPlace& place = place_of_site_[site];
            if (place.access == AccessClass::kNone || counts[site] == 0) continue;
            const double width =
                place.access == AccessClass::kBarrier ? 1 : trace_.sites[site].width_bytes;
            found[place].trips = std::max<double>(found[place].trips, counts[site]);
            bytes[place] += width * counts[site];
        }
        for (auto& [place, accesses] : found) accesses.bytes = bytes[place] / accesses.trips;
        return found;
    }

    // The loop that begins at the block, of those from `loop` on.
    [[nodiscard]] std::size_t loop_at(std::uint32_t block, std::size_t loop) const {
        while (loop < graph_.loops.size() && graph_.loops[loop].first != block) ++loop;
        return loop;
    }
    // Runs the blocks [first, end) once of `times` that the warp runs them.
    void add_blocks(std::uint32_t first, std::uint32_t end, std::size_t loops, double times) {
        for (std::uint32_t block = first; block < end; ++block) {
            const std::size_t loop = loop_at(block, loops);
            if (loop < graph_.loops.size() && graph_.loops[loop].last < end) {
                const std::uint32_t last = graph_.loops[loop].last;
                const double all = (*runs_)[block];
                loop_credit_[loop] += all / times;
                for (; loop_credit_[loop] >= 0.5; loop_credit_[loop] -= 1)
                    add_blocks(block, last + 1, loop + 1, std::max(all, 1.0));
                block = last;
                continue;
            }
            credit_[block] += (*runs_)[block] / times;
            for (; credit_[block] >= 0.5; credit_[block] -= 1) add_block(graph_.blocks[block]);
        }
    }
    void add_block(const MachineBlock& block) {
        if (made_.stream.instructions > kMostInstructions) return;
        for (std::uint32_t i = block.first; i < block.end; ++i) add_instruction(i);
    }

    void add_instruction(std::uint32_t number) {
        const MachineInstruction& each = kernel_.instructions[number];
        TimedOp op{.kind = TimedKind::kIssueOnly,
                   .spacing = std::max<std::uint8_t>(each.stall, 1),
                   .site = sites_[number],
                   .compiled = true,
                   .waits = each.waits,
                   .writes = each.writes,
                   .reads = each.reads,
                   .latency = kOtherClocks};
        using enum MachineKind;
        switch (each.kind) {
            case kFma:
                op.kind = TimedKind::kMultiplyAdd;
                break;
            case kIntegerProduct:
                op.kind = TimedKind::kIntegerProduct;
                break;
            case kAlu:
                op.kind = TimedKind::kInteger;
                break;
            case kXu:
                op.kind = TimedKind::kXu;
                op.latency = kXuClocks;
                break;
            case kFp64:
                op.kind = TimedKind::kFp64;
                op.latency = kFp64Clocks;
                break;
            case kSpecial:
            case kConstant:
                op.latency = kSpecialClocks;
                break;
            case kExchange:
            case kLocal:
                op.kind = TimedKind::kSharedLoad;
                op.passes = 1;
                break;
            case kCommitCopies:
                op.kind = TimedKind::kCommit;
                break;
            case kWaitCopies:
                if (waits_.empty()) break;
                op.kind = TimedKind::kWaitCopies;
                op.repeat = waits_.front();
                waits_.erase(waits_.begin());
                break;
            case kBarrier:
                op.kind = TimedKind::kBarrier;
                take(number, 1);
                break;
            default:
                if (places_[number].access != AccessClass::kNone) add_access(number, op);
        }
        made_.stream.warps[warp_].push_back(op);
        made_.stream.instructions += op.kind == TimedKind::kWaitCopies ? 1 : op.repeat;
    }

    // A joined access begins with a word that has neighbours, a single one rather with another.
    [[nodiscard]] std::size_t first_of(const PlaceQueue& queue, double bytes) const {
        const std::size_t end = std::min(queue.records.size(), queue.next + kLookAhead);
        if (queue.in_rows.empty() || queue.part != 0) return queue.next;
        for (std::size_t i = queue.next; i < end; ++i) {
            const bool is_joined = bytes > bytes_of(queue.records[i]);
            if (!queue.taken[i] &&
                queue.in_rows.contains(site_of(trace_, queue.records[i])) == is_joined)
                return i;
        }
        return queue.next;
    }
    // The next records of the place that an access of these bytes has; the first one leads.
    std::vector<std::uint64_t> take(std::uint32_t number, double bytes) {
        const auto found = queues_.find(places_[number]);
        if (found == queues_.end()) return {};
        PlaceQueue& queue = found->second;
        while (queue.next < queue.records.size() && queue.taken[queue.next] && queue.part == 0)
            ++queue.next;
        if (queue.next >= queue.records.size()) return {};
        const std::size_t first = first_of(queue, bytes);
        std::vector<std::uint64_t> taken = {queue.records[first]};
        queue.taken[first] = true;
        const double width = bytes_of(taken[0]);
        if (bytes < width) {  // one of several accesses of the record
            queue.part += bytes / width;
            if (queue.part >= 1) queue.part = 0;
            return taken;
        }
        const auto words = static_cast<std::size_t>(bytes / width);
        const auto is_next = [&](std::uint64_t record) {
            return site_of(trace_, record) == site_of(trace_, taken[0]) &&
                   trace_.records.pattern[record] == trace_.records.pattern[taken[0]] &&
                   trace_.records.base[record] ==
                       trace_.records.base[taken[0]] + static_cast<double>(taken.size()) * width;
        };
        const std::size_t end = std::min(queue.records.size(), first + kLookAhead);
        for (std::size_t i = first + 1; i < end && taken.size() < words; ++i) {
            if (queue.taken[i] || !is_next(queue.records[i])) continue;
            queue.taken[i] = true;
            taken.push_back(queue.records[i]);
        }
        return taken;
    }

    void add_access(std::uint32_t number, TimedOp& op) {
        const MachineInstruction& each = kernel_.instructions[number];
        const std::vector<std::uint64_t> records = take(number, each.width_bytes);
        if (records.empty()) return;
        op.site = site_of(trace_, records[0]);
        op.words = static_cast<std::uint8_t>(std::max(1, each.width_bytes / 4));
        const RequestCost cost = records.size() == 1 || each.width_bytes > 16
                                     ? requests_(records[0])
                                     : cost_of_width(records[0], each.width_bytes);
        const AccessClass access = places_[number].access;
        switch (access) {
            case AccessClass::kSharedLoad:
            case AccessClass::kSharedStore:
            case AccessClass::kSharedAtomic: {
                op.kind = access == AccessClass::kSharedLoad ? TimedKind::kSharedLoad
                                                             : TimedKind::kSharedStore;
                const bool counts = counting_[op.site];
                op.passes = TimedRequests::passes(requests_.wavefronts_of(cost) +
                                                  (counts ? 0 : cost.collisions));
                return;
            }
            case AccessClass::kCopy: {
                op.kind = TimedKind::kCopy;
                const std::uint64_t store = other_side_of(trace_, records[0]);
                op.passes = TimedRequests::passes(
                    std::max(requests_.lines_of(cost), requests_.wavefronts_of(requests_(store))));
                break;
            }
            default:
                op.kind = access == AccessClass::kGlobalLoad ? TimedKind::kGlobalLoad
                                                             : TimedKind::kGlobalStore;
                op.passes = TimedRequests::passes(requests_.lines_of(cost) + cost.collisions);
        }
        for (const std::uint64_t record : records) requests_.add_sectors(record, op, made_.stream);
    }
    [[nodiscard]] RequestCost cost_of_width(std::uint64_t record, std::uint8_t bytes) {
        const std::tuple key{site_of(trace_, record), trace_.records.pattern[record],
                             trace_.records.base[record] % kCacheLineBytes, bytes};
        const auto [known, is_new] = wide_.try_emplace(key);
        if (is_new) {
            WarpAccess access = access_of(trace_, record);
            access.width_bytes = bytes;
            known->second = cost_of(access, generation_);
        }
        return known->second;
    }

    const Trace& trace_;
    const Generation& generation_;
    const MachineKernel& kernel_;
    const MachineGraph graph_;
    const SegmentRange range_;
    const std::vector<bool> counting_;
    TimedRequests requests_;
    MachineStream made_;
    PlaceOfInstruction places_;
    std::vector<std::pair<std::uint16_t, std::uint32_t>> lines_;  // by instruction
    std::vector<SiteId> sites_;                                   // by instruction
    std::vector<AccessPlace> place_of_site_;                      // by site
    std::map<std::pair<std::uint16_t, std::uint32_t>, SiteId> site_of_line_;
    std::map<std::vector<std::uint32_t>, std::vector<double>> executions_;  // by records of sites
    std::map<std::tuple<SiteId, std::uint32_t, std::uint32_t, std::uint8_t>, RequestCost> wide_;
    double recorded_bytes_ = 0, explained_bytes_ = 0;
    // Of the warp:
    std::size_t warp_ = 0;
    std::map<AccessPlace, PlaceQueue> queues_;
    std::vector<std::uint32_t> waits_;
    const std::vector<double>* runs_ = nullptr;  // by block of the machine code
    std::vector<double> credit_, loop_credit_;
};

}  // namespace

Result<MachineStream> machine_stream_of_block(const Trace& trace, std::uint32_t block,
                                              const Generation& generation, WhatIf what_if,
                                              const MachineKernel& kernel) {
    return MachineStreamBuilder(trace, block, generation, what_if, kernel).build();
}

}  // namespace tilereel
