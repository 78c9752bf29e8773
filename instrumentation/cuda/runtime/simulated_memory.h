#pragma once
// The memory of the simulated GPU. cudaMalloc() takes it from one address range that host code
// cannot access, with gaps between the allocations. Other allocations, such as managed memory, are
// mappings of their own that host code can access.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "instrumentation/cuda/hooks.h"
#include "instrumentation/cuda/runtime/written_bytes.h"

namespace tilereel::runtime {

// Where the global memory of an array comes from.
enum class Allocation : std::uint8_t {
    kDevice,      // cudaMalloc(), or a __device__ variable
    kManaged,     // cudaMallocManaged()
    kHostMapped,  // cudaMallocHost(), cudaHostAlloc()
    kDeviceHeap,  // malloc() of device code
};

// An object that device code can access: an allocation, a variable or a shared array.
struct MemoryArray {
    std::uint64_t base = 0, bytes = 0;
    Space space = Space::kGlobal;
    Allocation allocation = Allocation::kDevice;  // of global memory
    const Variable* variable = nullptr;           // null for allocations
    // shared: offset in the block's shared memory; of another block of the cluster: in the trace's
    // array, which has the arrays of all its `blocks`
    std::uint32_t place_bytes = 0;
    std::uint32_t blocks = 1;
    std::uint64_t pitch_bytes = 0;       // cudaMallocPitch: bytes of a row
    std::vector<std::uint32_t> extents;  // in elements, if a launch line gives them
    std::uint64_t allocated_by = 0;      // return address of the host's call
    bool freed = false;
    WrittenBytes written;
    bool is_stored_to = false;  // since device memory was opened: see DeviceMemory::note_store()
    const Site* first_site = nullptr;  // the site of the first access that was recorded
    // Content of a variable when device code first accessed it, for the trace of that launch. For
    // later launches, TraceArrays copies the content before the launch.
    std::vector<std::byte> at_first_touch;

    // Of the last launch that recorded an access: see TraceArrays.
    std::uint64_t launch = 0;
    int number = -1;  // in the trace; -1: none
};

// Whether it is global memory that host code cannot access.
[[nodiscard]] inline bool is_device_only(const MemoryArray& array) {
    return array.space == Space::kGlobal && array.allocation == Allocation::kDevice;
}

// Who has device memory open. kCopy: a function that calls note_written() for what it writes.
// kKernel: anything else.
enum class MemoryUse : std::uint8_t { kKernel, kCopy };

class DeviceMemory {
  public:
    static DeviceMemory& instance();
    // Null if out of memory.
    MemoryArray* allocate(std::uint64_t bytes, Allocation allocation, std::uint64_t capacity_bytes);
    // False if the address was never allocated, or is already free.
    bool release(void* address);
    // The object that contains the address; null if there is none.
    [[nodiscard]] MemoryArray* find(std::uint64_t address);
    // The live allocation or variable that ends or begins closest to `address`, which lies in none;
    // null if it is 4 GiB away or more.
    [[nodiscard]] MemoryArray* nearest(std::uint64_t address);
    // The allocation outside of device memory's range, such as managed memory, that ends a little
    // before the address; null if there is none.
    [[nodiscard]] const MemoryArray* allocation_before(std::uint64_t address) const;
    // The array of a __device__ or __constant__ variable. The first call adds it.
    MemoryArray* variable(const Variable* variable);
    // Adds a variable whose address host code requests.
    void add_symbol(const void* address, std::uint64_t bytes);
    // A freed allocation that contained the address; null if there is none.
    [[nodiscard]] const MemoryArray* freed(std::uint64_t address) const;
    [[nodiscard]] bool contains(std::uint64_t address) const;    // in device memory's address range
    [[nodiscard]] std::vector<const MemoryArray*> live() const;  // allocations
    [[nodiscard]] std::vector<const MemoryArray*> all() const;   // allocations and variables
    [[nodiscard]] std::uint64_t used_bytes() const { return used_bytes_; }

    // Between open() and close() this process can access device memory, for kernels and copies.
    // The calls may be nested.
    void open(MemoryUse use);
    void close();
    // From now on host code can access device memory between launches, too: what it stores to is
    // noticed as in a kernel, and counts as written from the next launch on.
    void keep_open();

    // The host writes these bytes. Best called before: large allocations get huge pages.
    void note_written(std::uint64_t address, std::uint64_t bytes);
    // Called at a fault. An allocation that is not written completely cannot be stored to at first;
    // the first store to it faults. Returns true if this was such a store: it can be repeated now.
    bool note_store(std::uint64_t address);
    // Notes that device code has stored to the address in a way that is not recorded.
    void note_unrecorded_store(std::uint64_t address) {
        if (contains(address)) has_unrecorded_stores_ = true;
    }
    // Whether it has since device memory was opened.
    [[nodiscard]] bool has_unrecorded_stores() const { return has_unrecorded_stores_; }

  private:
    DeviceMemory();
    // From now on all memory counts as written.
    void stop_noting_writes();
    [[nodiscard]] MemoryArray* no_room() const;
    void make_all_accessible(MemoryUse use);
    void open_many(bool notices_stores);
    void settle_stores();
    // stop_noting_writes() with a finding that says why.
    void give_up_noting_writes(const std::string& why, const std::string& advice);
    std::uint64_t reserved_ = 0;
    std::uint64_t begin_ = 0, next_ = 0, end_ = 0;
    std::uint64_t used_bytes_ = 0;
    int opened_ = 0;
    bool is_kept_open_ = false;  // keep_open() is one of those who have it open
    bool notes_writes_;
    std::atomic<bool> has_unrecorded_stores_{false};
    std::vector<MemoryArray*> read_only_;  // allocations whose first store faults, by address
    std::map<std::uint64_t, std::unique_ptr<MemoryArray>> arrays_;  // by address
    std::vector<std::unique_ptr<MemoryArray>> freed_;
};

// Bytes between the array and an address; 0: the address lies in the array.
[[nodiscard]] inline std::uint64_t distance_to(const MemoryArray& array, std::uint64_t address) {
    if (address - array.base < array.bytes) return 0;
    return address < array.base ? array.base - address : address - (array.base + array.bytes);
}

// Keeps device memory open for its lifetime.
class OpenMemory {
  public:
    explicit OpenMemory(MemoryUse use = MemoryUse::kKernel) { DeviceMemory::instance().open(use); }
    ~OpenMemory() { DeviceMemory::instance().close(); }
    OpenMemory(const OpenMemory&) = delete;
    OpenMemory& operator=(const OpenMemory&) = delete;
};

}  // namespace tilereel::runtime
