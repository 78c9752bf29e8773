#include "app/panels/timeline/timeline_roles.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/panels/array_role.h"
#include "app/panels/measure.h"
#include "app/replay/schedule/phase_waits.h"
#include "app/replay/sentence/wording.h"
#include "app/ui/widgets/widgets.h"
#include "instrumentation/analysis/hazards/product_reads.h"

namespace tilereel {
namespace {

constexpr std::size_t kMostRoles = 4;  // with more, all consumers share a row

struct Deeds {
    bool copies = false, multiplies = false, in_group = false;
};

// What each warp of the block does, by its records.
std::map<std::uint16_t, Deeds> deeds_of(const Trace& trace, const BlockRecords& records) {
    std::map<std::uint16_t, Deeds> deeds;
    for (std::size_t segment = records.segments.first; segment < records.segments.last; ++segment) {
        Deeds& its = deeds[trace.segments.warp[segment]];
        for (const std::uint64_t record : records_of(trace.segments, segment)) {
            const Site& site = site_at(trace, record);
            its.copies |= site.operation == Operation::kStartBulkCopy && !site.is_of_other_block();
            its.multiplies |= site.operation == Operation::kMatrixProduct ||
                              site.operation == Operation::kMultiplyAdd;
            its.in_group |= is_warpgroup_product(trace, record);
        }
    }
    return deeds;
}

struct Role {
    bool producer = false;
    std::vector<std::uint16_t> warps;
};

std::vector<Role> roles_of(const std::map<std::uint16_t, Deeds>& deeds, bool by_group) {
    std::vector<Role> roles;
    std::uint16_t last = 0;
    for (const auto& [warp, its] : deeds) {
        if (its.copies == its.multiplies) continue;
        const bool other_group = by_group && its.in_group && warp % kWarpsOfGroup == 0;
        if (roles.empty() || roles.back().producer != its.copies || warp != last + 1 || other_group)
            roles.push_back({.producer = its.copies, .warps = {}});
        roles.back().warps.push_back(warp);
        last = warp;
    }
    return roles;
}

// "warps 0 to 3 wait for full[1]: warp 8 still fills it"
std::string words_of(const Role& role, const PhaseWait& wait, const std::string& barrier) {
    std::string words = warps_listed(role.warps);
    words += role.warps.size() == 1 ? " waits for " : " wait for ";
    words += barrier;
    const std::string awaited = warps_listed(wait.awaited);
    const bool one = wait.awaited.size() == 1;
    if (wait.awaited.empty()) return words + (wait.for_bytes ? ": its bytes are on their way" : "");
    if (role.producer) return words + ": " + awaited + (one ? " still reads it" : " still read it");
    if (wait.for_bytes)
        return words + ": " + awaited + (one ? " still fills it" : " still fill it");
    return words + ": " + awaited + (one ? " is still to arrive" : " are still to arrive");
}

void add_waits(const std::vector<PhaseWait>& waits,
               const std::map<std::uint32_t, std::string>& names, const Role& role,
               double pixels_per_tick, RoleTrack& track) {
    // A role waits while all of its warps do: from the last that begins to the first that goes on.
    std::map<std::uint32_t, PhaseWait> joined;  // by barrier and phase
    std::map<std::uint32_t, std::size_t> count;
    for (const PhaseWait& wait : waits) {
        if (std::ranges::find(role.warps, wait.warp) == role.warps.end()) continue;
        ++count[wait.phase.base()];
        const auto [at, is_new] = joined.try_emplace(wait.phase.base(), wait);
        if (is_new) continue;
        const Tick end = std::min(at->second.end, wait.end);
        if (wait.begin > at->second.begin) at->second = wait;
        at->second.end = end;
    }
    std::erase_if(joined, [&](const auto& each) {
        return count[each.first] < role.warps.size() || each.second.end <= each.second.begin;
    });
    for (const auto& [base, wait] : joined) {
        const auto name = names.find(wait.phase.barrier);
        const std::string barrier = name == names.end() ? "a named barrier" : name->second;
        track.waits.push_back({static_cast<float>(double(wait.begin) * pixels_per_tick),
                               static_cast<float>(double(wait.end) * pixels_per_tick), barrier,
                               words_of(role, wait, barrier)});
    }
    std::ranges::sort(track.waits, {}, &RoleWait::begin);
}

// Intervals that follow each other and have one colour are one.
void append(std::vector<TrackInterval>& intervals, const TrackInterval& next) {
    TrackInterval* const last = intervals.empty() ? nullptr : &intervals.back();
    if (last != nullptr && last->share_a == next.share_a && last->share_b == next.share_b &&
        next.begin - last->end < 1)
        last->end = next.end;
    else
        intervals.push_back(next);
}

// What a copy writes when it lands is no work of the warp that waits for it.
void add_requests(const Replay& replay, const Role& role, double pixels_per_tick,
                  RoleTrack& track) {
    const Trace& trace = replay.trace();
    const Schedule& schedule = replay.schedule();
    for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
        const Step& step = schedule.steps[i];
        const Site& site = trace.sites[step.site];
        if (site.operation == Operation::kCopyStore || site.is_of_other_block() ||
            std::ranges::find(role.warps, step.warp) == role.warps.end())
            continue;
        const ColorRole color = role_of_array(replay, site.array);
        const TrackInterval interval{static_cast<float>(double(step.begin) * pixels_per_tick),
                                     static_cast<float>(double(step.end()) * pixels_per_tick), 1,
                                     color == ColorRole::kA ? 1.0f : 0.0f,
                                     color == ColorRole::kB ? 1.0f : 0.0f};
        append(track.intervals, interval);
        if (schedule.costs[i].bank_conflicts > 0) append(track.conflicts, interval);
    }
}

}  // namespace

std::vector<RoleTrack> make_roles(const Replay& replay, float width_px) {
    const Trace& trace = replay.trace();
    const BlockRecords records = records_of_block(trace, replay.block());
    const std::map<std::uint16_t, Deeds> deeds = deeds_of(trace, records);
    std::vector<Role> roles = roles_of(deeds, true);
    if (roles.size() > kMostRoles) roles = roles_of(deeds, false);
    const auto is_producer = [](const Role& role) { return role.producer; };
    if (roles.size() > kMostRoles || std::ranges::none_of(roles, is_producer) ||
        std::ranges::all_of(roles, is_producer))
        return {};
    const std::vector<PhaseWait> waits = find_phase_waits(trace, records, replay.schedule());
    const std::map<std::uint32_t, std::string> names = names_of_mbarriers(trace, records);
    const double pixels_per_tick =
        double(width_px) / static_cast<double>(std::max<Tick>(1, replay.schedule().ticks));
    std::vector<RoleTrack> tracks;
    for (const Role& role : roles) {
        const bool one = role.warps.size() == 1;
        const std::string numbers = std::to_string(role.warps.front()) +
                                    (one ? "" : "-" + std::to_string(role.warps.back()));
        const std::string name = role.producer ? "producer" : one ? "consumer" : "consumers";
        RoleTrack track{
            .producer = role.producer,
            .names = {name + " " + numbers, (one ? "warp " : "warps ") + numbers, numbers},
            .intervals = {},
            .conflicts = {},
            .waits = {}};
        add_requests(replay, role, pixels_per_tick, track);
        add_waits(waits, names, role, pixels_per_tick, track);
        tracks.push_back(std::move(track));
    }
    return tracks;
}

const RoleWait* waiting_at(const TimelineTracks& tracks, float x_px) {
    for (const bool producers : {true, false})
        for (const RoleTrack& role : tracks.roles)
            if (role.producer == producers)
                for (const RoleWait& wait : role.waits)
                    if (x_px >= wait.begin && x_px < wait.end) return &wait;
    return nullptr;
}

void draw_role(const Look& look, const RoleTrack& role, const Rect& row, float head) {
    const Palette& colors = look.colors();
    const float thin = std::max(1.0f, std::round(row.h * 0.3f));
    for (const RoleWait& wait : role.waits) {
        const float begin = row.x + wait.begin, end = std::max(row.x + wait.end, begin + 1);
        const bool now = head >= begin && head < end;
        const float px = std::min(row.h * 0.95f, type_px(look, 12));
        const TextStyle style{Face::kRegular, px, now ? colors.on : colors.wait, Align::kCenter};
        const bool fits =
            px >= look.px(9) && text_width(wait.barrier, style) + look.snug() < end - begin;
        const Rect bar{begin, now || fits ? row.y : row.bottom() - thin, end - begin,
                       now || fits ? row.h : thin};
        fill_rect(bar, now ? colors.wait : mix(colors.panel, colors.wait, fits ? 0.22f : 0.6f),
                  look.px(2));
        if (fits) draw_text(bar.center(), wait.barrier, style);
    }
    for (const TrackInterval& interval : role.intervals) {
        const float begin = row.x + interval.begin, end = std::max(row.x + interval.end, begin + 1);
        const float toward = begin > head ? kFutureShare : head < end ? 0 : kPastShare;
        draw_list()->AddRectFilled({begin, row.y}, {end, row.bottom()},
                                   mix(color_of_interval(colors, interval), colors.panel, toward));
    }
    for (const TrackInterval& interval : role.conflicts)
        fill_rect({row.x + interval.begin, row.bottom() - thin,
                   std::max(1.0f, interval.end - interval.begin), thin},
                  colors.conflict);
}

}  // namespace tilereel
