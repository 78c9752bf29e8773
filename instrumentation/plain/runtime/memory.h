#pragma once
// The memory of the simulated GPU: allocations lie in one range of addresses, far apart, which host
// code cannot touch; managed memory lies in another, which it can.
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "instrumentation/plain/hooks.h"

namespace tilereel::plain {

enum class ArraySpace : std::uint8_t {
    kGlobal,
    kManaged,
    kHostMapped,
    kDeviceHeap,
    kShared,
    kConstant
};

// What an address of device code can lie in: an allocation, a variable, a shared array.
struct MemoryArray {
    std::uint64_t base = 0, bytes = 0;
    ArraySpace space = ArraySpace::kGlobal;
    const Variable* variable = nullptr;  // null for allocations
    std::uint32_t place_bytes = 0;       // shared: where it lies in the block's shared memory
    std::uint64_t pitch_bytes = 0;       // cudaMallocPitch: of a row
    std::vector<std::uint32_t> extents;  // of elements, where a launch line says them
    std::uint64_t allocated_by = 0;      // address of the host's call
    bool freed = false;
    // Of a variable, when device code first reached it; later launches find it in all().
    std::vector<std::byte> at_first_touch;

    // Of the launch that is recorded.
    std::uint64_t launch = 0;
    int number = -1;                   // in its trace; -1: not touched
    const Site* first_site = nullptr;  // that touched it
    const Site* parameter = nullptr;   // the first that points into it
    std::uint64_t stored_turn = 0;     // see conflicts
};

class DeviceMemory {
  public:
    static DeviceMemory& instance();
    // Null if there is no room.
    MemoryArray* allocate(std::uint64_t bytes, ArraySpace space, std::uint64_t capacity_bytes);
    // False if nothing was allocated there, or it has been freed.
    bool release(void* address);
    [[nodiscard]] MemoryArray* find(std::uint64_t address);  // what contains it; null: nothing
    // The live allocation that ends last before `address`, if that is not far away.
    [[nodiscard]] MemoryArray* nearest(std::uint64_t address);
    MemoryArray* variable(const Variable* variable);
    // A variable that host code asks the address of.
    void add_symbol(const void* address, std::uint64_t bytes);
    // An allocation that contained the address before it was freed; null: none.
    [[nodiscard]] const MemoryArray* freed(std::uint64_t address) const;
    [[nodiscard]] bool contains(std::uint64_t address) const;  // device memory's range of addresses
    [[nodiscard]] std::vector<const MemoryArray*> live() const;  // allocations
    [[nodiscard]] std::vector<const MemoryArray*> all() const;   // and variables
    [[nodiscard]] std::uint64_t used_bytes() const { return used_bytes_; }

    // Device memory is open while a kernel or a copy runs. Calls nest.
    void open();
    void close();

  private:
    DeviceMemory();
    std::uint64_t begin_ = 0, next_ = 0, end_ = 0;
    std::uint64_t used_bytes_ = 0;
    int opened_ = 0;
    std::map<std::uint64_t, std::unique_ptr<MemoryArray>> arrays_;  // by address
    std::vector<std::unique_ptr<MemoryArray>> freed_;
};

// Open as long as it lives.
class OpenMemory {
  public:
    OpenMemory() { DeviceMemory::instance().open(); }
    ~OpenMemory() { DeviceMemory::instance().close(); }
    OpenMemory(const OpenMemory&) = delete;
    OpenMemory& operator=(const OpenMemory&) = delete;
};

}  // namespace tilereel::plain
