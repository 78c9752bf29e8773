#pragma once
// A barrier in shared memory whose phases end once so many threads have arrived and all bytes that
// they announced have come (PTX ISA, "mbarrier"). The bytes come as late as they may: when somebody
// needs the phase to be over.
#include <cstdint>
#include <vector>

namespace tilereel {

template <class Copy>
class ArrivalBarrier {
  public:
    void init(std::uint32_t arrivals) {
        arrivals_ = pending_ = arrivals;
        phase_ = 0;
        announced_bytes_ = started_bytes_ = 0;
        copies_.clear();
    }
    [[nodiscard]] bool made() const { return arrivals_ != 0; }
    [[nodiscard]] std::uint32_t phase() const { return phase_; }  // under way
    [[nodiscard]] std::uint32_t pending() const { return pending_; }
    // All have arrived, and all bytes announced are on their way.
    [[nodiscard]] bool may_end() const {
        return made() && pending_ == 0 && announced_bytes_ == started_bytes_;
    }
    // Not if all have arrived but the phase cannot end. `arrivals`: at most pending().
    void arrive(std::uint32_t bytes, std::uint32_t arrivals = 1) {
        pending_ -= arrivals;
        announced_bytes_ += bytes;
    }
    // Later phases wait for one arrival fewer.
    void drop() { --arrivals_; }
    void start(const Copy& copy) {
        started_bytes_ += copy.bytes;
        copies_.push_back(copy);
    }
    // The phase ends: calls land(copy) for each of its copies, the oldest first.
    template <class Land>
    void end_phase(Land&& land) {
        for (const Copy& copy : copies_) land(copy);
        copies_.clear();
        announced_bytes_ = started_bytes_ = 0;
        pending_ = arrivals_;
        ++phase_;
    }
    [[nodiscard]] bool brings_bytes() const { return announced_bytes_ != 0; }

  private:
    std::uint32_t arrivals_ = 0, pending_ = 0, phase_ = 0;
    std::uint64_t announced_bytes_ = 0, started_bytes_ = 0;
    std::vector<Copy> copies_;
};

}  // namespace tilereel
