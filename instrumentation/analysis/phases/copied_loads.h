#pragma once
// Finds the load from global memory whose value a store to shared memory copies. It compares the
// values, because a trace does not record registers.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <deque>
#include <map>

#include "instrumentation/base/check.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// One 4-byte word per lane that a request moved.
struct WarpWord {
    std::uint32_t mask = 0;                       // lanes
    std::array<std::uint32_t, kWarpSize> bits{};  // of the value: -0 and NaN are values too
    std::uint32_t tag = 0;                        // an identifier for the caller's use
};

// Counts, over a whole block, which store sites copy from which load sites. A lane that stores a
// constant 0 seems to copy any 0 that it loaded. Therefore values other than 0 decide which copies
// are real.
class CopyingSites {
  public:
    void note(SiteId load, SiteId store, std::uint32_t bits) {
        Count& count = counts_[load][store];
        ++(bits == 0 ? count.zeros : count.others);
    }
    // False if another store copies the load's values other than 0 more than twice as often.
    [[nodiscard]] bool may_copy(SiteId load, SiteId store) const;
    // Whether a copy was noted for which may_copy() is false.
    [[nodiscard]] bool contradicted() const;

  private:
    struct Count {
        std::uint64_t zeros = 0, others = 0;
    };
    std::map<SiteId, std::map<SiteId, Count>> counts_;  // by load, by store
};

// The loads of one warp whose values may still be stored. Call it for every load, multiply-add and
// store of the warp, in program order.
class CopiedLoads {
  public:
    void load(std::uint32_t epoch, const WarpWord& word) {
        loads_.push_back({word, epoch, batch_});
    }
    void multiply_add() { ++batch_; }

    // Calls visit(tag of the load, lane) for each lane of the store that copies a load. Each lane
    // of a load is copied once. The search goes through the loads since the last multiply-add
    // (earlier loads may have been operands), then those before it in this epoch, then those of the
    // epoch before. It looks first for loads that agree in all their lanes, then for single lanes
    // that agree, each time the oldest load first. It skips loads for which may_copy(tag) is false.
    template <class Visit, class MayCopy>
    void store(std::uint32_t epoch, WarpWord word, Visit&& visit, MayCopy&& may_copy);

    // `lane` has used a value as an operand: loads of it, those with is_operand(tag), are no longer
    // searched.
    template <class IsOperand>
    void forget(std::uint32_t lane, IsOperand&& is_operand) {
        dcheck(lane < kWarpSize);
        for (Load& load : loads_)
            if ((load.word.mask >> lane & 1u) != 0 && is_operand(load.word.tag))
                load.word.mask &= ~(1u << lane);
        std::erase_if(loads_, is_used);
    }

  private:
    struct Load {
        WarpWord word;
        std::uint32_t epoch = 0, batch = 0;
    };
    using Loads = std::deque<Load>;  // oldest first
    struct Range {
        Loads::iterator first, last;
    };
    [[nodiscard]] static bool is_used(const Load& load) { return load.word.mask == 0; }
    // The lanes that have the same value in both words.
    [[nodiscard]] static std::uint32_t agreeing(const WarpWord& a, const WarpWord& b);
    // The ranges of loads that store() searches, in this order: since the last multiply-add, before
    // it in this epoch, in the previous epoch.
    [[nodiscard]] std::array<Range, 3> ranges_to_search(std::uint32_t epoch);

    Loads loads_;
    std::uint32_t batch_ = 0;  // counts multiply-adds: the loads between two are a batch
};

template <class Visit, class MayCopy>
void CopiedLoads::store(std::uint32_t epoch, WarpWord word, Visit&& visit, MayCopy&& may_copy) {
    for (const bool whole : {true, false})
        for (const auto& [first, last] : ranges_to_search(epoch)) {
            bool found = false;
            for (auto load = first; load != last && word.mask != 0; ++load) {
                std::uint32_t agree = agreeing(load->word, word);
                if (agree == 0 || (whole && agree != load->word.mask)) continue;
                if (!may_copy(load->word.tag)) continue;
                found = true;
                load->word.mask &= ~agree;
                word.mask &= ~agree;
                for (; agree != 0; agree &= agree - 1)
                    visit(load->word.tag, static_cast<std::uint32_t>(std::countr_zero(agree)));
            }
            if (!found) continue;
            loads_.erase(std::remove_if(first, last, is_used), last);
            return;
        }
}

}  // namespace tilereel
