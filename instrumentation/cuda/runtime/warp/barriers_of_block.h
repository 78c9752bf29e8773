#pragma once
// The mbarriers of the running block (PTX ISA, mbarrier), the bulk copies that their phases wait
// for, and the threads that wait for a phase.
#include <bit>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "instrumentation/cuda/runtime/running.h"
#include "instrumentation/cuda/runtime/warp/box_copies.h"
#include "instrumentation/cuda/runtime/warp/mbarrier.h"

namespace tilereel::runtime {

class SharedBarriers {
  public:
    struct InFlight {
        std::uint32_t bytes = 0;
        // Shared by the barrier's phase and the records of the block.
        std::shared_ptr<const BoxCopy> copy;
    };
    using Barrier = MBarrier<InFlight>;
    // A copy to this block that another block of the cluster has started. It is recorded where a
    // thread of this block first waits for its phase.
    struct Landing {
        const void* barrier = nullptr;
        std::uint32_t phase = 0;
        std::shared_ptr<const BoxCopy> copy;
        const Site* started_at = nullptr;
    };
    // The phase that a thread waits for. A thread that polls (mbarrier.test_wait) continues when
    // no other thread can.
    struct Awaited {
        const void* barrier = nullptr;
        std::uint32_t phase = 0;
        bool polls = false;
        const Site* site = nullptr;  // of the wait
    };

    // Called at the beginning of a block.
    void clear() {
        barriers_.clear();
        if (keeps_all_) {
            stores_.insert(stores_.end(), copies_.begin(), copies_.end());
        } else {
            stores_.clear();
        }
        copies_.clear();
        waiting_.clear();
        landings_.clear();
    }
    // Copies stay until the launch ends: its blocks are recorded only then.
    void keep_all() { keeps_all_ = true; }
    void add_landing(const Landing& landing) { landings_.push_back(landing); }
    // Those of the barrier's phases up to this one, oldest first. They are forgotten.
    [[nodiscard]] std::vector<Landing> take_landings(const void* barrier, std::uint32_t phase) {
        std::vector<Landing> taken;
        std::erase_if(landings_, [&](const Landing& landing) {
            if (landing.barrier != barrier || landing.phase > phase) return false;
            taken.push_back(landing);
            return true;
        });
        return taken;
    }
    [[nodiscard]] Barrier& at(const void* address) { return barriers_[address]; }
    [[nodiscard]] std::size_t count() const { return barriers_.size(); }
    // Keeps the copy until the block has been recorded.
    void keep(const std::shared_ptr<const BoxCopy>& copy) { copies_.push_back(copy); }
    void keep_store(std::shared_ptr<const BoxCopy> copy) { stores_.push_back(std::move(copy)); }
    // The latest copy that wrote the bytes at an address of shared memory; null: none was kept.
    [[nodiscard]] const BoxCopy* copy_to(std::uint64_t address) const {
        for (auto copy = copies_.rbegin(); copy != copies_.rend(); ++copy) {
            const auto& pieces = (*copy)->pieces;
            if (!pieces.empty() && address - pieces.front().to < (*copy)->bytes) return copy->get();
        }
        return nullptr;
    }
    // Whether the phase is complete. If Barrier::may_complete(), completes the phase first and
    // writes its copies to shared memory.
    [[nodiscard]] static bool is_complete(Barrier& barrier, std::uint32_t phase) {
        if (barrier.phase() == phase && barrier.may_complete()) complete_phase(barrier);
        return barrier.initialised() && barrier.phase() > phase;
    }
    static void complete_phase(Barrier& barrier) {
        barrier.complete_phase([](const InFlight& copy) { write_to_shared(*copy.copy); });
    }

    // Adds the thread to the waiting lanes of its warp.
    void add_waiting(std::uint32_t thread, const Awaited& awaited) {
        const std::uint32_t warp = thread / kLanes;
        if (waiting_.size() <= warp) waiting_.resize(warp + 1);
        waiting_[warp].lanes |= 1u << thread % kLanes;
        waiting_[warp].awaited.resize(kLanes);
        waiting_[warp].awaited[thread % kLanes] = awaited;
    }
    // The lanes of a warp that wait for a phase.
    [[nodiscard]] std::uint32_t waiting(std::uint32_t warp) const {
        return warp < waiting_.size() ? waiting_[warp].lanes : 0;
    }
    [[nodiscard]] const Awaited& awaited(std::uint32_t thread) const {
        return waiting_[thread / kLanes].awaited[thread % kLanes];
    }
    // Whether all waiting lanes of the warp wait at the same site.
    [[nodiscard]] bool wait_together(std::uint32_t warp) const {
        const Waiting& waiting = waiting_[warp];
        const Site* const site =
            waiting.awaited[static_cast<std::size_t>(std::countr_zero(waiting.lanes))].site;
        for (std::uint32_t left = waiting.lanes; left != 0; left &= left - 1)
            if (waiting.awaited[static_cast<std::size_t>(std::countr_zero(left))].site != site)
                return false;
        return true;
    }
    // Removes lanes from the waiting ones and returns them: take_ready() the lanes whose phase is
    // complete or may end, take_polling() the lanes that poll.
    std::uint32_t take_ready(std::uint32_t warp) {
        return take(warp, [this](const Awaited& awaited) {
            const Barrier& barrier = at(awaited.barrier);
            return barrier.initialised() &&
                   (barrier.phase() > awaited.phase ||
                    (barrier.phase() == awaited.phase && barrier.may_complete()));
        });
    }
    std::uint32_t take_polling(std::uint32_t warp) {
        return take(warp, [](const Awaited& awaited) { return awaited.polls; });
    }

  private:
    template <class MayContinue>
    std::uint32_t take(std::uint32_t warp, MayContinue&& may_continue) {
        std::uint32_t lanes = 0;
        for (std::uint32_t left = waiting(warp); left != 0; left &= left - 1)
            if (may_continue(
                    waiting_[warp].awaited[static_cast<std::size_t>(std::countr_zero(left))]))
                lanes |= left & (0u - left);
        if (lanes != 0) waiting_[warp].lanes &= ~lanes;
        return lanes;
    }

    struct Waiting {
        std::uint32_t lanes = 0;
        std::vector<Awaited> awaited;  // by lane
    };
    std::unordered_map<const void*, Barrier> barriers_;  // by address
    std::vector<std::shared_ptr<const BoxCopy>> copies_;
    std::vector<std::shared_ptr<const BoxCopy>> stores_;  // and with keeps_all_ former copies
    bool keeps_all_ = false;
    std::vector<Waiting> waiting_;  // by warp
    std::vector<Landing> landings_;
};

// Whether the program includes a header that provides mbarriers.
[[nodiscard]] bool uses_shared_barriers();

}  // namespace tilereel::runtime
