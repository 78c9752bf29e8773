#pragma once
// The arrays of a launch's trace: those that the launch accesses, with their names in the program.
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "instrumentation/cuda/element_of_type.h"
#include "instrumentation/cuda/runtime/simulated_memory.h"
#include "instrumentation/trace/trace.h"

namespace tilereel::runtime {

class TraceArrays {
  public:
    // Copies the present content of device memory, up to a limit of bytes. `launch`: unique for
    // each launch, not 0.
    explicit TraceArrays(std::uint64_t launch);
    // The array's preliminary number, which is valid until add_to().
    ArrayId number_of(MemoryArray& array, const Site& site);
    void name_by_parameter(MemoryArray& array, const Site& parameter);
    // The array to which the kernel's parameter points by whose name the site accesses memory, and
    // the size of what the parameter points to (0: unknown). Null: there is no such parameter.
    struct PointedTo {
        const MemoryArray* array = nullptr;
        std::uint32_t element_bytes = 0;
    };
    [[nodiscard]] PointedTo array_of_parameter(const Site& site) const;
    // Adds the arrays to the trace: global and constant ones in the order of their first access,
    // then shared ones in the order of declaration. Sets the final Site::array of the sites.
    void add_to(Trace& trace);
    [[nodiscard]] ArrayId final_number(const MemoryArray* array) const;
    // The object of an array of the trace; null if there is none.
    [[nodiscard]] MemoryArray* memory_of(ArrayId final_number) const;

  private:
    struct Entry {
        MemoryArray* array = nullptr;
        Site site{};  // of the first access
        ArrayId final_number = kNoArray;
    };
    [[nodiscard]] Array make(const Entry& entry) const;

    std::uint64_t launch_;
    std::vector<Entry> entries_;
    std::unordered_map<const MemoryArray*, Site> parameters_;
    // The content of arrays before the launch, without those beyond the limit.
    std::unordered_map<const MemoryArray*, std::vector<std::byte>> first_;
};

}  // namespace tilereel::runtime
