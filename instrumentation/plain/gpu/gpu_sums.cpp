#include "instrumentation/plain/gpu/gpu_sums.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "instrumentation/plain/gpu/gpu_records.h"
#include "instrumentation/record/recording.h"

namespace tilereel::plain {
namespace {

constexpr std::uint64_t kRecordsAtOnce = std::uint64_t{1} << 18;

class SumSearch {
  public:
    explicit SumSearch(const GpuConversion& all) : all_(all) {}

    void work() {
        const std::unique_ptr<GpuRecords> source = all_.records();
        std::set<std::uint32_t> found;
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
        found_.merge(found);
    }
    Result<std::vector<std::uint32_t>> result() {
        if (error_) return *error_;
        return std::vector<std::uint32_t>(found_.begin(), found_.end());
    }

  private:
    // Rows of values, and records that were not written, have a mask of 0.
    void look_at(const tilereel_gpu::DeviceRecord& record, std::set<std::uint32_t>& found) const {
        if (record.mask == 0 || record.site >= all_.facts->sites.size()) return;
        if (all_.facts->sites[record.site].operation == Operation::kMultiplyAdd)
            found.insert(record.high);
    }

    const GpuConversion& all_;
    std::atomic<std::uint64_t> next_{0};
    std::mutex mutex_;  // guards the members below
    std::set<std::uint32_t> found_;
    std::optional<Error> error_;
};

}  // namespace

Result<GpuSums> GpuSums::of(const GpuConversion& conversion) {
    GpuSums sums;
    std::set<std::uint32_t> in_registers;
    bool in_arrays = false;
    for (const PtxSite& site : conversion.facts->sites) {
        if (site.is_call || site.operation != Operation::kMultiplyAdd) continue;
        if (site.in_register)
            in_registers.insert(site.sum);
        else
            in_arrays = true;
    }
    if (!in_arrays && in_registers.size() <= 1) {  // no record needs to be read
        sums.sums_.assign(in_registers.begin(), in_registers.end());
        return sums;
    }
    SumSearch search(conversion);
    {
        std::vector<std::jthread> helpers;
        const auto blocks = static_cast<std::uint32_t>(conversion.blocks.size());
        for (unsigned i = 1; i < workers_for(conversion.workers, blocks); ++i)
            helpers.emplace_back([&] { search.work(); });
        search.work();
    }
    Result<std::vector<std::uint32_t>> found = search.result();
    if (!found) return found.error();
    sums.sums_ = std::move(found).value();
    return sums;
}

}  // namespace tilereel::plain
