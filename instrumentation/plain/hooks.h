#pragma once
// The contract between our compiler plugin and our runtime: what the plugin puts into device code,
// and the static descriptors that it hands over. plugin/descriptors.cpp builds the same layout.
#include <cstdint>

namespace tilereel::plain {

enum class SiteKind : std::uint32_t {
    kLoad = 0,
    kStore = 1,
    kAtomic = 2,       // a read-modify-write
    kMultiplyAdd = 3,  // a floating sum that takes in a product; its value
    kLocal = 4,        // an assignment to a named local; its value
    kCall = 5,         // of a function of the runtime: a barrier, a shuffle ...
    kEnter = 6,        // a call of another device function
    // A kernel's parameter, on entry. Of a pointer, align_bytes is the size of what it points to,
    // and scalar its type.
    kParameter = 7,
    // Barriers in shared memory; the runtime makes their sites (shared_barriers.cpp).
    kMakeBarrier = 8,
    kArrive = 9,
    kStartBox = 10,
    kWaitPhase = 11,
};

// The type of an element: the innermost first member of a structure.
enum class Scalar : std::uint32_t {
    kOther = 0,
    kSigned = 1,
    kUnsigned = 2,
    kFloating = 3,  // of 4 or 8 bytes; half types are told by their name
    kPointer = 4,
};

// A variable of device code that is no local: shared, constant or in global memory.
enum class VariableSpace : std::uint32_t {
    kShared = 0,
    kDynamicShared = 1,
    kDevice = 2,
    kConstant = 3
};

struct Variable {
    const char* name;
    const char* type;     // of an element: "float", "float4"
    const void* address;  // null for shared memory: each worker has its own
    std::uint64_t bytes;  // 0: dynamic shared memory
    VariableSpace space;
    std::uint32_t element_bytes;
    std::uint32_t align_bytes;
    std::uint32_t extent_count;  // 0: a scalar
    std::uint32_t extents[4];    // outermost first
    Scalar scalar;
    std::uint32_t scalar_bytes;
    const char* members;    // of an element: see struct_members.h; or null
    std::uint64_t runtime;  // the runtime's own; 0 at first
};

// A loop of a function. `ordinal` is that of its first block among what surrounds it.
struct Loop {
    const Loop* outer;
    std::uint64_t ordinal;
};

// A place in the source where device code does something that is recorded.
struct Site {
    const char* file;
    const char* function;  // "multiply<16>"
    const char* name;      // of the variable that is accessed or assigned; or null
    const char* type;      // its declared type; or null
    const char* callee;    // the function of the runtime, "atomicAdd"; or null
    const char* members;   // of what a parameter points to: see struct_members.h; or null
    const Loop* loop;      // the innermost one around it; or null
    Variable* variable;    // that is accessed directly; or null
    std::uint32_t line, column;
    std::uint32_t ordinal;  // in the function, so that control flows upwards outside of back edges
    SiteKind kind;
    std::uint32_t width_bytes;
    std::uint32_t align_bytes;
    Scalar scalar;
    std::uint32_t scalar_bytes;
    std::uint64_t runtime;  // the runtime's own; 0 at first
};

// A kernel, and where its code lies.
struct Kernel {
    void* entry;
    void* unhooked;      // its version without hooks; or null
    const char* symbol;  // mangled
    const char* name;    // as in the source: "multiply<16>"
    const char* file;
    std::uint64_t line;
};

extern "C" {
// Before an access. The access goes to the address that they return. Integers come without their
// sign: the bits above their width are 0.
void* tilereel_load(const void* address, Site* site);
void* tilereel_store_int(void* address, Site* site, std::uint64_t value);
void* tilereel_store_float(void* address, Site* site, float value);
void* tilereel_store_double(void* address, Site* site, double value);
void* tilereel_store_wide(void* address, Site* site);
void tilereel_stored(const void* address);  // the value is there now
void* tilereel_atomic(void* address, Site* site);
// Sums and locals. `offset_bytes` within a local array or structure.
void tilereel_value_int(Site* site, std::uint64_t value, std::uint32_t offset_bytes);
void tilereel_value_float(Site* site, float value, std::uint32_t offset_bytes);
void tilereel_value_double(Site* site, double value, std::uint32_t offset_bytes);
// Where the next call of the runtime stands.
void tilereel_at(Site* site);
// Around the call of another device function.
void tilereel_enter(Site* site);
void tilereel_leave(Site* site);
// On a function's entry: a shared variable of it, or another one whose address it takes.
void tilereel_shared(void* address, Variable* variable);
// What host code calls instead of a kernel.
void* tilereel_kernel(Kernel* kernel);
// What host code calls instead of what a pointer to a function says.
void* tilereel_entry(void* function);
// On a kernel's entry, behind its shared variables: it may have been called through a pointer.
void tilereel_begin(Kernel* kernel);
}

}  // namespace tilereel::plain
