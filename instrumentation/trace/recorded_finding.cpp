#include "instrumentation/trace/recorded_finding.h"

#include <array>

namespace tilereel {

std::string_view finding_name(RecordedFindingKind kind) {
    constexpr std::array<std::string_view, 13> kNames = {
        "out of bounds", "misaligned",   "uninitialised read",  "refused launch",
        "never ran",     "endless loop", "barrier not reached", "host access",
        "not freed",     "assertion",    "unsupported",         "other",
        "subscript"};
    return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace tilereel
