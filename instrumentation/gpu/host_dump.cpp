// Writes a recorded launch to a file for the parent. dump.h describes its layout.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "host_recording.h"

namespace tilereel_gpu {
namespace {

// In bytes. The contents of a larger region are not kept, nor those of regions beyond the total.
constexpr std::uint64_t kKeptOfOne = std::uint64_t{16} << 20;
constexpr std::uint64_t kKeptOfAll = std::uint64_t{96} << 20;

template <class T>
void write_part(std::FILE* file, const T* from, std::size_t count) {
    static constexpr char kZeros[8] = {};
    const std::size_t bytes = count * sizeof(T);
    std::fwrite(from, 1, bytes, file);
    std::fwrite(kZeros, 1, (8 - bytes % 8) % 8, file);
}
// Copies device memory to the file piece by piece.
void write_device(std::FILE* file, const void* from, std::uint64_t bytes) {
    std::vector<char> piece(std::min<std::uint64_t>(bytes, 32 << 20));
    for (std::uint64_t done = 0; done < bytes; done += piece.size()) {
        const std::uint64_t count = std::min<std::uint64_t>(piece.size(), bytes - done);
        cudaMemcpy(piece.data(), static_cast<const char*>(from) + done, count, cudaMemcpyDefault);
        std::fwrite(piece.data(), 1, count, file);
    }
    static constexpr char kZeros[8] = {};
    std::fwrite(kZeros, 1, (8 - bytes % 8) % 8, file);
}

}  // namespace

bool Recording::write_dump(const std::string& path, const std::vector<std::uint32_t>& chosen) {
    std::FILE* const file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) return false;
    int device = 0, driver = 0;
    cudaDeviceProp properties{};
    cudaGetDevice(&device);
    cudaGetDeviceProperties(&properties, device);
    cudaDriverGetVersion(&driver);
    const std::string device_name = properties.name;
    const std::string driver_name =
        "CUDA " + std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10);
    std::vector<DumpRegion> dumped;
    std::string names;
    std::uint64_t content = 8;  // offset 0 means that there is none
    for (const Region& region : regions_) {
        DumpRegion each{region.address,
                        region.bytes,
                        0,
                        0,
                        region.is_constant ? 1u : 0u,
                        static_cast<std::uint32_t>(region.symbol.size())};
        const std::uint64_t bytes = (region.bytes + 7) / 8 * 8;
        if (!region.is_constant && region.bytes <= kKeptOfOne &&
            content + 2 * bytes <= 2 * kKeptOfAll) {
            each.first = content;
            each.last = content + bytes;
            content += 2 * bytes;
        }
        names += region.symbol;
        dumped.push_back(each);
    }
    std::vector<std::uint64_t> parameters;
    const auto known = kernel_table().sizes.find(call_.symbol);
    const std::vector<std::uint32_t> sizes =
        known == kernel_table().sizes.end() ? std::vector<std::uint32_t>() : known->second;
    for (std::size_t i = 0; i < sizes.size() && call_.parameters != nullptr; ++i) {
        std::uint64_t value = 0;
        std::memcpy(&value, call_.parameters[i], std::min<std::size_t>(sizes[i], 8));
        parameters.push_back(value);
    }
    DumpHeader header{};
    std::memcpy(header.magic, kDumpMagic, 8);
    const std::uint32_t grid[] = {call_.grid.x, call_.grid.y, call_.grid.z};
    const std::uint32_t block[] = {call_.block.x, call_.block.y, call_.block.z};
    std::copy_n(grid, 3, header.grid);
    const std::uint32_t cluster[] = {cluster_.x, cluster_.y, cluster_.z};
    std::copy_n(block, 3, header.block);
    std::copy_n(cluster, 3, header.cluster);
    header.shared_bytes = shared_bytes();
    header.blocks = chosen.size();
    header.records = segment_begin_.back();
    header.variables = kMostVariables;
    header.regions = dumped.size();
    header.name_bytes = names.size();
    header.kernel_bytes = call_.symbol.size();
    header.device_bytes = device_name.size();
    header.driver_bytes = driver_name.size();
    header.parameter_count = parameters.size();
    const std::vector<DumpMap> maps = tensor_maps();
    header.maps = maps.size();
    header.content_bytes = content;
    std::vector<std::uint32_t> multiprocessors(counts_.size());
    std::vector<std::uint64_t> places(kMostVariables);
    const bool read = get(multiprocessors_, multiprocessors) && get(places_, places);
    write_part(file, &header, 1);
    write_part(file, chosen.data(), chosen.size());
    write_part(file, segment_begin_.data(), segment_begin_.size());
    write_part(file, counts_.data(), counts_.size());
    write_part(file, multiprocessors.data(), multiprocessors.size());
    write_device(file, records_.as<void>(), header.records * sizeof(DeviceRecord));
    write_device(file, words_.as<void>(), header.records * 32 * sizeof(std::uint32_t));
    write_part(file, places.data(), places.size());
    write_part(file, dumped.data(), dumped.size());
    write_part(file, names.data(), names.size());
    write_part(file, call_.symbol.data(), call_.symbol.size());
    write_part(file, device_name.data(), device_name.size());
    write_part(file, driver_name.data(), driver_name.size());
    write_part(file, parameters.data(), parameters.size());
    write_part(file, maps.data(), maps.size());
    const std::uint64_t no_content = 0;
    write_part(file, &no_content, 1);
    for (std::size_t i = 0; i < dumped.size(); ++i) {
        if (dumped[i].first == 0) continue;
        write_device(file, saved_.as<char>() + saved_at_[i], dumped[i].bytes);
        write_device(file, reinterpret_cast<void*>(dumped[i].address), dumped[i].bytes);
    }
    const bool failed = std::ferror(file) != 0;
    return std::fclose(file) == 0 && !failed && read;
}

}  // namespace tilereel_gpu
