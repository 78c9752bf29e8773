// What a launch tells of accesses that are wrong, and of blocks that are cut short.
#include <algorithm>
#include <deque>
#include <string>

#include "instrumentation/cuda/runtime/block/out_of_bounds.h"
#include "instrumentation/cuda/runtime/block/thread_findings.h"
#include "instrumentation/cuda/runtime/grid/grid_run.h"
#include "instrumentation/cuda/runtime/outside_text.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/source_line.h"
#include "instrumentation/trace/launch_names.h"

namespace tilereel::runtime {
namespace {

// Whether only hooks can stop this access. Pages without access surround allocations of global
// memory, so code without hooks is stopped there, too.
bool is_unsafe(const FaultPlace& place) {
    return place.fault != Fault::kOutOfBounds || place.array == nullptr ||
           !is_device_only(*place.array) || place.array->variable != nullptr;
}

// The site of an access out of bounds by code without hooks. If the access has none, one is made
// from its source line. Sites live as long as the program.
const Site* site_of(const OutOfBoundsAccess& access, const MemoryArray* array) {
    if (access.site != nullptr) return access.site;
    static auto& files = *new std::deque<std::string>;
    static auto& sites = *new std::deque<Site>;
    const SourceLine place = source_line(access.code);
    Site site{};
    site.file = files.emplace_back(place.file).c_str();
    site.function = "";
    site.line = place.line;
    site.kind = access.is_store ? SiteKind::kStore : SiteKind::kLoad;
    site.width_bytes = site.align_bytes =
        array != nullptr && array->first_site != nullptr ? array->first_site->width_bytes : 4;
    return &sites.emplace_back(site);
}

}  // namespace

void GridRun::note_cut(std::uint32_t block) {
    is_cut_ = true;
    help_waiting_block(block, true);
    if (recorder_ != nullptr &&
        (options().blocks.empty() || std::ranges::binary_search(chosen_, block)))
        recorder_->add_cut_block(block), recorder_->add_stops(worker_.stops_at_cut());
}

// The launch was cut short: where the warps of the block were that ran then, if it is recorded.
void GridRun::note_stops() {
    if (recorder_ == nullptr) return;
    if (team_) return recorder_->forget_stops();
    if (!in_recorded_) return;
    if (!time_is_up())
        return recorder_->add_stops(worker_.stops(WarpStopKind::kFaulted, last_reported_line()));
    const LatePlace place = late_place(worker_.site_reached());
    recorder_->add_stops(
        worker_.stops(place.in_loop ? WarpStopKind::kInLoop : WarpStopKind::kOnLine, place.line));
}

void GridRun::note_fault(const FaultPlace& place) {
    unsafe_ = unsafe_ || is_unsafe(place);
    if (recorder_ == nullptr) return send_fault(place);
    recorder_->add_fault(place);
    const auto same = [&](const FaultPlace& known) { return known.site == place.site; };
    if (std::ranges::none_of(faults_, same)) faults_.push_back(place);
}

// In a launch that is not recorded: a finding of the program for the first fault at each site.
void GridRun::send_fault(const FaultPlace& place) {
    const auto same = [&](const FaultPlace& known) { return known.site == place.site; };
    if (std::ranges::any_of(faults_, same)) return;
    faults_.push_back(place);
    const auto outside = [&place] {
        return place.array == nullptr ? std::string("memory outside of all arrays")
                                      : outside_text(name_of(*place.array),
                                                     {place.offset_bytes, place.site->width_bytes,
                                                      place.site->width_bytes, place.array->bytes});
    };
    const std::string where = place.fault == Fault::kNullPointer  ? "a null pointer"
                              : place.fault == Fault::kMisaligned ? "a misaligned address"
                              : place.fault == Fault::kHostMemory ? "memory that is not the GPU's"
                              : place.fault == Fault::kFreed      ? "memory after cudaFree"
                              : place.fault == Fault::kConstantStore ? "constant memory"
                                                                     : outside();
    const std::string name = block_name({facts_.grid.x, facts_.grid.y, facts_.grid.z}, place.block);
    send_finding(place.fault == Fault::kMisaligned   ? RecordedFindingKind::kMisaligned
                 : place.fault == Fault::kHostMemory ? RecordedFindingKind::kHostAccess
                                                     : RecordedFindingKind::kOutOfBounds,
                 "A thread of block " + name + " of launch " + std::to_string(facts_.number) +
                     (place.site->kind == SiteKind::kLoad ? " reads " : " writes ") + where +
                     ", on line " + std::to_string(place.site->line) + ".",
                 "Record this launch with --launch to see more.", place.site->file,
                 place.site->line);
}

void GridRun::report_out_of_bounds() {
    for (const OutOfBoundsAccess& access : take_out_of_bounds()) {
        MemoryArray* const array = DeviceMemory::instance().nearest(access.address);
        const Site* site = site_of(access, array);
        if (recorder_ == nullptr) {
            send_finding(
                RecordedFindingKind::kOutOfBounds,
                "A thread of block " +
                    block_name({facts_.grid.x, facts_.grid.y, facts_.grid.z}, access.block) +
                    " of launch " + std::to_string(facts_.number) +
                    (access.is_store ? " writes " : " reads ") +
                    (array == nullptr
                         ? "memory outside of all arrays"
                         : outside_text(name_of(*array),
                                        {static_cast<std::int64_t>(access.address - array->base),
                                         site->width_bytes, site->width_bytes, array->bytes})) +
                    ", on line " + std::to_string(site->line) + ".",
                "Check the index against the length before the access.", site->file, site->line);
            continue;
        }
        // A recorded block may have made the same access: then both count as one fault.
        for (const FaultPlace& known : faults_)
            if (known.site->line == site->line && known.site->kind == site->kind &&
                known.array == array)
                site = known.site;
        recorder_->add_fault(
            {.fault = Fault::kOutOfBounds,
             .site = site,
             .block = access.block,
             .thread = access.thread,
             .array = array,
             .offset_bytes =
                 array == nullptr ? 0 : static_cast<std::int64_t>(access.address - array->base),
             .address = access.address});
    }
}

}  // namespace tilereel::runtime
