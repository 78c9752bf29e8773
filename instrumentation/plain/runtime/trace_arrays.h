#pragma once
// The arrays of a launch's trace: found as they are touched, named as the program names them.
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "instrumentation/plain/element_of_type.h"
#include "instrumentation/plain/runtime/worker.h"
#include "instrumentation/trace/trace.h"

namespace tilereel::plain {

class TraceArrays {
  public:
    // Keeps what device memory holds now. `launch`: not 0, another one for each launch.
    explicit TraceArrays(std::uint64_t launch);
    // Its number until put().
    ArrayId number_of(MemoryArray& array, const Site& site);
    void name_by_parameter(MemoryArray& array, const Site& parameter);
    // Global arrays first, then shared ones as declared; renumbers the trace's sites.
    void put(const Worker& worker, Trace& trace);
    [[nodiscard]] ArrayId final_number(const MemoryArray* array) const;

  private:
    struct Entry {
        const MemoryArray* array = nullptr;
        Site site{};         // that touched it first
        bool named = false;  // by a parameter
        Site parameter{};
        ArrayId final_number = kNoArray;
    };
    [[nodiscard]] Array make(const Entry& entry, Trace& trace) const;
    Entry& entry_of(MemoryArray& array);

    std::uint64_t launch_;
    std::vector<Entry> entries_;
    std::unordered_map<const MemoryArray*, Site> parameters_;
    std::unordered_map<const MemoryArray*, std::vector<std::byte>> first_;
};

}  // namespace tilereel::plain
