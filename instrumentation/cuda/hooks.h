#pragma once
// The interface between our compiler plugin and our runtime: the hooks that the plugin inserts into
// device code, and the static descriptors that they get. plugin/descriptors.cpp builds descriptors
// of the same layout.
#include <cstdint>
#include <string_view>

#include "instrumentation/trace/arithmetic.h"
#include "instrumentation/trace/space.h"

namespace tilereel::runtime {

enum class SiteKind : std::uint32_t {
    kLoad = 0,
    kStore = 1,
    kAtomic = 2,       // a read-modify-write
    kMultiplyAdd = 3,  // adds a product to a floating-point sum; the hook gets the new sum
    kLocal = 4,        // an assignment to a named local variable; the hook gets the value
    kCall = 5,         // a call of a runtime function: a barrier, a shuffle ...
    kEnter = 6,        // a call of another device function
    // A parameter on entry to a kernel. For a pointer, align_bytes is the size of the type that it
    // points to, and scalar describes that type.
    kParameter = 7,
    // Barriers in shared memory; the runtime makes their sites (barrier_calls.cpp).
    kInitBarrier = 8,
    kArrive = 9,
    kStartBulkCopy = 10,
    kWaitPhase = 11,
    kMatrixProduct = 12,  // its site, too
    kBulkStore = 13,      // a copy in bulk from shared to global memory
};

// The type of an element: the innermost first member of a structure.
enum class Scalar : std::uint32_t {
    kOther = 0,
    kSigned = 1,
    kUnsigned = 2,
    kFloating = 3,  // of 4 or 8 bytes; half types are recognised by their name
    kPointer = 4,
};

// A variable of device code that is not a local variable.
struct Variable {
    const char* name;
    const char* type;     // of an element: "float", "float4"
    const void* address;  // null for shared memory: each worker has its own
    std::uint64_t bytes;  // 0: dynamic shared memory
    Space space;
    std::uint8_t reserved[3];  // the plugin writes the space as a word of 4 bytes
    std::uint32_t element_bytes;
    std::uint32_t align_bytes;
    std::uint32_t extent_count;  // 0: a scalar
    std::uint32_t extents[4];    // outermost first
    Scalar scalar;
    std::uint32_t scalar_bytes;
    const char* members;  // of an element: see struct_members.h; or null
};

[[nodiscard]] inline bool is_dynamic_shared(const Variable& variable) {
    return variable.space == Space::kShared && variable.bytes == 0;
}

// A loop of a function. `ordinal`: its position in the function, on the scale of Site::ordinal.
struct Loop {
    const Loop* outer;
    std::uint64_t ordinal;
};

// A place in device code at which something is recorded.
struct Site {
    // Behind the ordinal of a kCall so many are free, for the sites of what the call does.
    static constexpr std::uint32_t kOrdinalsOfCall = 512;
    const char* file;
    const char* function;  // "multiply<16>"
    const char* name;      // of the accessed or assigned variable; or null
    const char* type;      // the declared type of that variable; or null
    // The runtime function that is called, "atomicAdd"; of a volatile access "volatile"; of a load
    // that a store of a bit-field makes of the word around it "bit-field"; or null.
    const char* callee;
    const char* members;  // of the type that a parameter points to: struct_members.h; or null
    const Loop* loop;     // the innermost enclosing loop; or null
    Variable* variable;   // the variable that is accessed without a pointer; or null
    std::uint32_t line, column;
    std::uint32_t ordinal;  // in the function; increases along control flow except on back edges
    SiteKind kind;
    std::uint32_t width_bytes;
    std::uint32_t align_bytes;
    Scalar scalar;
    std::uint32_t scalar_bytes;
    std::uint32_t in_library;  // 1: in a header of ours that stands for CUB or wmma
    AddressKind address;       // of a load or store
    std::uint8_t lands;  // 1: of the runtime, a copy of another block that a wait found complete
    std::uint8_t reserved[2];
    // Of a warp, for what stands between the site before and this one, by ArithmeticPipe, and the
    // clocks of the longest chain of them (plugin/arithmetic).
    std::uint32_t instructions[kArithmeticPipes];
    std::uint32_t latency_clocks;
};

// Whether nothing is lost but the value if an assignment is not recorded.
[[nodiscard]] inline bool is_only_a_value(const Site& site) {
    if (site.kind != SiteKind::kLocal) return false;
    for (const std::uint32_t count : site.instructions)
        if (count != 0) return false;
    return true;
}

// Whether it is a load that a store of a bit-field makes of the word around it.
[[nodiscard]] inline bool is_rest_of_word(const Site& site) {
    return site.kind == SiteKind::kLoad && site.callee != nullptr &&
           std::string_view(site.callee) == "bit-field";
}

// An asm statement of device code. Its operands are 64-bit slots, in the order in which the
// statement names them.
struct InlinePtx {
    const char* text;
    const char* constraints;     // a letter for each operand: "rrl"; null: none
    std::uint64_t has_operands;  // "%%" stands for "%" in the text
    void* read;                  // what the runtime made of the text; null before the first run
};

// The subscripts with which the source accesses an array, and the extents in which they must lie.
struct Subscripts {
    static constexpr std::uint32_t kMost = 4;
    const char* file;
    const char* place;  // "Bs[%][%]": a % stands for each subscript
    std::uint32_t line, column;
    std::uint32_t is_store;
    std::uint32_t extents[kMost];  // in the order of the subscripts; 0: that one is not checked
};

// A kernel and the addresses of its code.
struct Kernel {
    void* entry;
    void* unhooked;      // the version without hooks; or null
    const char* symbol;  // mangled
    const char* name;    // as in the source: "multiply<16>"
    const char* file;
    std::uint64_t line;
    std::uint32_t cluster[3];  // __cluster_dims__; 0: not given
};

extern "C" {
// Called before an access, which then uses the returned address. Integers are zero-extended.
void* tilereel_load(const void* address, Site* site);
void* tilereel_store_int(void* address, Site* site, std::uint64_t value);
void* tilereel_store_float(void* address, Site* site, float value);
void* tilereel_store_double(void* address, Site* site, double value);
void* tilereel_store_wide(void* address, Site* site);
void tilereel_stored(const void* address);  // after a wide store or an atomic
void* tilereel_atomic(void* address, Site* site);
// Called before an access where a subscript lies outside of its extent: the plugin's branch has
// found that. Subscripts that the place does not have are 0.
void tilereel_subscript(const Subscripts* of, std::int64_t first, std::int64_t second,
                        std::int64_t third, std::int64_t fourth);
// Called with the new value of a sum or a local. `offset_bytes`: in a local array or structure.
void tilereel_value_int(Site* site, std::uint64_t value, std::uint32_t offset_bytes);
void tilereel_value_float(Site* site, float value, std::uint32_t offset_bytes);
void tilereel_value_double(Site* site, double value, std::uint32_t offset_bytes);
// Called before a call of a runtime function. `site`: of that call.
void tilereel_at(Site* site);
// Called before and after a call of another device function.
void tilereel_enter(Site* site);
void tilereel_leave(Site* site);
// Before a call of host code, which only a __host__ __device__ function can make.
void tilereel_host_call(Site* site);
// In place of an asm statement. `slots`: the bits of each operand; outputs are in it afterwards.
// `places`: of each operand that wgmma writes its address, else null; null: the statement has none.
void tilereel_run_ptx(InlinePtx* statement, std::uint64_t* slots, void* const* places);
// Called on entry to a function, for each shared variable that it uses and each variable of device
// code whose address it takes.
void tilereel_shared(void* address, Variable* variable);
// Returns the address that host code calls to run the kernel: with or without hooks.
void* tilereel_kernel(Kernel* kernel);
// The same for a call through a function pointer. `function`: the address that it points to.
void* tilereel_entry(void* function);
// Called on entry to a kernel, after tilereel_shared(). Host code may have called it through a
// pointer.
void tilereel_begin(Kernel* kernel);
}

}  // namespace tilereel::runtime
