#pragma once
// Which bytes of an allocation have been written since it was made. They may count as written
// although they are not; never the other way round.
#include <cstdint>
#include <utility>
#include <vector>

namespace tilereel::runtime {

class WrittenBytes {
  public:
    void note(std::uint64_t begin, std::uint64_t end);
    void note_all() {
        all_ = true;
        ranges_.clear();
    }
    [[nodiscard]] bool all() const { return all_; }
    // Whether any byte from `begin` to `end` - 1 has been written.
    [[nodiscard]] bool any_of(std::uint64_t begin, std::uint64_t end) const;
    using Range = std::pair<std::uint64_t, std::uint64_t>;  // [first, second)
    // Ascending and disjoint; empty if all bytes are written.
    [[nodiscard]] const std::vector<Range>& ranges() const { return ranges_; }

  private:
    bool all_ = false;
    std::vector<Range> ranges_;
};

}  // namespace tilereel::runtime
