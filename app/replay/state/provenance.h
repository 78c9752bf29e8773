#pragma once
// The source of the value in a shared cell at any tick, and its use by lanes and warps.
#include "app/replay/schedule/lane_work.h"
#include "app/replay/schedule/schedule.h"
#include "app/replay/state/flights.h"
#include "app/replay/state/sums.h"

namespace tilereel {

class Provenance {
  public:
    // The arguments must outlive this object.
    Provenance(const Trace& trace, const Schedule& schedule, const SumMap& sums,
               std::span<const Flight> flights);

    // The flight whose value a cell holds at a tick; kNoStep if there is none.
    [[nodiscard]] std::uint32_t flight_into(ArrayId shared, Element cell, Tick tick) const;
    // Whether a thread owns several rows and several columns of C and reads shared memory.
    [[nodiscard]] bool lanes_own_tiles() const { return lanes_own_tiles_; }
    [[nodiscard]] LaneWork lane_work(std::uint32_t warp, std::uint32_t lane) const;
    // The thread whose sum is stored to an element of C; kNoStep if there is none.
    [[nodiscard]] std::uint32_t owner_of(Element of_c) const;
    // As rectangles (rectangles_of()): of C, the elements that the warp's lanes own; of A and B,
    // the elements that the warp reads in a phase as copies in shared memory.
    [[nodiscard]] std::vector<CellRect> cells_of_warp(ArrayId matrix, std::uint32_t warp,
                                                      std::uint32_t phase) const;

  private:
    [[nodiscard]] std::vector<Element> owned_by(std::uint32_t thread) const;
    [[nodiscard]] bool reads_shared(const Step& step) const;
    template <class Visit>
    void for_each_operand(std::uint32_t index, Visit&& visit) const;
    void add_products(LaneWork& work, std::uint32_t index) const;

    const Trace& trace_;
    const Schedule& schedule_;
    const SumMap& sums_;
    std::span<const Flight> flights_;
    std::vector<std::vector<std::uint32_t>> steps_of_warp_;
    // Flights into each cell of the shared arrays in the order of landing. Those of cell c of an
    // array begin at landed_[begin_[first_cell_[array] + c]].
    std::vector<std::uint32_t> first_cell_, begin_, landed_;
    bool lanes_own_tiles_ = false;
};

// Rectangles that cover exactly these elements: runs within a row, merged with equal runs in the
// next row.
[[nodiscard]] std::vector<CellRect> rectangles_of(std::vector<Element> elements);

}  // namespace tilereel
