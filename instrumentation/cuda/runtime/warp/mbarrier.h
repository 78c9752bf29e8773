#pragma once
// A model of a PTX mbarrier: a phase completes when the expected number of threads has arrived and
// the announced bytes (tx-count) have been copied. Copies complete as late as possible: when a
// thread waits for the phase, or uses the barrier in the next phase.
#include <cstdint>
#include <vector>

namespace tilereel {

template <class Copy>
class MBarrier {
  public:
    void init(std::uint32_t arrivals) {
        arrivals_ = pending_ = arrivals;
        phase_ = 0;
        announced_bytes_ = started_bytes_ = 0;
        copies_.clear();
    }
    [[nodiscard]] bool initialised() const { return arrivals_ != 0; }
    [[nodiscard]] std::uint32_t phase() const { return phase_; }      // the incomplete one
    [[nodiscard]] std::uint32_t pending() const { return pending_; }  // arrivals still expected
    // Whether all threads have arrived and copies of all announced bytes have been started.
    [[nodiscard]] bool may_complete() const {
        return initialised() && pending_ == 0 && announced_bytes_ == started_bytes_;
    }
    // `bytes`: added to the tx-count (mbarrier.expect_tx). `arrivals`: at most pending().
    void arrive(std::uint32_t bytes, std::uint32_t arrivals = 1) {
        pending_ -= arrivals;
        announced_bytes_ += bytes;
    }
    // Later phases expect one arrival fewer (mbarrier.arrive_drop).
    void drop() { --arrivals_; }
    void start(const Copy& copy) {
        started_bytes_ += copy.bytes;
        copies_.push_back(copy);
    }
    // Completes the phase: calls land(copy) for each of its copies, oldest first.
    template <class Land>
    void complete_phase(Land&& land) {
        for (const Copy& copy : copies_) land(copy);
        copies_.clear();
        announced_bytes_ = started_bytes_ = 0;
        pending_ = arrivals_;
        ++phase_;
    }
    [[nodiscard]] bool expects_bytes() const { return announced_bytes_ != 0; }

  private:
    std::uint32_t arrivals_ = 0, pending_ = 0, phase_ = 0;
    std::uint64_t announced_bytes_ = 0, started_bytes_ = 0;
    std::vector<Copy> copies_;
};

}  // namespace tilereel
