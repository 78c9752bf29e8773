#pragma once
// The data of a Replay.
#include "app/replay/schedule/buffer_fills.h"
#include "app/replay/schedule/held_operands.h"
#include "app/replay/schedule/replayed_trace.h"
#include "app/replay/schedule/shared_uses.h"
#include "app/replay/sentence/sentence.h"
#include "app/replay/state/flights.h"
#include "app/replay/state/machine.h"
#include "app/replay/state/origins.h"
#include "app/replay/state/provenance.h"
#include "app/replay/state/regions.h"
#include "app/replay/state/rounds.h"
#include "app/replay/state/state.h"
#include "app/replay/tensor/tensor_steps.h"
#include "app/replay/tensor/warpgroup_steps.h"
#include "instrumentation/analysis/source/off_lanes.h"

namespace tilereel {

struct ReplayModel {
    ReplayModel(const Trace& trace, std::uint32_t block, const Generation& generation);
    ReplayModel(const ReplayModel&) = delete;  // `machine` has references to other members
    ReplayModel& operator=(const ReplayModel&) = delete;

    const std::uint64_t number;  // unique among the replays of this process
    const ReplayedTrace replayed;
    const Trace& trace;  // of `replayed`
    const std::uint32_t block;
    const Generation& generation;
    BlockRecords records;
    Schedule schedule;
    std::vector<Round> rounds;
    SumMap sums;
    Lifetimes lifetimes;
    LoadedWords loaded;
    std::vector<Flight> flights;
    Regions regions;
    SharedUses shared_uses;
    BufferFills fills;
    std::vector<HeldOperand> held_operands;  // find_held_operands()
    Origins origins;
    Provenance provenance;
    OffLaneFinder off_lanes;
    std::vector<bool> departs;      // by step: a value that it loads has a flight
    std::vector<Tone> array_tones;  // by array
    Machine machine;
    std::vector<BlockState> keyframes;  // every keyframe_interval steps
    std::uint32_t keyframe_interval = 1;
    TensorSteps tensor;         // empty if the launch multiplies no matrices on tensor cores
    WarpgroupSteps warpgroups;  // empty if no warpgroup multiplies

    BlockState at;              // the current state
    ReplayState state;          // what is shown of it
    bool before_first = false;  // `state` was set by show_before_first()

    // Moves `at` to the state in which `step` runs.
    void go_to_step(std::uint32_t step);
    // Sets `state` for a tick of the step in `at`.
    void show(Tick tick);
    // Sets `state` for the moment before the first request, and `at` to the first step.
    void show_before_first();
    [[nodiscard]] RequestState request_of(std::uint32_t step) const;

  private:
    void note_flights();
    void choose_tones();
    // A request's lanes with their values, word by word.
    void add_values(const Step& step, const Site& site, RequestState& request) const;
    // The word that a lane reads at an offset; nullopt if unknown.
    [[nodiscard]] std::optional<std::uint32_t> word_at(const Site& site, std::uint32_t offset,
                                                       std::uint32_t step) const;
    [[nodiscard]] SharedCell cell_at(const Array& array, std::size_t byte) const;
    void make_keyframes();
    void find_tensor_steps();
    void show_shared();
    std::uint32_t show_cells(const Array& array, std::size_t first, std::size_t last,
                             std::vector<SharedCell>& cells) const;
    // `cell_at_byte(byte)`: the value of the written element there.
    template <class CellAt>
    std::uint32_t show_cells(const Array& array, std::size_t first, std::size_t last,
                             std::vector<SharedCell>& cells, CellAt cell_at_byte) const;
    void show_planes(SharedArrayState& view) const;
    void note_reads();
    [[nodiscard]] std::uint32_t wavefront_at(std::uint32_t step, Tick tick) const;
};

}  // namespace tilereel
