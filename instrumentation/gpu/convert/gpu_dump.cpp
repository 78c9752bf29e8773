#include "instrumentation/gpu/convert/gpu_dump.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include "instrumentation/contract/cluster_layout.h"
#include "instrumentation/trace/trace.h"

namespace tilereel::gpu {
namespace {

constexpr std::uint64_t kMostBlocks = std::uint64_t{1} << 32;

Error damaged() { return failed("the GPU's recording is incomplete; record again"); }

// Reads the parts of the file one after another.
class Parts {
  public:
    Parts(const std::byte* at, std::size_t left) : at_(at), left_(left) {}
    template <class T>
    std::span<const T> take(std::uint64_t count) {
        if (count > left_ / sizeof(T)) {
            complete_ = false;
            return {};
        }
        const std::span<const T> part(reinterpret_cast<const T*>(at_), count);
        const std::size_t bytes = (count * sizeof(T) + 7) / 8 * 8;
        if (bytes > left_) complete_ = false;
        at_ += complete_ ? bytes : 0;
        left_ -= complete_ ? bytes : 0;
        return part;
    }
    std::string_view text(std::uint64_t bytes) {
        const std::span<const char> part = take<char>(bytes);
        return {part.data(), part.size()};
    }
    [[nodiscard]] bool complete() const { return complete_; }

  private:
    const std::byte* at_;
    std::size_t left_;
    bool complete_ = true;
};

// Whether the grid and its clusters fit each other, and the blocks are whole clusters, ascending.
bool are_blocks_of(const tilereel_gpu::DumpHeader& header, std::span<const std::uint32_t> blocks) {
    std::uint64_t count = 1, of_cluster = 1;
    for (int i = 0; i < 3; ++i) {
        if (header.cluster[i] == 0 || header.grid[i] == 0 ||
            header.grid[i] % header.cluster[i] != 0)
            return false;
        if (count > kMostBlocks / header.grid[i]) return false;
        count *= header.grid[i];
        of_cluster *= header.cluster[i];
    }
    if (!std::ranges::is_sorted(blocks, std::ranges::less_equal()) ||
        (!blocks.empty() && blocks.back() >= count))
        return false;
    const Dim3 grid{header.grid[0], header.grid[1], header.grid[2]};
    const Dim3 cluster{header.cluster[0], header.cluster[1], header.cluster[2]};
    return of_cluster == 1 ||
           std::ranges::equal(
               blocks, contract::whole_clusters(grid, cluster, {blocks.begin(), blocks.end()}));
}

}  // namespace

Result<GpuDump> GpuDump::open(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return failed("cannot read " + path.string());
    GpuDump dump;
    struct stat facts {};
    if (fstat(file, &facts) == 0 && facts.st_size > 0) {
        dump.bytes_ = static_cast<std::size_t>(facts.st_size);
        void* const memory = mmap(nullptr, dump.bytes_, PROT_READ, MAP_PRIVATE, file, 0);
        dump.memory_ = memory == MAP_FAILED ? nullptr : memory;
    }
    close(file);
    TRY(dump.read());
    return dump;
}

GpuDump::GpuDump(GpuDump&& other) noexcept
    : header(other.header),
      blocks(other.blocks),
      segment_begin(other.segment_begin),
      counts(other.counts),
      multiprocessors(other.multiprocessors),
      records(other.records),
      words(other.words),
      places(other.places),
      regions(other.regions),
      symbols(std::move(other.symbols)),
      kernel(other.kernel),
      device(other.device),
      driver(other.driver),
      parameters(other.parameters),
      maps(other.maps),
      contents(other.contents),
      memory_(std::exchange(other.memory_, nullptr)),
      bytes_(other.bytes_) {}

GpuDump::~GpuDump() {
    if (memory_ != nullptr) munmap(memory_, bytes_);
}

Status GpuDump::read() {
    if (memory_ == nullptr) return damaged();
    Parts parts(static_cast<const std::byte*>(memory_), bytes_);
    const auto head = parts.take<tilereel_gpu::DumpHeader>(1);
    if (head.empty() || std::memcmp(head[0].magic, tilereel_gpu::kDumpMagic, 8) != 0)
        return damaged();
    header = head[0];
    blocks = parts.take<std::uint32_t>(header.blocks);
    const std::uint64_t all_warps = header.blocks * warps();
    segment_begin = parts.take<std::uint64_t>(all_warps + 1);
    counts = parts.take<std::uint64_t>(all_warps);
    multiprocessors = parts.take<std::uint32_t>(all_warps);
    records = parts.take<tilereel_gpu::DeviceRecord>(header.records);
    words = parts.take<std::uint32_t>(header.records * 32);
    places = parts.take<std::uint64_t>(header.variables);
    regions = parts.take<tilereel_gpu::DumpRegion>(header.regions);
    std::string_view names = parts.text(header.name_bytes);
    kernel = parts.text(header.kernel_bytes);
    device = parts.text(header.device_bytes);
    driver = parts.text(header.driver_bytes);
    parameters = parts.take<std::uint64_t>(header.parameter_count);
    maps = parts.take<tilereel_gpu::DumpMap>(header.maps);
    contents = parts.take<std::byte>(header.content_bytes);
    if (!parts.complete() || segment_begin.back() != header.records ||
        !are_blocks_of(header, blocks))
        return damaged();
    for (const tilereel_gpu::DumpRegion& region : regions) {
        if (region.name_bytes > names.size()) return damaged();
        symbols.emplace_back(names.substr(0, region.name_bytes));
        names.remove_prefix(region.name_bytes);
    }
    return Done{};
}

}  // namespace tilereel::gpu
