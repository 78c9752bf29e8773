#pragma once
// What only the recorder can see go wrong: the trace has no record of it, or the program did not
// get that far.
#include <cstdint>
#include <string>

#include "instrumentation/trace/site.h"

namespace tilereel {

enum class RecordedFindingKind : std::uint8_t {
    kOutOfBounds = 0,        // an access of no array; it did not take place
    kMisaligned = 1,         // an address that is no multiple of the access's width
    kUninitialisedRead = 2,  // of shared memory that nobody has written
    kRefusedLaunch = 3,      // the GPU chosen would not run it
    kNeverRan = 4,           // an earlier call had failed
    kEndlessLoop = 5,
    kBarrierNotReached = 6,  // by all threads of the block
    kHostAccess = 7,         // the host touches device memory, or the device the host's
    kNotFreed = 8,           // memory is still allocated at the end
    kAssertion = 9,          // assert() or __trap()
    kNotTaken = 10,          // a call that the recorder does not take
    kOther = 11,
};
inline constexpr RecordedFindingKind kLastRecordedFindingKind = RecordedFindingKind::kOther;
// "out of bounds"; as in the trace file and in --json with '_' for blanks.
[[nodiscard]] std::string_view finding_name(RecordedFindingKind kind);

struct RecordedFinding {
    static constexpr std::uint32_t kNobody = 0xffffffff;
    RecordedFindingKind kind = RecordedFindingKind::kOther;
    bool error = true;               // false: a warning
    std::uint32_t line = 0;          // 0: of no line
    std::uint16_t column = 0;        // 0: unknown
    std::uint16_t file = 0;          // as Site::file
    std::uint32_t block = kNobody;   // the first that did it
    std::uint32_t thread = kNobody;  // within the block
    ArrayId array = kNoArray;        // that it belongs to or lies next to
    Operation operation = Operation::kLoad;
    std::uint8_t width_bytes = 0;   // of the access; 0: no access
    std::int64_t offset_bytes = 0;  // of the access from the array's first byte
    std::uint64_t count = 1;        // how often
    // Sentences that end in a full stop: what happened, and what to do about it.
    std::string what, advice;
    bool operator==(const RecordedFinding&) const = default;
};

}  // namespace tilereel
