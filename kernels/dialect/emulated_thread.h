#pragma once
// The contract between the emulated build of a kernel and the emulator that runs it. The emulator
// keeps one RunningThread a CPU thread up to date; the kernel's accesses write through it, and call
// the functions below when something out of the ordinary happens. Defined by the emulator.
#include <cstddef>
#include <cstdint>

namespace tilereel::dialect {
inline namespace emulated {

struct ThreadIndex {  // CUDA's uint3
    unsigned x = 0, y = 0, z = 0;
};
inline thread_local constinit ThreadIndex threadIdx [[gnu::tls_model("initial-exec")]]{};
inline thread_local constinit ThreadIndex blockIdx [[gnu::tls_model("initial-exec")]]{};
inline thread_local constinit ThreadIndex blockDim [[gnu::tls_model("initial-exec")]]{};
inline thread_local constinit ThreadIndex gridDim [[gnu::tls_model("initial-exec")]]{};
inline thread_local constinit int block_edge [[gnu::tls_model("initial-exec")]] = 0;  // dialect.h

// What a thread did is a sequence of events. An event is a key (what and where in the source) and
// one or more 32-bit words: a load's offset; a store's offset and value; a sum after its
// multiply-add. Keys are ordered by line, then load < multiply-add < store, then array.
enum class EventKind : std::uint32_t { kLoad = 0, kMultiplyAdd = 1, kStore = 2, kBarrier = 3 };
// An asynchronous copy is a load and, right behind it, a store, whose arrays have kOfCopy added.
// kBarrier also encodes copy-group operations; the array field holds the operation code.
inline constexpr std::uint32_t kOfCopy = 1u << 11;
enum : std::uint32_t { kBlockBarrier = 0, kWarpBarrier = 1, kCommitCopies = 2, kWaitCopies = 3 };
// kWaitCopies + n: all groups of copies but the n latest.
inline constexpr std::uint32_t kMostGroupsLeft = 255;
// Barriers in shared memory; their word says which, and which of its phases.
enum : std::uint32_t {
    kArriveAtPhase = 1024,
    kStartBoxOfPhase = 1025,
    kWaitForPhase = 1026,
    kMakeArrival = 1027,
};
using EventKey = std::uint32_t;
inline constexpr EventKey kNoEvent = 0;             // no line 0 exists
inline constexpr EventKey kValueWord = 0xffffffff;  // stands where an event's further words lie
inline constexpr std::uint32_t kLargestLine = 0xfffe;
inline constexpr std::uint32_t kArrayBits = 12;  // of an array number, or an accumulator's

constexpr EventKey event_key(std::uint32_t line, EventKind kind, std::uint32_t array,
                             std::uint32_t width_bytes) {
    return (line << 16) | (static_cast<std::uint32_t>(kind) << 14) | (array << 2) |
           (width_bytes >> 3);  // 4, 8, 16 bytes -> 0, 1, 2
}
constexpr std::uint32_t line_of(EventKey key) { return key >> 16; }
constexpr EventKind kind_of(EventKey key) { return static_cast<EventKind>((key >> 14) & 3); }
constexpr bool is_access(EventKey key) {
    return kind_of(key) == EventKind::kLoad || kind_of(key) == EventKind::kStore;
}
constexpr std::uint32_t array_of(EventKey key) {
    const std::uint32_t array = (key >> 2) & ((1u << kArrayBits) - 1);
    return is_access(key) ? array & ~kOfCopy : array;
}
constexpr bool is_of_copy(EventKey key) { return is_access(key) && (key >> 2 & kOfCopy) != 0; }
constexpr bool is_barrier(EventKey key) {
    return kind_of(key) == EventKind::kBarrier && array_of(key) <= kWarpBarrier;
}
constexpr bool is_of_phase(EventKey key) {
    return kind_of(key) == EventKind::kBarrier && array_of(key) >= kArriveAtPhase;
}
constexpr std::uint32_t width_of(EventKey key) { return 4u << (key & 3); }
constexpr std::uint32_t words_of(EventKey key) {
    return kind_of(key) == EventKind::kStore ? 1 + width_of(key) / 4 : 1;
}

// The threads of a warp run one after another and are expected to do what the first one did: `key`
// walks along its `keys`, while the words go down this lane's column of a matrix that has one row
// of kLanes words a key. `key` alone moves, so that an event costs one dependent update.
inline constexpr std::size_t kLanes = 32;
struct RunningThread {
    const EventKey* key = nullptr;
    const EventKey* keys = nullptr;
    std::uint32_t* column = nullptr;  // of row 0
    unsigned char* shared = nullptr;  // the block's shared memory
    std::uint32_t accumulators = 0;   // alive
    std::uint32_t most_accumulators = 0;
    std::uint32_t shared_bytes = 0;   // reserved so far by this thread's declarations
    std::uint32_t dynamic_bytes = 0;  // of them, dynamic shared memory
    std::uint32_t shared_arrays = 0;  // declared so far
    // Where the next event's first word goes.
    [[nodiscard]] std::uint32_t* slot() const { return column + (key - keys) * kRowStride; }
    static constexpr std::ptrdiff_t kRowStride = kLanes;
};
inline thread_local constinit RunningThread running [[gnu::tls_model("initial-exec")]]{};

// `words` words; called when *running.key is not `key`.
void record_unexpected(EventKey key, const std::uint32_t* words);

struct SharedDeclaration {
    const char* name;     // "As"
    const char* extents;  // as written: "TILE, TILE + PAD"
    std::uint32_t rows, row_elements;           // rows of all planes
    const int* outer_extents = nullptr;         // all but the last two, outermost first
    std::uint32_t outer_extent_count = 0;
    std::uint32_t padding_elements = 0;  // of a row, where `extents` does not name PAD
    std::uint32_t element_bytes, alignment_bytes;
    bool dynamic = false;  // of the bytes that the launch gives
};
struct SharedPlace {
    unsigned char* first;
    std::uint32_t array;
    std::uint32_t bytes;  // until the end of the array
};
SharedPlace reserve_shared(const SharedDeclaration& declaration);
SharedPlace dynamic_shared(std::uint32_t element_bytes);

// The thread waits; other threads run meanwhile.
void block_barrier(std::uint32_t line);
void warp_barrier(std::uint32_t line);

// An asynchronous copy is under way until the thread waits for its group: only then, the latest
// moment that the GPU has, do the bytes in shared memory change. So whoever reads them too early
// sees what was there before.
void start_copy(void* to, const void* value, std::uint32_t bytes);
void close_copy_group();  // what was started since the last one
void land_copies(std::uint32_t newest);           // all groups but the `newest` latest
[[nodiscard]] bool is_left_out(std::uint32_t line);  // the barrier or wait on that line

// Barriers in shared memory (PTX ISA, mbarrier), numbered as declared. A phase is named by a word:
// the barrier's number in the upper 8 bits, its phases from 0 on in the lower 24.
std::uint32_t declare_arrivals(std::uint32_t count);  // the first of them
void init_arrival(std::uint32_t number, std::uint32_t arrivals);
// The thread arrives, announcing bytes. The phase.
std::uint32_t arrive(std::uint32_t number, std::uint32_t bytes, std::uint32_t line);
// The phase of that parity which is under way or was the last to end; kNoPhase: before the first.
inline constexpr std::uint32_t kNoPhase = 0xffffffff;
[[nodiscard]] std::uint32_t phase_under_way(std::uint32_t number);
[[nodiscard]] std::uint32_t phase_to_wait_for(std::uint32_t number, std::uint32_t parity);
// The thread waits until the phase is over; other threads run meanwhile. The boxes of the phase
// land now, at the latest moment that the GPU has.
void wait_for_phase(std::uint32_t phase, std::uint32_t line);
// Pieces of a box that the running thread has just asked for, each of which counts towards `phase`.
struct BoxPiece {
    std::uint32_t from_bytes;  // in the array; kOutside: zeros
    std::uint32_t to_bytes;    // in the block's shared memory
    const void* value;
    static constexpr std::uint32_t kOutside = 0xffffffff;
};
// At most kLanes, of one width, all inside the matrix or all outside.
struct BoxPieces {
    std::uint32_t phase, line, from_array, to_array, width_bytes;
    const BoxPiece* pieces;
    std::uint32_t count;
};
void start_box_pieces(const BoxPieces& pieces);

// End the whole recording with a sentence; the thread never continues.
[[noreturn, gnu::cold]] void fail_index(long long index, long long count, std::uint32_t line,
                                        std::uint32_t array);
[[noreturn, gnu::cold]] void fail_alignment(unsigned long long offset_bytes,
                                            std::uint32_t width_bytes, std::uint32_t line,
                                            std::uint32_t array);

}  // namespace emulated
}  // namespace tilereel::dialect
