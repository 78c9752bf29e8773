#include "instrumentation/analysis/generation.h"

#include <algorithm>
#include <array>

namespace tilereel {
namespace {

// Compute capabilities 5.0 to 9.0 share one rule: 32 banks of 4 bytes, 32-byte sectors, 128-byte
// lines. CUDA C++ Programming Guide, "Compute Capabilities", "Shared Memory" of 5.x and later; the
// table in tests/hardware/ was measured on 9.0. Newest first.
constexpr std::array kGenerations = {
    Generation{.id = "9.0", .title = "H100 (9.0)"},
    Generation{.id = "8.9", .title = "RTX 4090 (8.9)"},
    Generation{.id = "8.6", .title = "RTX 3090 (8.6)"},
    Generation{.id = "8.0", .title = "A100 (8.0)"},
    Generation{.id = "7.5", .title = "RTX 2080 (7.5)"},
    Generation{.id = "7.0", .title = "V100 (7.0)"},
    Generation{.id = "6.1", .title = "GTX 1080 (6.1)"},
    Generation{.id = "6.0", .title = "P100 (6.0)"},
    Generation{.id = "5.2", .title = "GTX 980 (5.2)"},
    Generation{.id = "5.0", .title = "GTX 750 Ti (5.0)"},
};

}  // namespace

std::span<const Generation> generations() { return kGenerations; }

const Generation& default_generation() { return kGenerations.front(); }

const Generation* find_generation(std::string_view id) {
    const auto found = std::ranges::find(kGenerations, id, &Generation::id);
    return found == kGenerations.end() ? nullptr : &*found;
}

}  // namespace tilereel
