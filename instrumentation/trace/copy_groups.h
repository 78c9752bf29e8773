#pragma once
// The pending asynchronous copies of one thread, in groups (PTX ISA, cp.async.commit_group and
// cp.async.wait_group). A commit makes a group, which may be empty, of the copies since the last
// commit. A wait completes all groups but the newest ones. Uncommitted copies are never waited for.
#include <cstdint>
#include <deque>
#include <vector>

namespace tilereel {

template <class Copy>
class CopyGroups {
  public:
    void start(Copy copy) { open_.push_back(std::move(copy)); }
    void commit() {
        groups_.push_back(std::move(open_));
        open_.clear();
    }
    // Calls arrive(copy) for every copy of all groups but the `newest` latest ones, oldest first.
    template <class Arrive>
    void wait(std::uint32_t newest, Arrive&& arrive) {
        for (; groups_.size() > newest; groups_.pop_front())
            for (Copy& copy : groups_.front()) arrive(copy);
    }
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (const std::vector<Copy>& group : groups_)
            for (const Copy& copy : group) visit(copy);
        for (const Copy& copy : open_) visit(copy);
    }
    void clear() {
        groups_.clear();
        open_.clear();
    }

  private:
    std::deque<std::vector<Copy>> groups_;  // oldest first
    std::vector<Copy> open_;                // not committed
};

}  // namespace tilereel
