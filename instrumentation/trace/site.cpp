#include "instrumentation/trace/site.h"

#include <array>

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

}  // namespace tilereel
