#include "instrumentation/analysis/time/joined_loads.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

constexpr std::uint32_t kJoinedWordBytes = 4;
constexpr std::uint8_t kMostJoined = 4;
// Runs at a time: their words have to fit into the registers of a thread.
constexpr std::size_t kMostRuns = 32;

// The words to which a load of this record may be joined: 1, 2 or 4, by its lanes' alignment.
std::uint8_t words_by_alignment(const Trace& trace, std::uint64_t record) {
    const LaneOffsets lanes = lane_offsets(trace, record);
    std::uint32_t bits = 0;
    for (const std::uint32_t lane : lanes_in(lanes.mask)) bits |= lanes.bytes[lane];
    return bits % (4 * kJoinedWordBytes) == 0 ? 4 : bits % (2 * kJoinedWordBytes) == 0 ? 2 : 1;
}

// Loads of one place and pattern that follow one another in memory.
struct Run {
    std::size_t first = 0;  // position
    std::uint8_t words = 1, most = 1;
    std::vector<std::size_t> joined{};  // positions behind the first
};

void close(const Run& run, std::vector<std::uint8_t>& words) {
    // Three neighbours become a load of two and one of one.
    const std::uint8_t kept = run.words == 3 ? 2 : run.words;
    words[run.first] = kept;
    for (std::size_t i = 0; i + 1 < kept; ++i) words[run.joined[i]] = 0;
}

bool may_be_joined(const Trace& trace, const Site& site) {
    return site.operation == Operation::kLoad && site.width_bytes == kJoinedWordBytes &&
           !site.is_volatile() && site.address == AddressKind::kLinear &&
           trace.arrays[site.array].space == Space::kShared;
}

}  // namespace

JoinedWords words_allowed(const Trace& trace, SegmentRange segments) {
    JoinedWords allowed;
    for (std::size_t segment = segments.first; segment < segments.last; ++segment) {
        std::map<SiteId, std::size_t> so_far;
        for (const std::uint64_t record : records_of(trace.segments, segment)) {
            if (!may_be_joined(trace, site_at(trace, record))) continue;
            const SiteId site = site_of(trace, record);
            std::vector<std::uint8_t>& words = allowed[site];
            const std::size_t number = so_far[site]++;
            if (number >= words.size()) words.resize(number + 1, kMostJoined);
            words[number] = std::min(words[number], words_by_alignment(trace, record));
        }
    }
    return allowed;
}

std::vector<std::uint8_t> join_loads(const Trace& trace, const std::vector<std::uint64_t>& records,
                                     const JoinedWords& allowed) {
    std::vector<std::uint8_t> words(records.size(), 1);
    // By place in the source, pattern and the base that continues the run.
    std::map<std::tuple<SiteId, std::uint32_t, std::uint32_t>, Run> runs;
    std::map<SiteId, std::size_t> so_far;
    const auto close_all = [&] {
        for (const auto& [key, run] : runs) close(run, words);
        runs.clear();
    };
    for (std::size_t i = 0; i < records.size(); ++i) {
        const std::uint64_t record = records[i];
        const Site& site = site_at(trace, record);
        if (!is_access(site.operation) || trace.arrays[site.array].space != Space::kShared)
            continue;
        if (site.operation != Operation::kLoad) {
            close_all();
            continue;
        }
        if (!may_be_joined(trace, site)) continue;
        const SiteId place = site_of(trace, record);
        const std::size_t number = so_far[place]++;
        const std::uint32_t pattern = trace.records.pattern[record];
        const std::uint32_t base = trace.records.base[record];
        auto known = runs.extract({place, pattern, base});
        if (known.empty()) {
            const std::uint8_t most = allowed.at(place)[number];
            if (most == 1) continue;
            if (runs.size() >= kMostRuns) close_all();
            runs.insert_or_assign({place, pattern, base + kJoinedWordBytes},
                                  Run{.first = i, .most = most});
            continue;
        }
        Run& run = known.mapped();
        run.joined.push_back(i);
        if (++run.words == run.most) {
            close(run, words);
            continue;
        }
        std::get<2>(known.key()) = base + kJoinedWordBytes;
        if (const auto inserted = runs.insert(std::move(known)); !inserted.inserted)
            close(inserted.node.mapped(), words);
    }
    close_all();
    return words;
}

RequestCost cost_of_joined(const Trace& trace, std::uint64_t record, std::uint8_t words,
                           const Generation& generation) {
    dcheck(words <= kMostJoined);
    WarpAccess access = access_of(trace, record);
    access.width_bytes = words * kJoinedWordBytes;
    return cost_of(access, generation);
}

}  // namespace tilereel
