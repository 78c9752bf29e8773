#pragma once
// The file that the recording of a launch writes (dump.h), mapped into memory.
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/base/result.h"
#include "instrumentation/gpu/dump.h"

namespace tilereel::gpu {

class GpuDump {
  public:
    // Fails if the file is incomplete.
    [[nodiscard]] static Result<GpuDump> open(const std::filesystem::path& path);
    GpuDump(GpuDump&& other) noexcept;
    GpuDump& operator=(GpuDump&&) = delete;
    ~GpuDump();

    tilereel_gpu::DumpHeader header{};
    std::span<const std::uint32_t> blocks;         // recorded, ascending
    std::span<const std::uint64_t> segment_begin;  // [warps + 1]
    std::span<const std::uint64_t> counts;         // [warps]
    std::span<const std::uint32_t> multiprocessors;
    std::span<const tilereel_gpu::DeviceRecord> records;
    std::span<const std::uint32_t> words;   // 32 per record
    std::span<const std::uint64_t> places;  // by variable
    std::span<const tilereel_gpu::DumpRegion> regions;
    std::vector<std::string> symbols;  // of regions
    std::string_view kernel, device, driver;
    std::span<const std::uint64_t> parameters;
    std::span<const tilereel_gpu::DumpMap> maps;
    std::span<const std::byte> contents;

    [[nodiscard]] std::uint32_t warps() const {  // per block
        return (header.block[0] * header.block[1] * header.block[2] + 31) / 32;
    }

  private:
    GpuDump() = default;
    Status read();

    void* memory_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace tilereel::gpu
