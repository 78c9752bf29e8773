#include "instrumentation/trace/site.h"

#include <array>

#include "instrumentation/trace/recorded_finding.h"

namespace tilereel {

std::string_view function_name(AtomicKind kind) {
    constexpr std::array<std::string_view, 11> kNames = {
        "atomicAdd", "atomicSub", "atomicMin", "atomicMax",  "atomicInc", "atomicDec",
        "atomicAnd", "atomicOr",  "atomicXor", "atomicExch", "atomicCAS"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string_view function_name(ExchangeKind kind) {
    constexpr std::array<std::string_view, 11> kNames = {
        "__shfl_sync",      "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync",
        "__all_sync",       "__any_sync",     "__ballot_sync",    "__match_any_sync",
        "__match_all_sync", "__reduce_sync",  "__activemask"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string_view finding_name(RecordedFindingKind kind) {
    constexpr std::array<std::string_view, 12> kNames = {
        "out of bounds", "misaligned",   "uninitialised read",  "refused launch",
        "never ran",     "endless loop", "barrier not reached", "host access",
        "not freed",     "assertion",    "not taken",           "other"};
    return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace tilereel
