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
        std::uint64_t bytes = 0, count = 0;
        std::uint32_t element_bytes = 0;  // 0: as the trace says
    };
    // An access by the name of a parameter is meant for the array to which the parameter points,
    // and not for the one that lies nearest.
    static Known as_meant(Known known, const TraceArrays& arrays);
    std::map<std::pair<const Site*, Fault>, Known> known_;
};

}  // namespace tilereel::runtime
