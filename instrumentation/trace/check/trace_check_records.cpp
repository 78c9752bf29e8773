// Checks segments and records. There may be millions of records, so each is checked by the
// precomputed range of its pattern.
#include <algorithm>

#include "instrumentation/trace/check/trace_check.h"
#include "instrumentation/trace/fragments/warpgroup_product.h"
#include "instrumentation/trace/fragments/warpgroup_reads.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

// The range of the lanes' offsets in a pattern, relative to its lowest active lane.
struct Reach {
    std::int64_t lowest_bytes = 0, highest_bytes = 0;
    std::uint32_t offset_bits = 0;  // all relative offsets or-ed: shows any misaligned lane
    std::uint32_t lanes = 0;
};

// Computed in 64 bits, so that nothing wraps. expand() computes the same addresses if they are in
// range.
Reach reach_of(const Pattern& pattern, const std::vector<IrregularOffsets>& irregular) {
    Reach reach;
    reach.lanes = static_cast<std::uint32_t>(std::popcount(pattern.mask));
    const auto sum = [&](unsigned lane) {
        std::int64_t bytes = 0;
        for (std::size_t bit = 0; bit < pattern.delta_bytes.size(); ++bit)
            if (lane >> bit & 1u) bytes += pattern.delta_bytes[bit];
        return bytes;
    };
    const std::int64_t lowest = sum(static_cast<unsigned>(std::countr_zero(pattern.mask)));
    for (const std::uint32_t lane : lanes_in(pattern.mask)) {
        const std::int64_t relative = pattern.irregular == Pattern::kRegular
                                          ? sum(lane) - lowest
                                          : irregular[pattern.irregular][lane];
        reach.lowest_bytes = std::min(reach.lowest_bytes, relative);
        reach.highest_bytes = std::max(reach.highest_bytes, relative);
        reach.offset_bits |= static_cast<std::uint32_t>(relative);
    }
    return reach;
}

// The rule for the records of one site.
struct SiteRule {
    Operation operation = Operation::kLoad;
    std::int64_t begin_bytes = 0, end_bytes = 0;  // of the array it accesses
    std::uint32_t width_bytes = 4;
    std::uint32_t line = 0;
    std::uint32_t words = 1;  // of one lane's value
    bool takes_from_a_lane = false;
    [[nodiscard]] bool access() const { return is_access(operation); }
};

std::vector<SiteRule> rules_of(const Trace& trace) {
    std::vector<SiteRule> rules;
    for (const Site& site : trace.sites) {
        SiteRule rule{site.operation, 0, 0, site.width_bytes, site.line, site.words()};
        rule.takes_from_a_lane =
            site.operation == Operation::kExchange && takes_from_a_lane(site.exchange());
        if (rule.access()) {
            const Array& array = trace.arrays[site.array];
            rule.begin_bytes = array.base_bytes;
            rule.end_bytes = rule.begin_bytes + static_cast<std::int64_t>(array.size_bytes());
        }
        rules.push_back(rule);
    }
    return rules;
}

class RecordChecker {
  public:
    explicit RecordChecker(const Trace& trace) : trace_(trace), rules_(rules_of(trace)) {
        reaches_.reserve(trace.patterns.size());
        for (const Pattern& pattern : trace.patterns)
            reaches_.push_back(reach_of(pattern, trace.irregular_offsets));
    }

    // Returns what is wrong with a record, or nullptr. Adds the number of its words to `values`,
    // and the lanes that it leaves at a barrier to `waiting`.
    const char* fault(std::size_t record, std::uint32_t warp_lanes, std::uint32_t& waiting,
                      std::uint64_t& values) const {
        const SiteId site = site_of(trace_, record);
        const std::uint32_t pattern_id = trace_.records.pattern[record];
        if (site >= rules_.size()) return "it has a record of a site that does not exist";
        if (pattern_id >= reaches_.size())
            return "it has a record of an address pattern that does not exist";
        const SiteRule& rule = rules_[site];
        const Reach& reach = reaches_[pattern_id];
        if ((trace_.patterns[pattern_id].mask & ~warp_lanes) != 0)
            return "it has a record of lanes that the block does not have";
        // Only barriers of other lanes follow a barrier.
        const std::uint32_t lanes = trace_.patterns[pattern_id].mask;
        if (waiting != 0 && (rule.operation != Operation::kBarrier || (lanes & waiting) != 0))
            return "it has a barrier in the middle of an epoch";
        if (rule.operation == Operation::kBarrier) waiting |= lanes;
        const std::uint32_t base = trace_.records.base[record];
        if (rule.access() && !in_array(rule, reach, base))
            return "it has an access outside its array";
        if (rule.operation == Operation::kMultiplyAdd && base >= trace_.accumulators)
            return "it has a multiply-add into an accumulator that does not exist";
        if (rule.operation == Operation::kMatrixProduct) {
            // Of a warpgroup's product two descriptors are kept, and no registers.
            const std::optional<WarpProduct> product = WarpProduct::of_code(base);
            const std::uint32_t words = product ? static_cast<std::uint32_t>(registers_of(*product))
                                                : WarpgroupOperands::kWords;
            if (flop_of_record(base) == 0 || rule.words != words)
                return "it has a matrix product that does not exist";
        }
        if (rule.takes_from_a_lane &&
            (base + reach.lowest_bytes < 0 || base + reach.highest_bytes >= kWarpSize))
            return "it has a shuffle from a lane that does not exist";
        if (facts_of(rule.operation).base == BaseMeaning::kGroups && base > kMostGroups)
            return "it has a wait for an impossible number of groups";
        if (has_values(trace_, record)) {
            if (facts_of(rule.operation).values == Values::kNever)
                return "it has values where none can be";
            values += std::uint64_t{reach.lanes} * rule.words;
        } else if (facts_of(rule.operation).values == Values::kAlways) {
            return "it lacks the values of a store";
        }
        return nullptr;
    }

    // Whether the copies among the records [begin, end) are complete. Each load is followed by its
    // store. Each store follows its load or, in a bulk copy, the copy's start or another store of
    // the same line; then it stores zeros.
    [[nodiscard]] bool copies_are_complete(std::uint64_t begin, std::uint64_t end) const {
        bool loaded = false;
        for (std::uint64_t record = begin; record < end; ++record) {
            const Operation operation = rule_of(record).operation;
            const bool stores = operation == Operation::kCopyStore;
            if (stores && !loaded && record > begin && can_store_zeros(record - 1, record))
                continue;
            if (stores != loaded || (stores && !are_one_copy(record - 1, record))) return false;
            loaded = operation == Operation::kCopyLoad;
        }
        return !loaded;
    }

  private:
    [[nodiscard]] const SiteRule& rule_of(std::uint64_t record) const {
        return rules_[site_of(trace_, record)];
    }
    [[nodiscard]] bool can_store_zeros(std::uint64_t before, std::uint64_t store) const {
        const Operation operation = rule_of(before).operation;
        return (operation == Operation::kStartBulkCopy || operation == Operation::kCopyStore) &&
               rule_of(before).line == rule_of(store).line;
    }
    [[nodiscard]] bool are_one_copy(std::uint64_t load, std::uint64_t store) const {
        return rule_of(load).line == rule_of(store).line &&
               rule_of(load).width_bytes == rule_of(store).width_bytes &&
               mask_of(load) == mask_of(store);
    }
    [[nodiscard]] std::uint32_t mask_of(std::uint64_t record) const {
        return trace_.patterns[trace_.records.pattern[record]].mask;
    }
    static bool in_array(const SiteRule& rule, const Reach& reach, std::uint32_t base) {
        return base + reach.lowest_bytes >= rule.begin_bytes &&
               base + reach.highest_bytes + rule.width_bytes <= rule.end_bytes &&
               ((base | reach.offset_bits) & (rule.width_bytes - 1)) == 0;
    }

    const Trace& trace_;
    std::vector<SiteRule> rules_;
    std::vector<Reach> reaches_;
};

bool sorted_boundaries(const std::vector<std::uint64_t>& begins, std::size_t segments,
                       std::size_t end) {
    return begins.size() == segments + 1 && begins.front() == 0 && begins.back() == end &&
           std::ranges::is_sorted(begins);
}

Status check_columns(const Trace& trace) {
    const Records& records = trace.records;
    const Segments& segments = trace.segments;
    if (records.pattern.size() != records.size() || records.base.size() != records.size() ||
        (!records.clock.empty() && records.clock.size() != records.size()))
        return failed("its columns of records are not equally long");
    if (segments.epoch.size() != segments.size() || segments.warp.size() != segments.size())
        return failed("its columns of segments are not equally long");
    if (!sorted_boundaries(segments.record_begin, segments.size(), records.size()) ||
        !sorted_boundaries(segments.value_begin, segments.size(), trace.words.size()))
        return failed("its segments do not cover its records and values in order");
    return Done{};
}

// What is wrong with the order, or nullptr. Segments are sorted by block, epoch and warp; epochs
// count from 0 without a gap.
const char* order_fault(const Trace& trace, std::size_t i) {
    const Segments& segments = trace.segments;
    if (segments.block[i] >= trace.launch.blocks()) return "it has a block outside its grid";
    if (segments.warp[i] >= trace.launch.warps()) return "it has a warp outside its block";
    constexpr const char* kDisorder = "its segments are not in order";
    const bool new_block = i == 0 || segments.block[i] != segments.block[i - 1];
    if (new_block) {
        if (i != 0 && segments.block[i] < segments.block[i - 1]) return kDisorder;
        return segments.epoch[i] == 0 ? nullptr : kDisorder;
    }
    if (segments.epoch[i] == segments.epoch[i - 1])
        return segments.warp[i] > segments.warp[i - 1] ? nullptr : kDisorder;
    return segments.epoch[i] == segments.epoch[i - 1] + 1 ? nullptr : kDisorder;
}

}  // namespace

Status check_records(const Trace& trace) {
    TRY(check_columns(trace));
    const RecordChecker checker(trace);
    const Segments& segments = trace.segments;
    const std::uint32_t threads = trace.launch.threads();
    for (std::size_t i = 0; i < segments.size(); ++i) {
        if (const char* fault = order_fault(trace, i)) return failed(fault);
        if (!is_chosen(trace, segments.block[i]))
            return failed("it has records of a block that was not to be recorded");
        const std::uint32_t left = threads - segments.warp[i] * std::uint32_t{kWarpSize};
        const std::uint32_t lanes = left >= kWarpSize ? ~0u : (1u << left) - 1;
        std::uint64_t values = 0;
        std::uint32_t waiting = 0;  // lanes at a barrier
        for (const std::uint64_t record : records_of(segments, i))
            if (const char* fault = checker.fault(record, lanes, waiting, values))
                return failed(fault);
        if (!checker.copies_are_complete(segments.record_begin[i], segments.record_begin[i + 1]))
            return failed(
                "it has half a copy: a load without its store, or a store without its load");
        if (values != segments.value_begin[i + 1] - segments.value_begin[i])
            return failed("its values do not match its records");
    }
    return Done{};
}

}  // namespace tilereel
