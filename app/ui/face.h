#pragma once
// The font faces.
#include <cstdint>

namespace tilereel {

enum class Face : std::uint8_t { kRegular, kSemiBold, kBold, kMono, kMonoBold };

}  // namespace tilereel
