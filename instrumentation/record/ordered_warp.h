#pragma once
// A warp whose lanes wait before each access until it is their turn: what every lane is about to
// do, and what the warp has done in this epoch.
#include <array>
#include <cstdint>

#include "instrumentation/record/convergence.h"
#include "instrumentation/record/warp_log.h"

namespace tilereel {

class OrderedWarp {
  public:
    OrderedWarp() { standing_.fill(kEnd); }

    void begin_epoch();
    void begin_turn();  // after a barrier of the warp

    // The lane's next event after those it is about to do already. Multiply-adds may pile up, since
    // they touch registers only; an access is the last until the lane has done it.
    void expect(unsigned lane, EventKey key, const std::uint32_t* words);

    // Lanes together. The multiply-adds that come before the warp's next access are done.
    void do_multiply_adds();
    // The lanes that do the warp's next access, which is no longer expected; 0: there is none.
    [[nodiscard]] std::uint32_t take_access();

    // One lane by itself: up to its next access, which is no longer expected. False: there is none.
    [[nodiscard]] bool take_access_of(unsigned lane);

    void add_barrier(EventKey key, std::uint32_t lanes);
    // What happens besides in the access that was taken last: room for its words, as WarpLog::add.
    [[nodiscard]] std::uint32_t* add(EventKey key, std::uint32_t lanes) {
        return log_.add(key, lanes);
    }
    [[nodiscard]] const WarpLog& log() const { return log_; }
    [[nodiscard]] std::uint64_t bytes() const { return log_.bytes(); }

  private:
    static constexpr std::uint64_t kEnd = ConvergenceOrder::kEnd;
    struct Lane {
        Column<std::uint32_t> expected;  // key, words, key, words ...
        std::size_t next = 0;
        ConvergenceOrder order;
    };
    // The lanes whose next event comes first, and that event.
    struct Next {
        EventKey key = dialect::kNoEvent;
        std::uint32_t lanes = 0;
    };
    [[nodiscard]] Next next() const;
    void take(const Next& event);

    std::array<Lane, kWarpSize> lanes_;
    std::array<std::uint64_t, kWarpSize> standing_;  // of each lane's next event
    WarpLog log_;
};

}  // namespace tilereel
