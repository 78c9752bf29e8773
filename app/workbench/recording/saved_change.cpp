#include "app/workbench/recording/saved_change.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/replay/sentence/wording.h"
#include "instrumentation/analysis/cost/request_cost.h"
#include "instrumentation/base/format/change_text.h"

namespace tilereel {
namespace {

using ErrorKind = std::pair<std::string, std::string>;  // what, and on which array
using ErrorCounts = std::map<ErrorKind, std::int64_t>;

ErrorCounts errors_of(const Recording& recording) {
    const Trace& trace = *recording.trace;
    const auto name = [&](ArrayId array) {
        return array < trace.arrays.size() ? trace.arrays[array].name : std::string();
    };
    ErrorCounts errors;
    for (const Finding& finding : recording.findings)
        if (finding.severity == Severity::kError)
            ++errors[{std::to_string(static_cast<int>(finding.hazard)), name(finding.array)}];
    for (const RecordedFinding& finding : trace.findings)
        if (finding.error) ++errors[{std::string(finding_name(finding.kind)), name(finding.array)}];
    return errors;
}

// The errors of `first` that `second` does not have.
std::uint64_t not_in(const ErrorCounts& first, const ErrorCounts& second) {
    std::int64_t sum = 0;
    for (const auto& [kind, count] : first) {
        const auto found = second.find(kind);
        sum += std::max<std::int64_t>(0, count - (found == second.end() ? 0 : found->second));
    }
    return static_cast<std::uint64_t>(sum);
}

struct Total {
    const char* name;
    std::uint64_t former, now;
    [[nodiscard]] double change() const { return change_factor(former, now); }
};

constexpr double kLeastChange = 1.05;
constexpr std::size_t kMostTotals = 2;  // a line, not a table: the counts are in the inspector

std::vector<Total> changed_totals(const Recording& former, const Recording& now) {
    const auto conflicts = [](const KernelCounts& c) {
        return c.shared_load.bank_conflicts + c.shared_store.bank_conflicts +
               c.shared_copy.bank_conflicts + c.shared_atomic.bank_conflicts;
    };
    const auto moved = [](const KernelCounts& c) {
        return c.global_load.transactions + c.global_store.transactions +
               c.global_atomic.transactions;
    };
    const auto requests = [](const KernelCounts& c) {
        return c.shared_load.requests + c.shared_store.requests + c.shared_copy.requests;
    };
    const KernelCounts &a = former.counts, &b = now.counts;
    std::vector<Total> totals = {
        {"bank conflicts", conflicts(a), conflicts(b)},
        {now.generation->global.units.data(), moved(a), moved(b)},
        {"shared requests", requests(a), requests(b)},
    };
    std::erase_if(totals, [](const Total& each) { return each.change() < kLeastChange; });
    std::ranges::stable_sort(totals, std::ranges::greater{}, &Total::change);
    if (totals.size() > kMostTotals) totals.resize(kMostTotals);
    return totals;
}

// The bank conflicts of a line, and how many the first of its requests would have with one more
// word in each row of the array.
struct Conflicts {
    SiteId site = 0;
    std::uint64_t all = 0;                    // of the launch
    std::uint64_t counted = 0, with_pad = 0;  // of the requests that were counted again
};

WarpAccess with_padding(WarpAccess access, const Array& array) {
    for (std::uint32_t lanes = access.lanes.mask; lanes != 0; lanes &= lanes - 1) {
        std::uint32_t& offset =
            access.lanes.bytes[static_cast<std::size_t>(std::countr_zero(lanes))];
        const std::uint32_t row =
            array.place_of((offset - array.base_bytes) / array.element_bytes).row;
        offset += 4 * row;
    }
    return access;
}

void count_with_padding(const Recording& recording, Conflicts& line) {
    constexpr std::uint32_t kMostRequests = 2048;
    constexpr std::size_t kMostRecords = 1 << 20;  // walked while a frame waits
    const Trace& trace = *recording.trace;
    const Array& array = trace.arrays[trace.sites[line.site].array];
    std::uint32_t requests = 0;
    for (std::size_t record = 0; record < std::min(trace.records.size(), kMostRecords); ++record) {
        if (site_of(trace, record) != line.site) continue;
        if (++requests > kMostRequests) return;
        const WarpAccess access = access_of(trace, record);
        line.counted += cost_of(access, *recording.generation).bank_conflicts;
        line.with_pad += cost_of(with_padding(access, array), *recording.generation).bank_conflicts;
    }
}

Sentence try_padding(const Recording& recording, SiteId site) {
    const Trace& trace = *recording.trace;
    const Site& where = trace.sites[site];
    const Array& array = trace.arrays[where.array];
    Conflicts line{.site = site, .all = recording.sites[site].counts.bank_conflicts};
    Sentence next = {
        {Tone::kPlain, "line " + std::to_string(where.line) + " has "},
        {Tone::kConflict, tilereel::counted(line.all, "bank conflict", "bank conflicts")}};
    const bool can_be_padded = array.space == Space::kShared && !array.one_extent &&
                               array.element_bytes == 4 && where.width_bytes == 4 &&
                               !is_copy(where.operation);
    if (can_be_padded) count_with_padding(recording, line);
    if (line.counted == 0 || 2 * line.with_pad > line.counted) {
        next.push_back({Tone::kPlain, ". N goes there."});
        return next;
    }
    next.push_back({Tone::kPlain, "; with one more element in each row of "});
    next.push_back({Tone::kStrong, array.name});
    next.push_back({Tone::kPlain, line.with_pad == 0
                                      ? " it would have none."
                                      : " its first " + with_commas(line.counted) + " would be " +
                                            with_commas(line.with_pad) + "."});
    return next;
}

Sentence try_coalescing(const Recording& recording, SiteId site) {
    const Trace& trace = *recording.trace;
    const AccessCounts& counts = recording.sites[site].counts;
    const auto percent = 100 * counts.bytes_used / counts.bytes_moved;
    return {{Tone::kPlain, "line " + std::to_string(trace.sites[site].line) + " uses only "},
            {Tone::kStrong, std::to_string(percent) + "%"},
            {Tone::kPlain, " of the bytes that it moves for "},
            {Tone::kStrong, trace.arrays[trace.sites[site].array].name},
            {Tone::kPlain, ": let neighbouring lanes access neighbouring elements."}};
}

Sentence look_at_errors(const Recording& recording) {
    const ErrorCounts errors = errors_of(recording);
    std::uint64_t sum = 0;
    for (const auto& [kind, count] : errors) sum += static_cast<std::uint64_t>(count);
    if (sum == 0) return {};
    return {{Tone::kConflict, tilereel::counted(sum, "error", "errors")},
            {Tone::kPlain, sum == 1 ? " is left. E goes there." : " are left. E goes there."}};
}

Sentence look_at_wrong(const Recording& recording) {
    if (recording.wrong.empty()) return {};
    return {
        {Tone::kPlain, "without a race, "},
        {Tone::kConflict, tilereel::counted(recording.wrong.size(), "element is", "elements are")},
        {Tone::kPlain, " wrong: look at the indices and at what is summed."}};
}

// Where nothing is wrong and nothing is wasted: the line that makes most requests.
Sentence look_at_most_requests(const Recording& recording) {
    const Trace& trace = *recording.trace;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> by_line;  // file, line
    std::uint64_t all = 0;
    for (const SiteCounts& each : recording.sites) {
        const Site& site = trace.sites[each.site];
        if (!is_access(site.operation)) continue;
        by_line[{site.file, site.line}] += each.counts.requests;
        all += each.counts.requests;
    }
    if (all == 0) return {};
    const auto most =
        std::ranges::max_element(by_line, {}, [](const auto& one) { return one.second; });
    if (2 * most->second <= all)
        return {{Tone::kPlain, "no line wastes bytes or waits for a bank. "},
                {Tone::kStrong, "C"},
                {Tone::kPlain, " compares it with another launch."}};
    return {{Tone::kPlain, "line " + std::to_string(most->first.second) + " makes "},
            {Tone::kStrong, with_commas(most->second) + " of " + with_commas(all) + " requests"},
            {Tone::kPlain, "; Time (5) estimates what each line costs."}};
}

}  // namespace

bool are_comparable(const Recording& former, const Recording& now) {
    const Trace &a = *former.trace, &b = *now.trace;
    const auto sizes = [](const Trace& trace) {
        std::vector<std::pair<std::string, std::uint64_t>> result;
        for (const Array& array : trace.arrays)
            if (array.space == Space::kGlobal)
                result.emplace_back(
                    array.name, std::uint64_t{array.rows} * array.columns * array.element_bytes);
        std::ranges::sort(result);
        return result;
    };
    const Launch &x = a.launch, &y = b.launch;
    return a.complete && b.complete && former.generation == now.generation &&
           a.recorded_by.recorder == b.recorded_by.recorder && x.kernel == y.kernel && x.m == y.m &&
           x.n == y.n && x.k == y.k && sizes(a) == sizes(b) &&
           // Blocks of another grid are other parts of the work, if only some were recorded.
           a.chosen_blocks == b.chosen_blocks && (a.chosen_blocks.empty() || x.grid == y.grid);
}

Sentence next_to_try(const Recording& recording) {
    if (Sentence errors = look_at_errors(recording); !errors.empty()) return errors;
    if (Sentence wrong = look_at_wrong(recording); !wrong.empty()) return wrong;
    const Trace& trace = *recording.trace;
    const SiteCounts* conflicts = nullptr;
    const SiteCounts* wasteful = nullptr;
    for (const SiteCounts& each : recording.sites) {
        const AccessCounts& counts = each.counts;
        if (!is_access(trace.sites[each.site].operation) ||
            trace.sites[each.site].array >= trace.arrays.size())
            continue;
        if (counts.bank_conflicts > 0 &&
            (conflicts == nullptr || counts.bank_conflicts > conflicts->counts.bank_conflicts))
            conflicts = &each;
        const auto wasted = [](const AccessCounts& c) { return c.bytes_moved - c.bytes_used; };
        if (2 * counts.bytes_used < counts.bytes_moved &&
            (wasteful == nullptr || wasted(counts) > wasted(wasteful->counts)))
            wasteful = &each;
    }
    if (conflicts != nullptr) return try_padding(recording, conflicts->site);
    if (wasteful != nullptr) return try_coalescing(recording, wasteful->site);
    return look_at_most_requests(recording);
}

Sentence saved_change(const Recording& former, const Recording& now) {
    if (!are_comparable(former, now)) return {};
    Sentence sentence;
    const auto add = [&](Tone tone, std::string text) {
        sentence.push_back({Tone::kPlain, sentence.empty() ? "Saved: " : ", "});
        sentence.push_back({tone, std::move(text)});
    };
    const ErrorCounts before = errors_of(former), after = errors_of(now);
    const std::uint64_t gone = not_in(before, after), come = not_in(after, before);
    if (gone > 0) add(Tone::kStrong, tilereel::counted(gone, "error", "errors") + " gone");
    if (come > 0)
        add(Tone::kConflict, with_commas(come) + (come == 1 ? " new error" : " new errors"));
    const std::size_t was = former.wrong.size(), is = now.wrong.size();
    if (was > is)
        add(Tone::kStrong, tilereel::counted(was - is, "element", "elements") + " right" +
                               (is == 0 ? "" : " now, " + with_commas(is) + " still wrong"));
    if (is > was)
        add(Tone::kConflict,
            tilereel::counted(is - was, "more element", "more elements") + " wrong");
    for (const Total& total : changed_totals(former, now))
        add(Tone::kStrong, change_text(total.name, total.former, total.now));
    if (sentence.empty()) return {};
    sentence.push_back({Tone::kPlain, "."});
    if (const Sentence next = next_to_try(now); !next.empty()) {
        sentence.push_back({Tone::kPlain, " Next: "});
        sentence.insert(sentence.end(), next.begin(), next.end());
    }
    return sentence;
}

}  // namespace tilereel
