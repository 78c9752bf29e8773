#pragma once
// Where the records of a traced launch are read from, record by record of the whole launch.
#include <cstdint>

#include "instrumentation/base/result.h"
#include "kernels/dialect/device_trace.h"

namespace tilereel {

class RecordSource {
  public:
    virtual ~RecordSource() = default;
    // `count` from `begin` on; each valid until the next call of the same function.
    virtual Result<const device::DeviceRecord*> records(std::uint64_t begin,
                                                        std::uint64_t count) = 0;
    // 32 words a record.
    virtual Result<const std::uint32_t*> lane_words(std::uint64_t begin, std::uint64_t count) = 0;
};

}  // namespace tilereel
