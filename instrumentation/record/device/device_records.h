#pragma once
// What a record of a traced launch says at a glance.
#include <bit>
#include <cstdint>

#include "kernels/dialect/device_trace.h"

namespace tilereel {

inline device::DeviceOperation operation_of(const device::DeviceRecord& record) {
    return device::site_operation(record.site);
}
inline bool is_of_engine(const device::DeviceRecord& record) {
    return device::is_of_engine(operation_of(record));
}
inline std::uint32_t lanes_of(const device::DeviceRecord& record) {
    return is_of_engine(record) ? 0 : record.mask;
}
inline std::uint32_t words_stored(std::uint32_t site) { return device::site_width_bytes(site) / 4; }

template <class Body>
void for_each_lane(std::uint32_t lanes, Body&& body) {
    for (; lanes != 0; lanes &= lanes - 1) body(static_cast<unsigned>(std::countr_zero(lanes)));
}

}  // namespace tilereel
