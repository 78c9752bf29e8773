#pragma once
// The device on which kernels that are no products race: memory and a clock. A GPU, or a fake in
// tests. Used by one thread at a time.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "app/race/race.h"
#include "app/race/runners/lap.h"

namespace tilereel {

class WorkDevice {
  public:
    virtual ~WorkDevice() = default;
    [[nodiscard]] virtual RaceMachine machine(const std::atomic<bool>& cancel) = 0;
    [[nodiscard]] virtual Conditions conditions() = 0;
    [[nodiscard]] virtual std::uint64_t free_bytes() = 0;
    // Memory of the device, freed with the last reference. kFailed: there is not enough.
    virtual Result<std::shared_ptr<std::byte>> memory(std::uint64_t bytes) = 0;
    // Between host and device. They return when it is done.
    virtual Status upload(std::byte* to, std::span<const std::byte> from) = 0;
    virtual Status download(std::span<std::byte> to, const std::byte* from) = 0;
    // On the device. They may return before it is done.
    virtual Status copy(std::byte* to, const std::byte* from, std::uint64_t bytes) = 0;
    virtual Status fill(std::byte* to, int value, std::uint64_t bytes) = 0;
    // Waits until the whole device is idle, calls `launches`, and waits again. The clock runs on
    // the stream on which kernels are launched.
    virtual Result<Lap> time(const std::function<Status()>& launches) = 0;
};

// kFailed with the reason if there is no GPU.
Result<std::unique_ptr<WorkDevice>> make_gpu_work_device();

}  // namespace tilereel
