#include "tests/record/device/fake_gpu.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "instrumentation/record/record.h"

namespace tilereel::testing {
namespace {

std::mutex calls_mutex;

class FakeCopy final : public HostCopy {
  public:
    explicit FakeCopy(FakeGpu& gpu) : gpu_(gpu) {}
    Result<const std::byte*> copy(const void* device, std::uint64_t bytes) override {
        if (const Status called = gpu_.next_call(); !called) return called.error();
        memory_.resize(bytes);
        std::memcpy(memory_.data(), device, bytes);
        return static_cast<const std::byte*>(memory_.data());
    }

  private:
    FakeGpu& gpu_;
    std::vector<std::byte> memory_;
};

Result<Trace> emulate_launch(const TracedLaunch& launch) {
    const auto floats = [](const DeviceArray& array) {
        const auto* first = static_cast<const float*>(array.first);
        return std::vector<float>(first, first + array.count);
    };
    RecordRequest request;
    request.kernel = launch.kernel;
    request.parameters = launch.parameters;
    request.inputs = {floats(launch.a), floats(launch.b)};
    request.accumulator_interval = 1;
    request.workers = 1;
    return record_with_emulator(request);
}

void write_warp(const WarpRecords& warp, std::size_t number, const device::DeviceTrace& to) {
    to.record_counts[number] = static_cast<std::uint32_t>(warp.records.size());
    if (to.records == nullptr) return;
    for (std::size_t i = 0; i < warp.records.size(); ++i) {
        const std::uint64_t at = to.segment_begin[number] + i;
        if (at >= to.segment_begin[number + 1]) {
            ++*to.left_out;
            continue;
        }
        to.records[at] = warp.records[i];
        std::memcpy(to.lane_words + at * 32, warp.lane_words[i].data(), 128);
    }
}

void write_shared_arrays(const Trace& trace, const device::DeviceTrace& to) {
    for (const Array& array : trace.arrays)
        if (array.space == Space::kShared)
            to.shared_arrays[(*to.shared_array_count)++] = {
                array.base_bytes, static_cast<std::uint32_t>(array.size_bytes())};
}

}  // namespace

FakeGpu::~FakeGpu() {
    for (const auto& [memory, bytes] : live_) std::free(memory);
}

Status FakeGpu::next_call() {
    const std::lock_guard lock(calls_mutex);
    ++calls;
    if (fails_at_call != 0 && calls >= fails_at_call) return failed("the GPU was lost");
    return Done{};
}

std::uint64_t FakeGpu::used() const {
    std::uint64_t bytes = 0;
    for (const auto& entry : live_) bytes += entry.second;
    return bytes;
}

Result<std::uint64_t> FakeGpu::free_bytes() {
    if (const Status called = next_call(); !called) return called.error();
    return memory_bytes - used();
}

Result<void*> FakeGpu::take(std::uint64_t bytes) {
    if (const Status called = next_call(); !called) return called.error();
    if (used() + bytes > memory_bytes) return failed("the GPU has run out of memory");
    void* memory = std::malloc(bytes + 1);
    std::memset(memory, 0xa5, bytes);  // a GPU's memory is not clear
    live_[memory] = bytes;
    ++allocations;
    most_bytes = std::max(most_bytes, used());
    return memory;
}

void FakeGpu::give_back(void* memory) noexcept {
    live_.erase(memory);
    std::free(memory);
}

Status FakeGpu::write(void* device, const void* host, std::uint64_t bytes) {
    if (const Status called = next_call(); !called) return called;
    std::memcpy(device, host, bytes);
    return Done{};
}

Status FakeGpu::read(void* host, const void* device, std::uint64_t bytes) {
    if (const Status called = next_call(); !called) return called;
    if (bytes != 0) std::memcpy(host, device, bytes);
    return Done{};
}

Status FakeGpu::fill(void* device, unsigned char byte, std::uint64_t bytes) {
    if (const Status called = next_call(); !called) return called;
    std::memset(device, byte, bytes);
    return Done{};
}

std::unique_ptr<HostCopy> FakeGpu::host_copy() { return std::make_unique<FakeCopy>(*this); }

Result<double> FakeGpu::run(const TracedLaunch& launch) {
    if (const Status called = next_call(); !called) return called.error();
    if (during_run) during_run();
    if (!emulated_) {
        Result<Trace> trace = emulate_launch(launch);
        if (!trace) return trace.error();
        emulated_ = std::move(trace).value();
    }
    const auto pass = static_cast<std::uint32_t>(runs);
    const std::vector<WarpRecords> warps =
        parts_more_each_pass
            ? as_device_records(*emulated_, Convergence::kInGroups, 1, 32u >> std::min(pass, 5u))
            : as_device_records(*emulated_, convergence, scatter_seed + pass);
    for (std::size_t warp = 0; warp < warps.size(); ++warp) {
        write_warp(warps[warp], warp, launch.trace);
        launch.trace.multiprocessors[warp] =
            static_cast<std::uint32_t>(warp / emulated_->launch.warps() % 132);
    }
    write_shared_arrays(*emulated_, launch.trace);
    *launch.trace.faults = faults;
    auto* c = static_cast<float*>(const_cast<void*>(launch.c.first));
    std::memcpy(c, emulated_->c.data(), emulated_->c.size() * sizeof(float));
    if (wrong_product) c[0] += 1000;
    ++runs;
    return 1.5;
}

}  // namespace tilereel::testing
