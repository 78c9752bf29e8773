#pragma once
// What the 32 lanes of one warp did in one turn (from one barrier of any kind to the next), and how
// their sequences become warp-wide operations.
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "instrumentation/record/batch.h"
#include "instrumentation/record/convergence.h"
#include "kernels/dialect/emulated_thread.h"

namespace tilereel {

// What no event's key equals: a thread that expects it reports every event.
inline constexpr EventKey kNothingExpected = dialect::kNoEvent;

// Warp-wide events in order, one a row; an event of several words has kValueWord keys behind it.
struct EventRows {
    std::span<const EventKey> keys;
    std::span<const SiteId> sites;            // of the rows that are not kValueWord
    std::span<const std::uint32_t> masks;     // of each row; empty: `mask` for all
    std::uint32_t mask = 0;                   // lanes that took part in anything
    const std::uint32_t* words = nullptr;     // rows x kWarpSize
    std::span<const std::uint64_t> clocks{};  // of the rows that are not kValueWord; empty: unknown
    [[nodiscard]] std::uint32_t mask_of(std::size_t row) const {
        return masks.empty() ? mask : masks[row];
    }
};

class WarpEvents {
  public:
    // Sites are the batch's from now on.
    void begin_batch(Batch& batch);
    void begin_turn();
    // The lane's events go through dialect::running until end_lane().
    void begin_lane(unsigned lane);
    void end_lane();
    // An event that is not the one the first lane of the turn did there.
    void add_unexpected(EventKey key, const std::uint32_t* words);
    // The turn's rows; valid until the next turn begins.
    [[nodiscard]] EventRows rows();
    [[nodiscard]] std::uint64_t bytes() const;

  private:
    enum class Mode : std::uint8_t {
        kGuess,   // nobody has done anything: expects what the warp before did
        kLead,    // others will be expected to do what this lane does
        kFollow,  // does what the leader did
        kStray,   // has left the leader's sequence
    };
    // A matrix of words, kWarpSize a row, with a key and a site a row.
    struct Sequence {
        Column<EventKey> keys;
        Column<SiteId> sites;
        Column<std::uint32_t> masks;
        std::unique_ptr<std::uint32_t[], void (*)(void*)> words{nullptr, nullptr};
        std::size_t capacity_rows = 0;
        void append(EventKey key, SiteId site);
        void reserve(std::size_t rows);
        void truncate(std::size_t rows);
        [[nodiscard]] std::uint32_t* row(std::size_t i) { return words.get() + i * kWarpSize; }
    };
    class Head;
    [[nodiscard]] std::size_t row_of_running_lane() const;
    void align_lanes();

    Batch* batch_ = nullptr;
    Sequence lead_;              // the leader's sequence; every lane's words as far as it agrees
    Sequence aligned_;           // of strayed lanes, realigned
    std::size_t lead_rows_ = 0;  // rows of lead_ that the leader of this turn did
    bool has_leader_ = false;
    unsigned lane_ = 0;
    Mode mode_ = Mode::kGuess;
    std::array<std::size_t, kWarpSize> agreed_rows_{};           // of each lane
    std::array<std::vector<std::uint32_t>, kWarpSize> strayed_;  // key, words, key, words ...
};

}  // namespace tilereel
