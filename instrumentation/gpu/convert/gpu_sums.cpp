#include "instrumentation/gpu/convert/gpu_sums.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "instrumentation/gpu/convert/gpu_records.h"
#include "instrumentation/record/record_blocks.h"

namespace tilereel::gpu {
namespace {

constexpr std::uint64_t kRecordsAtOnce = std::uint64_t{1} << 18;

class SumSearch {
  public:
    explicit SumSearch(const GpuConversion& all) : all_(all) {}

    void work() {
        const std::unique_ptr<GpuRecords> source = all_.records();
        Found found;
        const std::uint64_t records = all_.segment_begin.back();
        for (std::uint64_t begin; (begin = next_.fetch_add(kRecordsAtOnce)) < records;) {
            const std::uint64_t count = std::min(kRecordsAtOnce, records - begin);
            const auto part = source->read_heads(begin, count);
            if (!part) {
                const std::lock_guard lock(mutex_);
                error_ = part.error();
                return;
            }
            for (std::uint64_t i = 0; i < count; ++i) look_at((*part)[i], found);
        }
        const std::lock_guard lock(mutex_);
        found_.merge(found.sums);
    }
    Result<std::vector<std::uint32_t>> result() {
        if (error_) return *error_;
        return std::vector<std::uint32_t>(found_.begin(), found_.end());
    }

  private:
    struct Found {
        Found() { latest.fill(kNoSum); }
        static constexpr std::uint64_t kNoSum = ~std::uint64_t{0};
        std::set<std::uint32_t> sums;
        std::array<std::uint64_t, 256> latest{};  // most records have one of these sums
    };
    // Rows of values, and records that were not written, have a mask of 0.
    void look_at(const tilereel_gpu::DeviceRecord& record, Found& found) const {
        if (record.mask == 0 || record.site >= all_.facts->sites.size()) return;
        if (all_.facts->sites[record.site].operation != Operation::kMultiplyAdd) return;
        std::uint64_t& latest =
            found.latest[(record.high ^ record.high >> 2) % found.latest.size()];
        if (latest == record.high) return;
        latest = record.high;
        found.sums.insert(record.high);
    }

    const GpuConversion& all_;
    std::atomic<std::uint64_t> next_{0};
    std::mutex mutex_;  // guards the members below
    std::set<std::uint32_t> found_;
    std::optional<Error> error_;
};

}  // namespace

GpuSums::GpuSums(std::vector<std::uint32_t> sums)
    : sums_(std::move(sums)), slots_(std::bit_ceil(4 * sums_.size() + 4)) {
    for (std::uint32_t number = 0; number < count(); ++number) {
        std::size_t at = slot_of(sums_[number]);
        while (slots_[at].number != kNone) at = (at + 1) & (slots_.size() - 1);
        slots_[at] = {sums_[number], number};
    }
}

Result<GpuSums> GpuSums::of(const GpuConversion& conversion) {
    std::set<std::uint32_t> in_registers;
    bool in_arrays = false;
    for (const PtxSite& site : conversion.facts->sites) {
        if (site.is_call || site.operation != Operation::kMultiplyAdd) continue;
        if (site.in_register)
            in_registers.insert(site.sum);
        else
            in_arrays = true;
    }
    if (!in_arrays && in_registers.size() <= 1)  // no record needs to be read
        return GpuSums({in_registers.begin(), in_registers.end()});
    SumSearch search(conversion);
    {
        std::vector<std::jthread> helpers;
        const auto blocks = static_cast<std::uint32_t>(conversion.blocks.size());
        for (unsigned i = 1; i < workers_for(conversion.workers, blocks); ++i)
            helpers.emplace_back([&] { search.work(); });
        search.work();
    }
    std::vector<std::uint32_t> found = TRY(search.result());
    return GpuSums(std::move(found));
}

}  // namespace tilereel::gpu
