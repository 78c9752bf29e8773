#pragma once
// What all CPU threads that record a launch share: the numbers of its arrays, files, locals and
// sums, and what the kernel was called with. They come in the order in which they are first met.
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "instrumentation/plain/runtime/launch.h"
#include "instrumentation/plain/runtime/trace_arrays.h"
#include "instrumentation/trace/trace.h"

namespace tilereel::plain {

class LaunchTables {
  public:
    explicit LaunchTables(const LaunchFacts& facts);

    // What a site of the plugin's is in the trace. Of an access `array`, else null; `width_bytes`
    // of one piece. The array's and the local's numbers are those until finish().
    [[nodiscard]] tilereel::Site site_of(const Site& site, const MemoryArray* array,
                                         std::uint32_t width_bytes);
    // Of a call of the runtime.
    [[nodiscard]] tilereel::Site site_of_call(const Site& site, MeetingKind meeting);
    // The number of a sum: an element of a local.
    [[nodiscard]] std::uint32_t sum_of(LocalId local, std::uint32_t element);
    // The number of a barrier in shared memory, by its place there.
    [[nodiscard]] std::uint32_t barrier_of(std::uint32_t place);
    // A parameter of the kernel; the first thread that tells its value counts.
    void add_parameter(const Site& site, std::uint64_t value);
    [[nodiscard]] std::uint16_t file_of(const char* path);

    // Into a trace with all its records: arrays, locals, parameters, sources; and numbers in their
    // final order. `reads_sources`: false leaves their text out.
    void finish(const Worker& worker, bool reads_sources, Trace& trace);
    [[nodiscard]] const TraceArrays& arrays() const { return arrays_; }

  private:
    [[nodiscard]] std::uint16_t known_file(const char* path);
    [[nodiscard]] LocalId local_of(const Site& site);

    std::mutex mutex_;
    TraceArrays arrays_;
    std::vector<std::string> files_;
    std::vector<Local> locals_;
    std::map<std::pair<std::string, std::string>, LocalId> local_numbers_;  // by name and function
    std::map<std::pair<LocalId, std::uint32_t>, std::uint32_t> sums_;
    std::map<std::uint32_t, std::uint32_t> barriers_;  // numbers, by place in shared memory
    std::map<const Site*, bool> seen_parameters_;
    std::vector<NamedInteger> integers_;
    std::vector<NamedNumber> numbers_;
};

}  // namespace tilereel::plain
