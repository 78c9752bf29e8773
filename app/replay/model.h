#pragma once
// What a Replay is made of.
#include "app/replay/buffer_fills.h"
#include "app/replay/flights.h"
#include "app/replay/held_operands.h"
#include "app/replay/machine.h"
#include "app/replay/origins.h"
#include "app/replay/provenance.h"
#include "app/replay/regions.h"
#include "app/replay/rounds.h"
#include "app/replay/sentence.h"
#include "app/replay/shared_uses.h"
#include "app/replay/state.h"

namespace tilereel {

struct ReplayModel {
    ReplayModel(const Trace& trace, std::uint32_t block, const Generation& generation);
    ReplayModel(const ReplayModel&) = delete;  // machine refers to its neighbours
    ReplayModel& operator=(const ReplayModel&) = delete;

    const std::uint64_t number;  // no two replays of this run of the program have the same
    const Trace& trace;
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
    std::vector<HeldOperand> held_operands;  // per step, or empty: find_held_operands()
    Origins origins;
    Provenance provenance;
    std::vector<bool> departs;      // per step: some of what it loads flies to shared memory
    std::vector<Tone> array_tones;  // per array
    Machine machine;
    std::vector<BlockState> keyframes;  // every keyframe_interval steps
    std::uint32_t keyframe_interval = 1;

    BlockState at;              // where the cursor is
    ReplayState state;          // the same, as shown
    bool before_first = false;  // `state` is that of show_before_first()

    // Moves `at` to the state in which `step` runs.
    void go_to_step(std::uint32_t step);
    // Fills `state` for a tick from `at`.
    void show(Tick tick);
    // Fills `state` for the moment before the first request; `at` is then the first step.
    void show_before_first();
    [[nodiscard]] RequestState request_of(std::uint32_t step) const;

  private:
    void note_flights();
    void choose_tones();
    // A request's lanes with their values, word by word.
    void add_values(const Step& step, const Site& site, RequestState& request) const;
    // What a lane finds at a place; nullopt: unknown.
    [[nodiscard]] std::optional<std::uint32_t> word_at(const Site& site, std::uint32_t offset,
                                                       std::uint32_t step) const;
    [[nodiscard]] SharedCell cell_at(const Array& array, std::size_t byte) const;
    void make_keyframes();
    void show_shared();
    std::uint32_t show_cells(const Array& array, std::size_t first, std::size_t last,
                             std::vector<SharedCell>& cells) const;
    void show_planes(SharedArrayState& view) const;
    void note_reads();
    [[nodiscard]] std::uint32_t wavefront_at(std::uint32_t step, Tick tick) const;
};

}  // namespace tilereel
