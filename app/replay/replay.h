#pragma once
// The replay of one block: a schedule of ticks, and the state at any of them. No window, no GL.
//
// Modelled time: the warps of a block take turns, request by request, inside an epoch; a request
// holds the memory pipe for as many ticks as it costs wavefronts (shared) or lines (global);
// multiply-adds and barriers hold it for none; a barrier waits for the block's last warp.
// Measured time (a GPU's trace): requests in the order of their clocks, each until the next.
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "app/replay/buffer_fills.h"
#include "app/replay/flights.h"
#include "app/replay/held_operands.h"
#include "app/replay/regions.h"
#include "app/replay/rounds.h"
#include "app/replay/schedule.h"
#include "app/replay/sentence.h"
#include "app/replay/state.h"
#include "instrumentation/base/result.h"

namespace tilereel {

class Provenance;
struct ReplayModel;
struct StepFacts;

class Replay {
  public:
    // The trace must outlive the replay. kWrongCall if the trace has no such block.
    static Result<Replay> of_block(const Trace& trace, std::uint32_t block,
                                   const Generation& generation = default_generation());

    // No two replays made by this run of the program have the same; a moved one keeps its own. What
    // is computed for a replay is cached by it.
    [[nodiscard]] std::uint64_t id() const;
    [[nodiscard]] const Trace& trace() const;
    [[nodiscard]] std::uint32_t block() const;
    [[nodiscard]] const Generation& generation() const;  // whose rules time and cost follow

    // Steps, barriers, phases and their ticks. Valid ticks are 0 to schedule().ticks.
    [[nodiscard]] const Schedule& schedule() const;
    // In time order; empty where the block has several threads, or only one round.
    [[nodiscard]] const std::vector<Round>& rounds() const;
    [[nodiscard]] const std::vector<Flight>& flights() const;  // sorted by depart
    // What a plane of a shared array of several holds, one tile after the other; else empty.
    [[nodiscard]] std::span<const BufferFill> fills(ArrayId shared, std::uint32_t plane) const;
    // The part of each global array that the block works on.
    [[nodiscard]] const Regions& regions() const;
    // What lanes and warps own, read and multiply; app/replay/provenance.h.
    [[nodiscard]] const Provenance& provenance() const;
    // By step. Empty where no warp multiplies more than once with what it loaded.
    [[nodiscard]] const std::vector<HeldOperand>& held_operands() const;
    // Some lane stores to shared memory what it has not loaded.
    [[nodiscard]] bool stores_unloaded() const;
    // The colour of an array: of a product's matrices their own; of another launch's global arrays
    // A's, B's and C's in order of first access, then none; of a shared array that of what is
    // copied into it.
    [[nodiscard]] Tone tone_of(ArrayId array) const;

    // State at a tick; seeks from the nearest keyframe in either direction.
    const ReplayState& seek(Tick tick);
    // Tick 0 before the first request has begun: no request, and all warps are ready. For a
    // question about the first request.
    const ReplayState& seek_before_first();
    [[nodiscard]] const ReplayState& state() const;
    // What is happening at the current tick and why, from the trace: as text and as data.
    [[nodiscard]] Sentence sentence() const;
    [[nodiscard]] StepFacts facts() const;  // app/replay/facts.h

  private:
    struct Delete {
        void operator()(ReplayModel* model) const;
    };
    explicit Replay(ReplayModel* model) : model_(model) {}
    std::unique_ptr<ReplayModel, Delete> model_;
};

}  // namespace tilereel
