#pragma once
// Shared by all CPU threads that record a launch: the numbers of its arrays, files, locals and
// sums, assigned in the order of their first use, and the kernel's arguments.
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "instrumentation/cuda/runtime/launch_facts.h"
#include "instrumentation/cuda/runtime/launches/trace_arrays.h"
#include "instrumentation/cuda/runtime/warp/warp_collectives.h"
#include "instrumentation/record/number_in_order.h"
#include "instrumentation/trace/trace.h"

namespace tilereel::runtime {

class LaunchTables {
  public:
    explicit LaunchTables(const LaunchFacts& facts);

    // The trace's site for a site of the plugin. `array`: null unless it is an access;
    // `width_bytes`: of one piece. The array's number is preliminary until finish().
    [[nodiscard]] tilereel::Site site_of(const Site& site, const MemoryArray* array,
                                         std::uint32_t width_bytes);
    // The same for a call of the runtime.
    [[nodiscard]] tilereel::Site site_of_call(const Site& site, CollectiveKind collective);
    // The number of a sum: an element of a local.
    [[nodiscard]] std::uint32_t number_of_sum(LocalId local, std::uint32_t element);
    // The number of an mbarrier, by its offset in shared memory.
    [[nodiscard]] std::uint32_t number_of_barrier(std::uint32_t place);
    // Adds a parameter of the kernel. Only the first call for a parameter has an effect.
    void add_parameter(const Site& site, std::uint64_t value);
    // The number of a source file in the trace.
    [[nodiscard]] std::uint16_t number_of_file(const char* path);

    // Adds arrays, locals, parameters and sources to a trace, and replaces the preliminary numbers
    // of arrays. `reads_sources`: false leaves the text of the sources out.
    void finish(bool reads_sources, Trace& trace);
    // The final number of each sum and mbarrier, for number_in_order() of record/number_in_order.h.
    [[nodiscard]] std::vector<std::uint32_t> ranks_of_sums() const { return ranks_of(sums_); }
    [[nodiscard]] std::vector<std::uint32_t> ranks_of_barriers() const {
        return ranks_of(barriers_);
    }
    [[nodiscard]] const TraceArrays& arrays() const { return arrays_; }

  private:
    [[nodiscard]] std::uint16_t find_or_add_file(const char* path);
    [[nodiscard]] LocalId local_of(const Site& site);

    std::mutex mutex_;
    TraceArrays arrays_;
    std::vector<std::string> files_;
    std::vector<Local> locals_;
    std::map<std::pair<std::string, std::string>, LocalId> local_numbers_;  // by name and function
    std::map<std::pair<LocalId, std::uint32_t>, std::uint32_t> sums_;
    std::map<std::uint32_t, std::uint32_t> barriers_;  // numbers, by offset in shared memory
    std::set<const Site*> seen_parameters_;
    std::vector<NamedInteger> integers_;
    std::vector<NamedNumber> numbers_;
};

}  // namespace tilereel::runtime
