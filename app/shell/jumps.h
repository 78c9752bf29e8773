#pragma once
// Where the user has jumped from in the shown replay, so that Alt+Left goes back.
#include <cstdint>
#include <vector>

#include "app/workbench/workbench.h"

namespace tilereel {

class JumpHistory {
  public:
    // Applies the commands. If they jump to another moment or block, notes where the jump began.
    void apply(Workbench& workbench, const Commands& commands);
    // The commands that go back (-1) or forward (+1) by one jump. Empty: there is none.
    [[nodiscard]] Commands go(const Workbench& workbench, int direction);

  private:
    struct Place {
        std::uint32_t block = 0;
        double position = 0;  // ticks
        bool operator==(const Place&) const = default;
    };
    static Place place_of(const Workbench& workbench);
    void forget_former_recording(const Workbench& workbench);

    std::uint64_t recording_ = 0;  // Recording::id of the places
    std::vector<Place> back_, forward_;
};

// Whether the commands step, jump, or start and stop playing. This ends a notice about the moment.
[[nodiscard]] bool leaves_the_moment(const Commands& commands);

}  // namespace tilereel
