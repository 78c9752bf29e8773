#include "app/ladder/gpu_passes.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "instrumentation/trace/trace.h"

namespace tilereel {
namespace {

using tilereel_gpu::DeviceRecord;
using tilereel_gpu::DeviceTrace;

constexpr std::uint64_t kWordBytes = kWarpSize * sizeof(std::uint32_t);
constexpr std::uint64_t kBytesOfRecord = sizeof(DeviceRecord) + kWordBytes;

// Copies records out of the GPU's memory, for one worker.
class CopiedRecords final : public gpu::GpuRecords {
  public:
    CopiedRecords(Gpu& gpu, HostCopies& copies, const DeviceRecord* records,
                  const std::uint32_t* words)
        : copies_(copies), records_(records), words_(words) {
        for (std::unique_ptr<HostCopy>* const copy : {&heads_copy_, &copy_}) {
            *copy = copies.take();
            if (*copy == nullptr) *copy = gpu.host_copy();
        }
    }
    CopiedRecords(const CopiedRecords&) = delete;
    CopiedRecords& operator=(const CopiedRecords&) = delete;
    ~CopiedRecords() override {
        copies_.give_back(std::move(heads_copy_));
        copies_.give_back(std::move(copy_));
    }
    Result<Part> read(std::uint64_t begin, std::uint64_t count) override {
        const auto heads = TRY(read_heads(begin, count));
        const auto words = TRY(copy_->copy(words_ + begin * kWarpSize, count * kWordBytes));
        return Part{heads, reinterpret_cast<const std::uint32_t*>(words)};
    }
    Result<const DeviceRecord*> read_heads(std::uint64_t begin, std::uint64_t count) override {
        const auto heads = TRY(heads_copy_->copy(records_ + begin, count * sizeof(DeviceRecord)));
        return reinterpret_cast<const DeviceRecord*>(heads);
    }

  private:
    HostCopies& copies_;
    const DeviceRecord* records_;
    const std::uint32_t* words_;
    std::unique_ptr<HostCopy> heads_copy_, copy_;
};

}  // namespace

GpuPasses::GpuPasses(Gpu& gpu, GpuModule& module, HostCopies& copies, Launched launched)
    : gpu_(gpu),
      module_(module),
      copies_(copies),
      launched_(std::move(launched)),
      warps_(std::uint64_t{launched_.blocks} * launched_.warps),
      blocks_(launched_.blocks),
      begin_(warps_ + 1, 0),
      counts_(warps_) {
    std::iota(blocks_.begin(), blocks_.end(), 0u);
}

Status GpuPasses::count() {
    for (const auto& [memory, bytes] :
         {std::pair{&slots_, launched_.blocks * sizeof(std::uint32_t)},
          {&segments_, (warps_ + 1) * sizeof(std::uint64_t)},
          {&counters_, warps_ * sizeof(std::uint64_t)},
          {&multiprocessors_, warps_ * sizeof(std::uint32_t)},
          {&places_, tilereel_gpu::kMostVariables * sizeof(std::uint64_t)}}) {
        DeviceMemory taken = TRY(gpu_.allocate(bytes));
        *memory = std::move(taken);
    }
    const Status cleared =
        gpu_.fill(places_.as<void>(), 0, tilereel_gpu::kMostVariables * sizeof(std::uint64_t));
    return cleared ? run(true, times_.count_ms) : cleared;
}

// Gives each warp a segment as long as the first pass counted, for as many blocks as fit into the
// GPU's memory.
Status GpuPasses::lay_out() {
    constexpr std::uint64_t kLeftToOthers = 64 << 20;  // for the driver and other programs
    const std::uint64_t free = TRY(gpu_.free_bytes());
    const std::uint64_t room =
        (free - std::min(free, std::max(kLeftToOthers, free / 32))) / kBytesOfRecord;
    std::size_t blocks = 0;
    for (std::uint64_t warp = 0; warp < warps_; ++warp) {
        if (warp % launched_.warps == 0 && blocks == warp / launched_.warps) {
            std::uint64_t end = begin_[warp];
            for (std::uint32_t i = 0; i < launched_.warps; ++i)
                end += counts_[warp + i] & 0xffffffff;
            if (end <= room) ++blocks;
        }
        const bool has_room = warp / launched_.warps < blocks;
        begin_[warp + 1] = begin_[warp] + (has_room ? counts_[warp] & 0xffffffff : 0);
    }
    if (blocks == 0)
        return failed(
            "the GPU has too little free memory for the recording of even one block; " +
            std::string("close other programs that use the GPU, or record without the GPU"));
    blocks_.resize(blocks);
    times_.records = begin_.back();
    times_.buffer_bytes = begin_.back() * kBytesOfRecord;
    return Done{};
}

Status GpuPasses::fill() {
    TRY(fill_once());
    for (int i = 0; i < tilereel_gpu::kMostRepeats && is_cut_off(); ++i) {
        for (std::size_t warp = 0; warp < warps_; ++warp)
            counts_[warp] = tilereel_gpu::larger_room(counts_[warp] & 0xffffffff,
                                                      begin_[warp + 1] - begin_[warp]);
        TRY(fill_once());
    }
    cut_off_ = is_cut_off();
    begin_.resize(blocks_.size() * launched_.warps + 1);
    return Done{};
}

bool GpuPasses::is_cut_off() const {
    for (std::size_t warp = 0; warp < blocks_.size() * launched_.warps; ++warp)
        if ((counts_[warp] & 0xffffffff) > begin_[warp + 1] - begin_[warp]) return true;
    return false;
}

Status GpuPasses::fill_once() {
    records_ = {}, words_ = {};
    TRY(lay_out());
    DeviceMemory records = TRY(gpu_.allocate(begin_.back() * sizeof(DeviceRecord)));
    records_ = std::move(records);
    DeviceMemory words = TRY(gpu_.allocate(begin_.back() * kWordBytes));
    words_ = std::move(words);
    // Cleared, because a record that stays unwritten must have no lanes, and the words of inactive
    // lanes are copied, too.
    for (const Status& cleared :
         {gpu_.fill(records_.as<void>(), 0, begin_.back() * sizeof(DeviceRecord)),
          gpu_.fill(words_.as<void>(), 0, begin_.back() * kWordBytes)})
        if (!cleared) return cleared;
    return run(false, times_.fill_ms);
}

Status GpuPasses::run(bool counts_only, double& milliseconds) {
    std::vector<std::uint32_t> slots(launched_.blocks, tilereel_gpu::kNotRecorded);
    std::iota(slots.begin(), slots.begin() + static_cast<std::ptrdiff_t>(blocks_.size()), 0u);
    const std::uint32_t reserved = TRY(gpu_.reserved_shared_bytes());
    const DeviceTrace trace{.slot_of_block = slots_.as<std::uint32_t>(),
                            .segment_begin = segments_.as<std::uint64_t>(),
                            .records = counts_only ? nullptr : records_.as<DeviceRecord>(),
                            .words = counts_only ? nullptr : words_.as<std::uint32_t>(),
                            .counts = counters_.as<std::uint64_t>(),
                            .multiprocessors = multiprocessors_.as<std::uint32_t>(),
                            .places = places_.as<std::uint64_t>(),
                            .is_silent = counts_only ? 1u : 0u,
                            .shared_begin = reserved};
    for (const Status& status :
         {gpu_.write(slots_.as<void>(), slots.data(), slots.size() * sizeof slots[0]),
          gpu_.write(segments_.as<void>(), begin_.data(), begin_.size() * sizeof begin_[0]),
          gpu_.write(launched_.c, launched_.before->data(),
                     launched_.before->size() * sizeof(float)),
          gpu_.fill(counters_.as<void>(), 0, warps_ * sizeof(std::uint64_t)),
          gpu_.fill(multiprocessors_.as<void>(), 0, warps_ * sizeof(std::uint32_t)),
          module_.write("tilereel_gpu_trace", &trace, sizeof trace)})
        if (!status) return status;
    const double ran = TRY(module_.run(launched_.launch));
    milliseconds = ran;
    return gpu_.read(counts_.data(), counters_.as<void>(), warps_ * sizeof(std::uint64_t));
}

std::unique_ptr<gpu::GpuRecords> GpuPasses::records() const {
    return std::make_unique<CopiedRecords>(gpu_, copies_, records_.as<DeviceRecord>(),
                                           words_.as<std::uint32_t>());
}

Result<std::vector<std::uint64_t>> GpuPasses::places() const {
    std::vector<std::uint64_t> places(tilereel_gpu::kMostVariables);
    TRY(gpu_.read(places.data(), places_.as<void>(), places.size() * sizeof places[0]));
    return places;
}

Result<std::vector<std::uint16_t>> GpuPasses::multiprocessors() const {
    std::vector<std::uint32_t> of_warp(warps_);
    TRY(gpu_.read(of_warp.data(), multiprocessors_.as<void>(), warps_ * sizeof of_warp[0]));
    std::vector<std::uint16_t> of_block(launched_.blocks, Trace::kNotRecorded);
    for (std::size_t warp = blocks_.size() * launched_.warps; warp-- > 0;)
        if (counts_[warp] != 0)
            of_block[warp / launched_.warps] = static_cast<std::uint16_t>(of_warp[warp]);
    return of_block;
}

}  // namespace tilereel
