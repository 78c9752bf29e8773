#pragma once
// A GPU made of host memory: it emulates a traced launch and writes what a GPU would have written.
#include <functional>
#include <map>
#include <optional>

#include "kernels/cuda/gpu.h"
#include "tests/record/device/device_trace_writer.h"

namespace tilereel::testing {

class FakeGpu final : public Gpu {
  public:
    ~FakeGpu() override;
    // What it does, set by the test.
    Convergence convergence = Convergence::kTogether;
    std::uint64_t memory_bytes = std::uint64_t{1} << 30;
    std::uint32_t scatter_seed = 1;  // of the first pass, one more in each that follows
    int fails_at_call = 0;           // the n-th call of any kind fails, and all after it; 0: none
    device::DeviceFaults faults{};   // as if the kernel had made them
    bool parts_more_each_pass = false;  // groups of 32, 16, 8, ... lanes
    bool wrong_product = false;
    int capability = 90;
    std::function<void()> during_run;

    // What was asked of it.
    int calls = 0, runs = 0;
    std::uint64_t allocations = 0, most_bytes = 0;
    [[nodiscard]] std::uint64_t live_allocations() const { return live_.size(); }

    [[nodiscard]] GpuName name() const override { return {"Fake 9000", "123.45"}; }
    [[nodiscard]] int compute_capability() const override { return capability; }
    Result<std::uint64_t> free_bytes() override;
    Status write(void* device, const void* host, std::uint64_t bytes) override;
    Status read(void* host, const void* device, std::uint64_t bytes) override;
    Status fill(void* device, unsigned char byte, std::uint64_t bytes) override;
    std::unique_ptr<HostCopy> host_copy() override;
    Result<double> run(const TracedLaunch& launch) override;
    // Also from the threads that convert.
    Status next_call();

  private:
    Result<void*> take(std::uint64_t bytes) override;
    void give_back(void* memory) noexcept override;
    [[nodiscard]] std::uint64_t used() const;

    std::map<void*, std::uint64_t> live_;
    std::optional<Trace> emulated_;
};

}  // namespace tilereel::testing
