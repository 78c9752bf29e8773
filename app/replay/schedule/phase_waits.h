#pragma once
// When warps wait for a phase of an mbarrier, and for whom: in a kernel whose warps have roles, the
// producer waits until consumers have read a stage, and they wait until its bytes are there.
//
//     warp 0   | reads stage 0 | arrives at empty[0]
//     warp 8   | waits for empty[0] ..............| fills stage 0
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "app/replay/elements.h"
#include "app/replay/schedule/schedule.h"

namespace tilereel {

struct PhaseWait {
    std::uint16_t warp = 0;
    std::uint32_t line = 0;
    MBarrierPhase phase;
    Tick begin = 0, end = 0;
    std::vector<std::uint16_t> awaited;  // warps that arrive only after `begin`, ascending
    bool for_bytes = false;              // of copies that land only after `begin`
};

// In the order of their steps; only those that take time.
[[nodiscard]] std::vector<PhaseWait> find_phase_waits(const Trace& trace,
                                                      const BlockRecords& records,
                                                      const Schedule& schedule);
// The names of the mbarriers of a block, by number: "empty[1]". They are read from the lines that
// initialise them. Without a name there: "mbarrier 5".
[[nodiscard]] std::map<std::uint32_t, std::string> names_of_mbarriers(const Trace& trace,
                                                                      const BlockRecords& records);

}  // namespace tilereel
