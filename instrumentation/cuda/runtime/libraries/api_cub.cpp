// What the device-wide functions of CUB need of the runtime. The functions themselves are in
// include/cub/device and run on the host.
#include <cstdint>
#include <string>

#include "cub/detail/host_ranges.h"
#include "instrumentation/cuda/runtime/api/streams.h"
#include "instrumentation/cuda/runtime/libraries/note_host_call.h"
#include "instrumentation/cuda/runtime/outside_text.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/simulated_memory.h"
#include "instrumentation/trace/recorded_finding.h"

namespace tilereel::runtime {
namespace {

// What is wrong with an array that is passed to the function; or nothing.
std::string fault_of(const tilereel_cub_range& range) {
    if (range.bytes == 0) return "";
    const auto address = reinterpret_cast<std::uint64_t>(range.begin);
    const MemoryArray* const array = DeviceMemory::instance().find(address);
    if (array == nullptr) return " is called with a pointer that is not device memory.";
    return address - array->base + range.bytes <= array->bytes
               ? ""
               : " is called with an array that extends " +
                     distance_text(*array, address + range.bytes - 1) + " its allocation.";
}

}  // namespace

}  // namespace tilereel::runtime

using namespace tilereel::runtime;

extern "C" {

cudaError_t tilereel_cub_begin(const char* name, const tilereel_cub_range* ranges,
                               std::size_t count) {
    const HostCall call;
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (captures_running != 0) {
        send_finding(tilereel::RecordedFindingKind::kUnsupported,
                     std::string(name) +
                         " is called while a stream is captured; Tilereel has no graphs with "
                         "calls of CUB.",
                     "Call it without the graph.");
        return cudaErrorStreamCaptureUnsupported;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const std::string fault = fault_of(ranges[i]);
        if (fault.empty()) continue;
        send_finding(tilereel::RecordedFindingKind::kHostAccess, name + fault,
                     "Pass pointers from cudaMalloc, and the number of their elements.");
        set_sticky_error(cudaErrorIllegalAddress);
        return sticky_error();
    }
    note_host_call(name);
    DeviceMemory::instance().open(MemoryUse::kKernel);
    return cudaSuccess;
}

void tilereel_cub_end() {
    const HostCall call;
    DeviceMemory::instance().close();
}
}
