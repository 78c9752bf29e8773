#pragma once
// The L1 cache of one SM: lines of 128 bytes in sectors of 32, the least recently used line goes.
#include <array>
#include <cstdint>
#include <limits>
#include <list>
#include <unordered_map>

namespace tilereel {

class L1Cache {
  public:
    explicit L1Cache(std::size_t lines) : lines_(lines) {}

    // The clock at which the sector is there; sets `missed` if it has to be fetched, and then the
    // caller says when by arrives().
    double* look_up(std::uint64_t sector, bool& missed) {
        const std::uint64_t line = sector / kSectors;
        auto found = entries_.find(line);
        if (found == entries_.end()) {
            if (entries_.size() >= lines_ && !order_.empty()) {
                entries_.erase(order_.back());
                order_.pop_back();
            }
            order_.push_front(line);
            found = entries_.emplace(line, Entry{order_.begin(), {}}).first;
            found->second.there.fill(kNever);
        } else {
            order_.splice(order_.begin(), order_, found->second.place);
        }
        double& there = found->second.there[sector % kSectors];
        missed = there == kNever;
        return &there;
    }

  private:
    static constexpr std::uint64_t kSectors = 4;  // of a line
    static constexpr double kNever = std::numeric_limits<double>::infinity();
    struct Entry {
        std::list<std::uint64_t>::iterator place;
        std::array<double, kSectors> there;  // clock of arrival
    };
    std::size_t lines_;
    std::list<std::uint64_t> order_;  // latest first
    std::unordered_map<std::uint64_t, Entry> entries_;
};

}  // namespace tilereel
