#pragma once
// What decides where the words of a kernel lie in shared memory, and when a change of it is shown
// as words that slide to their new banks.
#include <cstdint>
#include <string>

#include "instrumentation/trace/trace.h"

namespace tilereel {

struct SharedForm {
    std::string kernel;
    std::uint32_t tile = 0, pad = 0;
    bool operator==(const SharedForm&) const = default;
};

[[nodiscard]] inline SharedForm form_of(const Launch& launch) {
    return {launch.kernel, launch.tile, launch.pad};
}

// Whether only TILE or PAD differ.
[[nodiscard]] inline bool slides(const SharedForm& from, const SharedForm& to) {
    return from.kernel == to.kernel && from != to;
}

}  // namespace tilereel
