#pragma once
// The arrays of one kernel at one n on a device: the inputs in all variants, and sets of all arrays
// for launches, each of which uses a set of its own.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "app/race/other_kernels/work_data.h"
#include "app/race/other_kernels/work_device.h"

namespace tilereel {

class WorkArrays {
  public:
    // `most_bytes`: of all sets. There is at least one set. kFailed if there is no memory for it.
    static Result<WorkArrays> make(WorkDevice& device, const OwnWork& work, const WorkData& data,
                                   std::int64_t n, std::uint64_t most_bytes);
    // More sets, up to `wanted` or as many as the limit allows.
    Status reserve(WorkDevice& device, std::size_t wanted);
    [[nodiscard]] std::size_t sets() const { return sets_.size(); }
    [[nodiscard]] void* const* pointers(std::size_t set) const { return sets_[set].arrays.data(); }
    [[nodiscard]] std::uint64_t output_bytes() const;  // of one set

    // Gives a set the inputs of a variant. What is only written is poisoned, so that results of an
    // earlier launch are gone.
    Status prepare(WorkDevice& device, std::size_t set, int variant) const;
    // What a launch wrote, by array; empty for arrays that are not written.
    [[nodiscard]] Result<std::vector<std::vector<std::byte>>> outputs(WorkDevice& device,
                                                                      std::size_t set) const;

  private:
    struct Set {
        std::shared_ptr<std::byte> memory;
        std::vector<void*> arrays;
    };
    [[nodiscard]] std::byte* array(std::size_t set, std::size_t index) const {
        return static_cast<std::byte*>(sets_[set].arrays[index]);
    }

    const OwnWork* work_ = nullptr;
    std::vector<std::uint64_t> bytes_;                // by array
    std::vector<std::uint64_t> recorded_;             // elements of the recorded inputs, by array
    std::vector<std::shared_ptr<std::byte>> inputs_;  // by array: all variants, one after another
    std::uint64_t set_bytes_ = 0, most_bytes_ = 0;
    std::vector<Set> sets_;
};

}  // namespace tilereel
