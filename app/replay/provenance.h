#pragma once
// Which copy brought what a shared cell holds at a time, and what lanes and warps make of it.
#include "app/replay/flights.h"
#include "app/replay/lane_work.h"
#include "app/replay/schedule.h"
#include "app/replay/sums.h"

namespace tilereel {

class Provenance {
  public:
    // All must outlive it.
    Provenance(const Trace& trace, const Schedule& schedule, const SumMap& sums,
               std::span<const Flight> flights);

    // The flight that last landed in a cell by a tick; kNoStep: none did.
    [[nodiscard]] std::uint32_t flight_into(ArrayId shared, Element cell, Tick tick) const;
    // Some thread owns several rows and several columns of C, and reads shared memory.
    [[nodiscard]] bool lanes_own_tiles() const { return lanes_own_tiles_; }
    [[nodiscard]] LaneWork of_lane(std::uint32_t warp, std::uint32_t lane) const;
    // The thread whose sum becomes an element of C; kNoStep: none does.
    [[nodiscard]] std::uint32_t owner_of(Element of_c) const;
    // Of C, what the warp's lanes own; of another matrix, the elements of which it reads copies in
    // a phase. As few rectangles as rows of them allow.
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
    // Flights into each cell of the shared arrays in order of landing: those of cell c of an array
    // are landed_[begin_[first_cell_[array] + c]] and so on.
    std::vector<std::uint32_t> first_cell_, begin_, landed_;
    bool lanes_own_tiles_ = false;
};

// Rectangles that hold exactly these elements: runs of a row, joined where rows are alike.
[[nodiscard]] std::vector<CellRect> rectangles_of(std::vector<Element> elements);

}  // namespace tilereel
