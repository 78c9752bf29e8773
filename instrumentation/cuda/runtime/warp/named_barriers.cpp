#include "instrumentation/cuda/runtime/warp/named_barriers.h"

#include "instrumentation/cuda/runtime/running.h"

namespace tilereel::runtime {
namespace {

constexpr std::uint32_t kCounts = 1024 / kLanes + 1;
constexpr unsigned char kKeys[NamedBarriers::kCount * kCounts] = {};

std::size_t number_of(const void* key) {
    return static_cast<std::size_t>(static_cast<const unsigned char*>(key) - kKeys);
}

}  // namespace

const void* NamedBarriers::key(std::uint32_t number, std::uint32_t threads) {
    return kKeys + number % kCount * kCounts + threads / kLanes % kCounts;
}

bool NamedBarriers::is_key(const void* address) {
    return address >= static_cast<const void*>(kKeys) && number_of(address) < sizeof kKeys;
}

std::uint32_t NamedBarriers::place(const void* key) {
    return kFirstPlace + static_cast<std::uint32_t>(number_of(key));
}

}  // namespace tilereel::runtime
