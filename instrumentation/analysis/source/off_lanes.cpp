#include "instrumentation/analysis/source/off_lanes.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "instrumentation/base/check.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

constexpr std::uint64_t kMostSearched = 4096;  // records in each direction

std::uint32_t record_lanes(const Trace& trace, std::uint64_t record) {
    dcheck(record < trace.records.size());
    return trace.patterns[trace.records.pattern[record]].mask;
}

// Whether accesses of this site did not take place, because they are beyond their array or
// misaligned: their lanes have no record, but they do not skip the line.
bool has_refused_accesses(const Trace& trace, const Site& site) {
    return std::ranges::any_of(trace.findings, [&](const RecordedFinding& finding) {
        return (finding.kind == RecordedFindingKind::kOutOfBounds ||
                finding.kind == RecordedFindingKind::kMisaligned) &&
               finding.line == site.line && finding.file == site.file &&
               finding.operation == site.operation;
    });
}

}  // namespace

OffLaneFinder::OffLaneFinder(const Trace& trace, std::uint32_t block)
    : trace_(trace),
      block_(block),
      segments_(segments_of_block(trace, block)),
      last_(trace.launch.warps()) {
    std::vector<std::uint32_t> left(last_.size());  // lanes whose last record is not found yet
    for (std::size_t warp = 0; warp < left.size(); ++warp)
        left[warp] = lanes_of(static_cast<std::uint16_t>(warp));
    for (std::size_t segment = segments_.last; segment-- > segments_.first;) {
        const std::uint16_t warp = trace.segments.warp[segment];
        const std::uint64_t first = trace.segments.record_begin[segment];
        for (std::uint64_t record = trace.segments.record_begin[segment + 1];
             record-- > first && left[warp] != 0;) {
            const std::uint32_t found = record_lanes(trace, record) & left[warp];
            for (std::uint32_t lanes = found; lanes != 0; lanes &= lanes - 1)
                last_[warp][static_cast<std::size_t>(std::countr_zero(lanes))] = record + 1;
            left[warp] &= ~found;
        }
    }
    for (std::size_t file = 0; file <= trace.more_sources.size() && shape_.first_line == 0;
         ++file) {
        shape_file_ = static_cast<std::uint16_t>(file);
        shape_ = kernel_shape(source_text(trace, shape_file_), trace.launch.kernel);
    }
}

std::uint32_t OffLaneFinder::lanes_of(std::uint16_t warp) const {
    const std::uint32_t first = std::uint32_t{warp} * kWarpSize;
    const std::uint32_t threads = trace_.launch.threads();
    if (threads <= first) return 0;
    return threads - first >= kWarpSize ? ~0u : ~(~0u << (threads - first));
}

OffLanes OffLaneFinder::find(std::size_t segment, std::uint64_t record) const {
    dcheck(record < trace_.records.size());
    dcheck(segment < trace_.segments.size());
    OffLanes result;
    const Site& site = site_at(trace_, record);
    const std::uint16_t warp = trace_.segments.warp[segment];
    Request request{.segment = segment, .record = record, .on = record_lanes(trace_, record)};
    request.off = lanes_of(warp) & ~request.on;
    if (request.off == 0 || is_of_tma(trace_, site)) return result;
    const Meetings met = meetings(request);
    result.apart = met.apart;
    std::uint32_t left = request.off & ~met.apart, ended = 0;
    for (const std::uint32_t lane : lanes_in(left)) {
        if (last_[warp][lane] <= record) ended |= 1u << lane;
    }
    divide_ended(request, ended, result);
    left &= ~(result.returned | result.unknown | met.unknown);
    result.out_of_loop = out_of_loop(request, left, met);
    result.skip = left & ~result.out_of_loop;
    if (has_refused_accesses(trace_, site)) result.unknown |= std::exchange(result.skip, 0);
    return result;
}

OffLaneFinder::Meetings OffLaneFinder::meetings(const Request& request) const {
    Meetings found;
    search(request, false, found);
    search(request, true, found);
    return found;
}

void OffLaneFinder::search(const Request& request, bool forward, Meetings& found) const {
    const Site& site = site_at(trace_, request.record);
    const std::uint16_t warp = trace_.segments.warp[request.segment];
    const std::uint64_t first = trace_.segments.record_begin[request.segment];
    const std::uint64_t last = trace_.segments.record_begin[request.segment + 1];
    std::uint32_t apart = request.off;
    for (const std::uint32_t lane : lanes_in(forward ? apart : 0)) {
        if (last_[warp][lane] <= request.record) apart &= ~(1u << lane);
    }
    for (std::uint64_t searched = 1; apart != 0; ++searched) {
        if (forward ? request.record + searched >= last : request.record < first + searched) break;
        if (searched > kMostSearched) {
            found.unknown |= apart;
            break;
        }
        const std::uint64_t at = forward ? request.record + searched : request.record - searched;
        const std::uint32_t mask = record_lanes(trace_, at), here = mask & apart;
        if (here == 0) continue;
        if ((mask & request.on) == 0) {
            const Site& other = site_at(trace_, at);
            if (other.line == site.line && other.file == site.file &&
                other.operation == site.operation)
                found.apart |= here;
            continue;
        }
        for (std::uint32_t lanes = forward ? here : 0; lanes != 0; lanes &= lanes - 1)
            found.next[static_cast<std::size_t>(std::countr_zero(lanes))] = at;
        apart &= ~here;
    }
}

// A lane that made this request before and meets the others only where it has not been since: it
// was in the loop with them. In a branch inside of a loop it meets them in each trip.
std::uint32_t OffLaneFinder::out_of_loop(const Request& request, std::uint32_t lanes,
                                         const Meetings& met) const {
    const SiteId site = site_of(trace_, request.record);
    const std::uint64_t first = trace_.segments.record_begin[request.segment];
    std::uint32_t result = 0;
    for (std::uint64_t at = request.record;
         at-- > first && lanes != 0 && request.record - at <= kMostSearched;) {
        const SiteId here = site_of(trace_, at);
        const std::uint32_t mask = record_lanes(trace_, at) & lanes;
        if (here == site) {
            result |= mask;
            lanes &= ~mask;
            continue;
        }
        for (const std::uint32_t lane : lanes_in(mask)) {
            if (met.next[lane] != 0 && site_of(trace_, met.next[lane]) == here)
                lanes &= ~(1u << lane);
        }
    }
    return result;
}

std::optional<std::uint64_t> OffLaneFinder::last_at_top(const Request& request) const {
    std::uint64_t searched = 0;
    const std::uint16_t warp = trace_.segments.warp[request.segment];
    for (std::size_t segment = request.segment + 1; segment-- > segments_.first;) {
        if (trace_.segments.warp[segment] != warp) continue;
        std::uint64_t at = segment == request.segment ? request.record + 1
                                                      : trace_.segments.record_begin[segment + 1];
        while (at-- > trace_.segments.record_begin[segment]) {
            if (++searched > kMostSearched) return std::nullopt;
            const Site& site = site_at(trace_, at);
            if (site.file == shape_file_ && shape_.is_at_top(site.line)) return at;
        }
    }
    return std::nullopt;
}

void OffLaneFinder::divide_ended(const Request& request, std::uint32_t lanes,
                                 OffLanes& result) const {
    if (lanes == 0) return;
    if (!trace_.complete || shape_.first_line == 0) {
        result.unknown |= lanes;
        return;
    }
    if (shape_.returns.empty()) return;
    const Site& site = site_at(trace_, request.record);
    const bool in_kernel = site.file == shape_file_ && shape_.has(site.line);
    const auto divide = [&](std::uint32_t some, std::uint32_t passed_line) {
        if (in_kernel && !shape_.returns_between(passed_line, site.line + 1)) return;
        (in_kernel && !shape_.is_in_branch(site.line) ? result.returned : result.unknown) |= some;
    };
    const std::optional<std::uint64_t> top = last_at_top(request);
    if (!top) return divide(lanes, shape_.first_line);
    const std::uint32_t line = site_at(trace_, *top).line;
    const std::uint32_t passed = lanes & record_lanes(trace_, *top);
    divide(passed, line);
    if (shape_.returns_between(shape_.first_line, line + 1))
        result.returned |= lanes & ~passed;
    else
        divide(lanes & ~passed, shape_.first_line);
}

}  // namespace tilereel
