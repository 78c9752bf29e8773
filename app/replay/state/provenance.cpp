#include "app/replay/state/provenance.h"

#include <numeric>
#include <set>

namespace tilereel {

std::vector<CellRect> rectangles_of(std::vector<Element> elements) {
    std::ranges::sort(elements, {}, [](const Element& e) { return std::pair(e.row, e.column); });
    elements.erase(std::ranges::unique(elements).begin(), elements.end());
    std::vector<CellRect> done, open;  // open: reaches down to the row before the current one
    for (std::size_t i = 0; i < elements.size();) {
        const std::uint32_t row = elements[i].row;
        std::vector<CellRect> runs;
        for (; i < elements.size() && elements[i].row == row; ++i) {
            const std::uint32_t column = elements[i].column;
            if (!runs.empty() && runs.back().column1 == column)
                ++runs.back().column1;
            else
                runs.push_back({row, column, row + 1, column + 1});
        }
        for (const CellRect& above : open) {
            const auto same = std::ranges::find_if(runs, [&](const CellRect& run) {
                return above.row1 == row && run.column0 == above.column0 &&
                       run.column1 == above.column1;
            });
            if (same == runs.end())
                done.push_back(above);
            else
                same->row0 = above.row0;
        }
        open = std::move(runs);
    }
    done.insert(done.end(), open.begin(), open.end());
    return done;
}

std::size_t LaneWork::products_from(std::uint32_t step) const {
    return static_cast<std::size_t>(
        std::ranges::lower_bound(products, step, {}, &LaneProducts::step) - products.begin());
}

Provenance::Provenance(const Trace& trace, const Schedule& schedule, const SumMap& sums,
                       std::span<const Flight> flights)
    : trace_(trace), schedule_(schedule), sums_(sums), flights_(flights) {
    steps_of_warp_.resize(trace.launch.warps());
    bool reads = false;
    for (std::uint32_t i = 0; i < schedule.steps.size(); ++i) {
        const Step& step = schedule.steps[i];
        if (step.warp < steps_of_warp_.size()) steps_of_warp_[step.warp].push_back(i);
        reads = reads || reads_shared(step);
    }
    first_cell_.push_back(0);
    for (const Array& array : trace.arrays)
        first_cell_.push_back(first_cell_.back() + (array.space == Space::kShared
                                                        ? array.rows * array.leading_dimension
                                                        : 0));
    const auto cell_of = [&](const Flight& flight) {
        return first_cell_[flight.to] + flight.to_row * trace.arrays[flight.to].leading_dimension +
               flight.to_column;
    };
    begin_.assign(first_cell_.back() + std::size_t{1}, 0);
    for (const Flight& flight : flights) ++begin_[cell_of(flight) + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    landed_.resize(flights.size());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    std::vector<std::uint32_t> by_landing(flights.size());
    std::iota(by_landing.begin(), by_landing.end(), 0u);
    std::ranges::stable_sort(by_landing, {}, [&](std::uint32_t i) { return flights[i].land; });
    for (const std::uint32_t i : by_landing) landed_[next[cell_of(flights[i])]++] = i;

    const std::uint32_t threads = reads ? trace.launch.threads() : 0;
    for (std::uint32_t thread = 0; thread < threads && !lanes_own_tiles_; ++thread) {
        std::set<std::uint32_t> rows, columns;
        for (const Element& at : owned_by(thread)) rows.insert(at.row), columns.insert(at.column);
        lanes_own_tiles_ = rows.size() > 1 && columns.size() > 1;
    }
}

std::uint32_t Provenance::flight_into(ArrayId shared, Element cell, Tick tick) const {
    const Array& array = trace_.arrays[shared];
    if (array.space != Space::kShared || cell.row >= array.rows ||
        cell.column >= array.leading_dimension)
        return kNoStep;
    const std::size_t at =
        first_cell_[shared] + std::size_t{cell.row} * array.leading_dimension + cell.column;
    const auto begin = landed_.begin() + begin_[at], end = landed_.begin() + begin_[at + 1];
    const auto after = std::upper_bound(
        begin, end, tick, [&](Tick t, std::uint32_t flight) { return t < flights_[flight].land; });
    if (after == begin) return kNoStep;
    // A value that no thread had loaded, such as the zero beyond an edge, may have replaced it.
    const std::uint32_t replaced = flights_[*(after - 1)].replaced;
    const bool is_there = replaced == kNever || tick < schedule_.steps[replaced].end();
    return is_there ? *(after - 1) : kNoStep;
}

std::vector<Element> Provenance::owned_by(std::uint32_t thread) const {
    const std::uint32_t columns = std::max(1u, sums_.c_rect.column1 - sums_.c_rect.column0);
    std::vector<Element> owned;
    const auto add = [&](std::uint32_t index) {
        if (index != kNoElement)
            owned.push_back(
                {sums_.c_rect.row0 + index / columns, sums_.c_rect.column0 + index % columns});
    };
    for (std::uint32_t i = 0; i < sums_.accumulators; ++i) {
        const std::size_t at = std::size_t{thread} * sums_.accumulators + i;
        if (at < sums_.element.size()) add(sums_.element[at]);
    }
    if (thread < sums_.rounds.size())
        for (const SumMap::Round& round : sums_.rounds[thread])
            for (const std::uint32_t index : round.element) add(index);
    return owned;
}

std::uint32_t Provenance::owner_of(Element of_c) const {
    for (std::uint32_t thread = 0; thread < trace_.launch.threads(); ++thread)
        if (const std::vector<Element> owned = owned_by(thread);
            std::ranges::find(owned, of_c) != owned.end())
            return thread;
    return kNoStep;
}

bool Provenance::reads_shared(const Step& step) const {
    const Site& site = trace_.sites[step.site];
    return reads(site.operation) && site.array < trace_.arrays.size() &&
           trace_.arrays[site.array].space == Space::kShared;
}

// Calls visit(lane, flight) for the words that a step reads from shared memory and that were copied
// there.
template <class Visit>
void Provenance::for_each_operand(std::uint32_t index, Visit&& visit) const {
    const Step& step = schedule_.steps[index];
    if (!reads_shared(step)) return;
    const Site& site = trace_.sites[step.site];
    for_each_word(lane_offsets(trace_, step.record), words_of(site),
                  [&](std::uint32_t lane, std::uint32_t, std::uint32_t offset) {
                      const Element cell = element_at(trace_.arrays[site.array], offset);
                      const std::uint32_t flight = flight_into(site.array, cell, step.begin);
                      if (flight != kNoStep) visit(lane, flights_[flight]);
                  });
}

// Adds the multiply-adds that take effect at the end of a step. One that adds to the same sum again
// begins the next k.
void Provenance::add_products(LaneWork& work, std::uint32_t index) const {
    const std::uint32_t thread = work.warp * kWarpSize + work.lane;
    std::set<std::uint32_t> seen;
    for (std::uint64_t record = schedule_.deferred_begin[index];
         record < schedule_.deferred_end[index]; ++record) {
        if (site_at(trace_, record).operation != Operation::kMultiplyAdd) continue;
        const LaneOffsets lanes = lane_offsets(trace_, record);
        if ((lanes.mask >> work.lane & 1) == 0) continue;
        const std::uint32_t sum = sums_.element_of(thread, lanes.bytes[work.lane], record);
        if (seen.empty() || !seen.insert(sum).second) {
            work.products.push_back(
                {.step = index, .first = static_cast<std::uint32_t>(work.order.size())});
            seen = {sum};
        }
        work.order.push_back(sum);
        ++work.products.back().count;
    }
}

LaneWork Provenance::lane_work(std::uint32_t warp, std::uint32_t lane) const {
    LaneWork work;
    work.warp = warp;
    work.lane = lane;
    if (warp >= steps_of_warp_.size()) return work;
    const std::vector<Element> owned = owned_by(warp * kWarpSize + lane);
    std::set<std::uint32_t> rows, columns;
    for (const Element& at : owned) rows.insert(at.row), columns.insert(at.column);
    work.rows.assign(rows.begin(), rows.end());
    work.columns.assign(columns.begin(), columns.end());
    work.cells = rectangles_of(owned);
    // The k of operands that have been read but not yet multiplied, in the order of reading.
    std::vector<std::uint32_t> waiting_a, waiting_b;
    const auto note = [](std::vector<std::uint32_t>& waiting, std::uint32_t k) {
        if (std::ranges::find(waiting, k) == waiting.end()) waiting.push_back(k);
    };
    for (const std::uint32_t index : steps_of_warp_[warp]) {
        std::set<std::uint32_t> k_of_a, k_of_b;
        for_each_operand(index, [&](std::uint32_t of, const Flight& flight) {
            if (of != lane) return;
            work.operands.push_back(
                {index, flight.from, flight.from_row, flight.from_column, flight.value});
            if (flight.from == matrices_of(trace_).a)
                note(waiting_a, flight.from_column), k_of_a.insert(flight.from_column);
            if (flight.from == matrices_of(trace_).b)
                note(waiting_b, flight.from_row), k_of_b.insert(flight.from_row);
        });
        work.k_of_a = std::max(work.k_of_a, static_cast<std::uint32_t>(k_of_a.size()));
        work.k_of_b = std::max(work.k_of_b, static_cast<std::uint32_t>(k_of_b.size()));
        std::size_t product = work.products.size();
        add_products(work, index);
        for (; product < work.products.size(); ++product) {
            const auto both = std::ranges::find_if(waiting_a, [&](std::uint32_t k) {
                return std::ranges::find(waiting_b, k) != waiting_b.end();
            });
            if (both == waiting_a.end()) continue;
            work.products[product].k = *both;
            std::erase(waiting_b, *both);
            waiting_a.erase(both);
        }
    }
    return work;
}

std::vector<CellRect> Provenance::cells_of_warp(ArrayId matrix, std::uint32_t warp,
                                                std::uint32_t phase) const {
    std::vector<Element> elements;
    if (matrix == matrices_of(trace_).c) {
        for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
            const std::vector<Element> owned = owned_by(warp * kWarpSize + lane);
            elements.insert(elements.end(), owned.begin(), owned.end());
        }
        return rectangles_of(std::move(elements));
    }
    if (warp >= steps_of_warp_.size()) return {};
    for (const std::uint32_t index : steps_of_warp_[warp]) {
        if (schedule_.steps[index].phase != phase) continue;
        std::uint32_t last = kNoStep;  // flight; lanes that read the same follow one another
        for_each_operand(index, [&](std::uint32_t, const Flight& flight) {
            const auto number = static_cast<std::uint32_t>(&flight - flights_.data());
            if (flight.from == matrix && number != last) elements.push_back(flight.source());
            last = number;
        });
    }
    return rectangles_of(std::move(elements));
}

}  // namespace tilereel
