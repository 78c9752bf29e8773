#pragma once
// Errors and warnings that only the recorder can detect, because the trace has no record of them.
#include <cstdint>
#include <string>

#include "instrumentation/trace/site.h"

namespace tilereel {

enum class RecordedFindingKind : std::uint8_t {
    kOutOfBounds = 0,        // an access outside of all arrays; it was suppressed
    kMisaligned = 1,         // an address that is not a multiple of the access's width
    kUninitialisedRead = 2,  // a read of memory that was never written
    kRefusedLaunch = 3,      // the chosen GPU cannot run the launch
    kNeverRan = 4,           // the launch did not run, because an earlier call failed
    kEndlessLoop = 5,
    kBarrierNotReached = 6,  // not all threads of the block reach a barrier
    kHostAccess = 7,         // the host accesses device memory, or the device host memory
    kNotFreed = 8,           // memory is still allocated at the end
    kAssertion = 9,          // assert() or __trap()
    kUnsupported = 10,       // a call that the recorder does not support
    kOther = 11,
    kSubscript = 12,  // a subscript outside of its extent; the access took place
};
inline constexpr RecordedFindingKind kLastRecordedFindingKind = RecordedFindingKind::kSubscript;
// "out of bounds". The trace file and --json have '_' in place of blanks.
[[nodiscard]] std::string_view finding_name(RecordedFindingKind kind);

struct RecordedFinding {
    static constexpr std::uint32_t kNobody = 0xffffffff;
    RecordedFindingKind kind = RecordedFindingKind::kOther;
    bool error = true;               // false: a warning
    std::uint32_t line = 0;          // 0: unknown
    std::uint16_t column = 0;        // 0: unknown
    std::uint16_t file = 0;          // as Site::file
    std::uint32_t block = kNobody;   // the first block with this finding
    std::uint32_t thread = kNobody;  // the first thread, within that block
    ArrayId array = kNoArray;        // the accessed array, or the array next to the access
    Operation operation = Operation::kLoad;
    std::uint8_t width_bytes = 0;   // of the access; 0: there is no access
    std::int64_t offset_bytes = 0;  // of the access, from the array's first byte
    std::uint64_t count = 1;        // number of occurrences
    // Sentences with a full stop: what happened, and what to do about it.
    std::string what, advice;
    bool operator==(const RecordedFinding&) const = default;
};

}  // namespace tilereel
