#pragma once
// The replay of one block: a schedule of ticks, and the state at any of them. No window, no GL.
//
// Modelled time: within an epoch the warps of a block run in Launch::order, by default in turn, one
// request each. A request takes as many ticks as it has wavefronts (shared) or lines (global).
// Multiply-adds and barriers take no time; a barrier waits for the last warp of the block.
//
// Measured time (a GPU's trace): requests in the order of their clocks, each until the next one.
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "app/replay/schedule/buffer_fills.h"
#include "app/replay/schedule/held_operands.h"
#include "app/replay/schedule/schedule.h"
#include "app/replay/sentence/sentence.h"
#include "app/replay/state/flights.h"
#include "app/replay/state/regions.h"
#include "app/replay/state/rounds.h"
#include "app/replay/state/state.h"
#include "instrumentation/base/result.h"

namespace tilereel {

class Provenance;
class TensorSteps;
class WarpgroupSteps;
struct ReplayModel;
struct StepFacts;

class Replay {
  public:
    // The trace must outlive the replay. kWrongCall if the trace has no such block.
    static Result<Replay> of_block(const Trace& trace, std::uint32_t block,
                                   const Generation& generation = default_generation());

    // Unique among the replays of this process; a moved replay keeps its id. It is a key for caches
    // of what is computed for a replay.
    [[nodiscard]] std::uint64_t id() const;
    // What is played: the trace of of_block(), or one that also has what products of warpgroups
    // read of shared memory (schedule/replayed_trace.h). Its sites begin with those of that trace.
    [[nodiscard]] const Trace& trace() const;
    // The trace of of_block(): what is counted, and where findings are looked for.
    [[nodiscard]] const Trace& recorded_trace() const;
    // The number that a record of the block has in the trace of of_block(). A modelled read has
    // that of its product.
    [[nodiscard]] std::uint64_t recorded(std::uint64_t record) const;
    [[nodiscard]] std::uint32_t block() const;
    [[nodiscard]] const Generation& generation() const;  // its rules determine costs and ticks

    // Steps, barriers, phases and their ticks. Valid ticks are 0 to schedule().ticks.
    [[nodiscard]] const Schedule& schedule() const;
    // In time order; empty if the block has several threads, or only one round.
    [[nodiscard]] const std::vector<Round>& rounds() const;
    [[nodiscard]] const std::vector<Flight>& flights() const;  // sorted by depart
    // The fills of a plane of a multi-buffered shared array in time order; empty for other arrays.
    [[nodiscard]] std::span<const BufferFill> fills(ArrayId shared, std::uint32_t plane) const;
    // The part of each global array that the block works on.
    [[nodiscard]] const Regions& regions() const;
    // The sources and uses of values in shared memory; app/replay/state/provenance.h.
    [[nodiscard]] const Provenance& provenance() const;
    // find_held_operands().
    [[nodiscard]] const std::vector<HeldOperand>& held_operands() const;
    // The products of tensor cores, and what loads for them.
    [[nodiscard]] const TensorSteps& tensor() const;
    // The products of warpgroups (wgmma).
    [[nodiscard]] const WarpgroupSteps& warpgroups() const;
    // Whether a lane stores a value to shared memory that it has not loaded.
    [[nodiscard]] bool stores_unloaded() const;
    // The colour of an array. The matrices of a product have their own. In other launches the first
    // three global arrays in the order of access have the colours of A, B and C, and further arrays
    // have none. A shared array has the colour of the array that is copied to it; in a product
    // without such a copy it has the colour of A, B or C if its name begins with that letter.
    [[nodiscard]] Tone tone_of(ArrayId array) const;

    // State at a tick; seeks from the nearest keyframe in either direction.
    const ReplayState& seek(Tick tick);
    // Tick 0 before the first request: no request is running, and all warps are ready. Used for a
    // question about the first request.
    const ReplayState& seek_before_first();
    [[nodiscard]] const ReplayState& state() const;
    // What happens at the current tick and why, as text and as data.
    [[nodiscard]] Sentence sentence() const;
    [[nodiscard]] StepFacts facts() const;  // app/replay/sentence/sentence_facts.h

  private:
    struct Delete {
        void operator()(ReplayModel* model) const;
    };
    explicit Replay(ReplayModel* model) : model_(model) {}
    std::unique_ptr<ReplayModel, Delete> model_;
};

}  // namespace tilereel
