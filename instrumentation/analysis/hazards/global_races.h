#pragma once
// Races in global memory: accesses of two threads to the same bytes, at least one of them a write,
// that nothing orders. Sources: CUDA C++ Programming Guide, "Memory Fence Functions" and
// "Cooperative Groups"; PTX ISA, "Memory Consistency Model".
//
// Two accesses are ordered if
// - one thread makes both, or both are atomic, or both are volatile;
// - a barrier of the block (of the grid, between blocks) stands between them;
// - a __syncwarp() or another *_sync() function of both lanes stands between them;
// - atomics or volatile accesses may order them. Programs make locks, flags, tickets of the last
//   block, and look-back scans of these, with fences:
//
//       block 0:  data = x;  fence;  atomic or volatile write   (release)
//       block 7:  atomic or volatile read;  fence;  use(data)   (acquire)
//
//   The trace has no fences, and cannot tell what a flag stands for. So the analysis takes every
//   atomic and volatile access for both a release and an acquire, whatever its address: an access
//   that has one behind it is not reported against an access that has one before it. Races are
//   missed this way, but none is false. Only the arithmetic atomic of a raced element itself does
//   not acquire that element: a plain reset of a counter that other blocks increase is a race.
//
// Stores of equal values to one element do not race: what stays is the same, as compute-sanitizer's
// racecheck tells (it lists them as information). If all stores of an element have equal values and
// other threads read it, the result may still depend on the order: a warning. So are accesses of
// one warp by different instructions, as in shared memory.
//
// Only recorded blocks are seen. A trace whose recorder does not tell volatile accesses
// (RecordedBy::accesses_only), and whose source has the word, has no findings of this kind.
//
// The work is linear in the accesses to written arrays, but for sorting them. Of one element the
// latest accesses of each site are compared with the next, as in shared_races.h.
#include <cstdint>
#include <functional>

#include "instrumentation/analysis/hazards/finding.h"

namespace tilereel {

// `element`: number within the array. A finding's elements are given in ascending order.
using ReportGlobal = std::function<void(const Finding& found, std::uint64_t element)>;
void find_global_races(const Trace& trace, bool warn_within_warps, const ReportGlobal& report);

}  // namespace tilereel
