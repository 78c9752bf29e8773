#pragma once
// Describes faults of threads in sentences: the first fault at each site, and their number.
#include <cstdint>
#include <functional>
#include <map>

#include "instrumentation/cuda/runtime/fault.h"
#include "instrumentation/cuda/runtime/launches/trace_arrays.h"

namespace tilereel::runtime {

class FaultFindings {
  public:
    void add(const FaultPlace& place);
    // Adds the findings to the trace. `file_of`: the number of a source file in the trace.
    void add_to(Trace& trace, const TraceArrays& arrays,
                const std::function<std::uint16_t(const char*)>& file_of) const;

  private:
    struct Known {
        FaultPlace first;
        std::string name;  // of the array
        std::uint64_t bytes = 0, base = 0, count = 0;
    };
    std::map<std::pair<const Site*, Fault>, Known> known_;
};

}  // namespace tilereel::runtime
