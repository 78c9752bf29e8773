#pragma once
// The phases of a schedule in time, found from its steps, epochs and barriers.
#include <cstdint>
#include <vector>

#include "app/replay/schedule/schedule.h"

namespace tilereel {

// The parts of the phases in time order. Consecutive steps of one part of one phase and epoch are
// one span.
[[nodiscard]] std::vector<PhaseSpan> find_spans(const Schedule& schedule);
// The tick at which each phase with steps begins, ascending.
[[nodiscard]] std::vector<Tick> find_phase_begins(const Schedule& schedule);
// For each phase the number of steps after which it has ended: its last multiply-add has taken
// effect, or without multiply-adds, its last request has ended.
[[nodiscard]] std::vector<std::uint32_t> find_phase_ends(const Trace& trace,
                                                         const BlockRecords& records,
                                                         const BlockPhases& phases,
                                                         const Schedule& schedule);

}  // namespace tilereel
