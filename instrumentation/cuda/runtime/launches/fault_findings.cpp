#include "instrumentation/cuda/runtime/launches/fault_findings.h"

#include <algorithm>
#include <string>

#include "instrumentation/cuda/runtime/outside_text.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/trace/launch_end.h"
#include "instrumentation/trace/launch_names.h"

namespace tilereel::runtime {
namespace {

std::string place_text(const Trace& trace, std::uint32_t block, std::uint32_t thread) {
    return "Thread " + thread_name(trace.launch.block, thread) + " of block " +
           block_name(trace.launch.grid, block);
}

std::string times(std::uint64_t count) {
    return count == 1 ? "" : " (" + std::to_string(count) + " times in all)";
}

}  // namespace

void FaultFindings::add(const FaultPlace& place) {
    Known& known = known_[{place.site, place.fault}];
    if (known.count++ != 0) return;
    known.first = place;
    if (place.array == nullptr) return;
    const Variable* const variable = place.array->variable;
    known.bytes = place.array->bytes;
    if (variable != nullptr && variable->name != nullptr) known.name = variable->name;
}

FaultFindings::Known FaultFindings::as_meant(Known known, const TraceArrays& arrays) {
    FaultPlace& first = known.first;
    const bool is_outside = first.fault == Fault::kOutOfBounds ||
                            first.fault == Fault::kFarOutOfBounds ||
                            first.fault == Fault::kNoMemory;
    if (!is_outside || first.site->variable != nullptr) return known;
    const TraceArrays::PointedTo meant = arrays.array_of_parameter(*first.site);
    if (meant.array == nullptr || first.address == 0) return known;
    known.element_bytes = meant.element_bytes;
    if (meant.array == first.array) return known;
    first.array = meant.array;
    first.offset_bytes = static_cast<std::int64_t>(first.address - meant.array->base);
    if (first.fault == Fault::kNoMemory) first.fault = Fault::kFarOutOfBounds;
    known.name = first.site->name;
    known.bytes = meant.array->bytes;
    return known;
}

void FaultFindings::add_to(Trace& trace, const TraceArrays& arrays,
                           const std::function<std::uint16_t(const char*)>& file_of) const {
    for (const auto& [key, as_found] : known_) {
        const Known known = as_meant(as_found, arrays);
        const FaultPlace& first = known.first;
        const Site& site = *first.site;
        RecordedFinding finding;
        finding.array = first.array == nullptr ? kNoArray : arrays.final_number(first.array);
        const Site& told = first.call != nullptr ? *first.call : site;
        finding.line = told.line;
        finding.column = static_cast<std::uint16_t>(told.column);
        finding.file = file_of(told.file);
        finding.block = first.block;
        finding.thread = first.thread;
        finding.operation = site.kind == SiteKind::kLoad    ? Operation::kLoad
                            : site.kind == SiteKind::kStore ? Operation::kStore
                                                            : Operation::kAtomic;
        finding.width_bytes = static_cast<std::uint8_t>(site.width_bytes);
        finding.offset_bytes = first.offset_bytes;
        finding.count = known.count;
        std::string name = known.name;
        std::uint32_t element = known.element_bytes != 0 ? known.element_bytes : site.width_bytes;
        if (finding.array != kNoArray) {
            // An array "by rank" is that of the block that is meant.
            if (first.array->space != Space::kSharedCluster)
                name = trace.arrays[finding.array].name;
            element = trace.arrays[finding.array].element_bytes;
        }
        if (name.empty()) name = site.name == nullptr ? "an array" : site.name;
        const std::string who = place_text(trace, first.block, first.thread);
        const std::string does = site.kind == SiteKind::kLoad ? "reads" : "writes";
        const std::string line = " on line " + std::to_string(told.line) + times(known.count) + ".";
        const std::int64_t index = first.offset_bytes / std::max(1u, element);
        const std::string where =
            outside_text(name, {first.offset_bytes, site.width_bytes, element, known.bytes});
        switch (first.fault) {
            case Fault::kOutOfBounds:
                finding.kind = RecordedFindingKind::kOutOfBounds;
                finding.what = who + " " + does + " " + where + "," + line;
                finding.advice =
                    "Check the index against the length before the access. The access did not "
                    "take place here; on a GPU it damages or reads other data.";
                break;
            case Fault::kFarOutOfBounds:
                finding.kind = RecordedFindingKind::kOutOfBounds;
                finding.what = who + " " + does + " " + where +
                               (first.array != nullptr && first.array->space == Space::kShared
                                    ? " and beyond all shared memory of its block,"
                                    : ", where there is no memory,") +
                               line;
                finding.advice = "Check how the index is computed.";
                break;
            case Fault::kMisaligned: {
                const bool local = first.array == nullptr && first.offset_bytes == 0;
                finding.kind = RecordedFindingKind::kMisaligned;
                finding.what = who + " " + does + " " + std::to_string(site.width_bytes) +
                               " bytes of " + name +
                               (local ? ", at an address"
                                      : " at byte " + std::to_string(first.offset_bytes) + ",") +
                               (local ? " that" : " which") + " is not a multiple of " +
                               std::to_string(site.align_bytes) + "," + line;
                finding.advice = "The address of an access must be a multiple of its width.";
                break;
            }
            case Fault::kNullPointer:
                finding.kind = RecordedFindingKind::kOutOfBounds;
                finding.what =
                    who + " " + does + " through a null pointer, " + name +
                    (first.offset_bytes == 0 ? std::string()
                                             : ", at byte " + std::to_string(first.offset_bytes)) +
                    "," + line;
                finding.advice =
                    "Check that the pointer is set, and that the call of cudaMalloc that sets it "
                    "succeeds.";
                break;
            case Fault::kNoMemory:
                finding.kind = RecordedFindingKind::kOutOfBounds;
                finding.what = who + " " + does + " an address where there is no memory, through " +
                               name + "," + line;
                finding.advice = "Check how the pointer is computed, and that it was ever set.";
                break;
            case Fault::kHostMemory:
                finding.kind = RecordedFindingKind::kHostAccess;
                finding.what = who + " " + does + " memory that is not the GPU's, through " + name +
                               "," + line;
                finding.advice =
                    "Pass a pointer from cudaMalloc, and copy the data there with cudaMemcpy.";
                break;
            case Fault::kFreed:
                finding.kind = RecordedFindingKind::kOutOfBounds;
                finding.what = who + " " + does + " " + name + " after cudaFree," + line;
                finding.advice = "Free memory after the last launch that uses it.";
                break;
            case Fault::kEndedBlock:
            case Fault::kMayHaveEnded:
            case Fault::kBlockNotBegun: {
                const bool begins = first.fault == Fault::kBlockNotBegun;
                finding.kind = RecordedFindingKind::kOther;
                finding.what = who + " " + does + " " + name + "[" + std::to_string(index) +
                               "] of a block of its cluster that " +
                               (begins                              ? "may not have begun,"
                                : first.fault == Fault::kEndedBlock ? "has ended,"
                                                                    : "may have ended,") +
                               line;
                finding.advice = std::string("Let the cluster wait, with cluster.sync(), ") +
                                 (begins ? "before the first access to another block's shared "
                                           "memory."
                                         : "behind the last access to another block's shared "
                                           "memory.");
                break;
            }
            case Fault::kConstantStore:
                finding.kind = RecordedFindingKind::kOther;
                finding.what = who + " writes constant memory, " + name + "," + line;
                finding.advice = "Only the host can write constant memory: use cudaMemcpyToSymbol.";
                break;
        }
        if (const cudaError_t error = error_of(first.fault); error != cudaSuccess)
            finding.advice += " " + std::string(kLaunchEndsHere) + " with " + error_name(error) +
                              "; every later call of the runtime returns it.";
        trace.findings.push_back(finding);
    }
}

}  // namespace tilereel::runtime
