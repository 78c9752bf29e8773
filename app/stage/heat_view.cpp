#include "app/stage/heat_view.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "app/workbench/task_thread.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel::stage {
namespace {

// Largest / smallest count. Above this, the classes have equal ratios.
constexpr double kFarApart = 32;
// With fewer accesses the counting takes less than a frame, so no other thread is used.
constexpr std::uint64_t kFewAccesses = 100'000;

std::uint32_t blocks_of(const Trace& trace) {
    std::uint32_t blocks = 0;
    for (std::size_t i = 0; i < trace.segments.size(); ++i)
        if (i == 0 || trace.segments.block[i] != trace.segments.block[i - 1]) ++blocks;
    return blocks;
}

}  // namespace

std::vector<HeatClass> heat_classes(const std::vector<std::uint32_t>& counts) {
    std::vector<std::uint32_t> found;  // distinct counts, while they are few
    std::uint32_t least = 0, most = 0;
    for (const std::uint32_t count : counts) {
        if (count == 0) continue;
        least = least == 0 ? count : std::min(least, count);
        most = std::max(most, count);
        if (found.size() <= kMostHeatSteps && std::ranges::find(found, count) == found.end())
            found.push_back(count);
    }
    std::vector<HeatClass> classes;
    if (found.size() <= kMostHeatSteps) {
        std::ranges::sort(found);
        for (const std::uint32_t count : found) classes.push_back({count, count});
        return classes;
    }
    const double low = least, high = most;
    std::uint32_t begin = least;
    for (std::size_t i = 1; i <= kMostHeatSteps; ++i) {
        const double part = static_cast<double>(i) / kMostHeatSteps;
        const double to =
            high / low > kFarApart ? low * std::pow(high / low, part) : low + (high - low) * part;
        const std::uint32_t end = i == kMostHeatSteps ? most : static_cast<std::uint32_t>(to);
        if (end < begin) continue;
        classes.push_back({begin, end});
        begin = end + 1;
    }
    return classes;
}

std::size_t HeatView::OfArray::class_of(std::uint32_t count) const {
    const auto in = std::ranges::lower_bound(classes, count, {}, &HeatClass::most);
    return static_cast<std::size_t>(std::min(in, classes.end() - 1) - classes.begin());
}

struct HeatView::Job {
    explicit Job(std::shared_ptr<const Trace> of)
        : trace(std::move(of)),
          blocks(blocks_of(*trace)),
          thread(access_count(*trace) >= kFewAccesses) {
        thread.submit([this] {
            reads = count_element_reads(*trace, &counted, &stop);
            done = true;
        });
    }
    ~Job() { stop = true; }  // `thread` waits for its task
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    std::shared_ptr<const Trace> trace;
    std::uint32_t blocks = 0;
    std::atomic<std::uint32_t> counted{0};
    std::atomic<bool> stop{false}, done{false};
    ElementReads reads;
    TaskThread thread;  // last: its task uses the members above
};

HeatView::HeatView() = default;
HeatView::~HeatView() = default;
HeatView::HeatView(HeatView&&) noexcept = default;
HeatView& HeatView::operator=(HeatView&&) noexcept = default;

// Stops the job. Its thread is joined after it has ended.
void HeatView::retire() {
    if (!job_) return;
    job_->stop = true;
    retired_.push_back(std::move(job_));
}

void HeatView::refresh(const Workbench& workbench) {
    std::erase_if(retired_, [](const auto& job) { return job->done.load(); });
    heat_ = workbench.view().heat;
    const Recording* recording = workbench.recording();
    if (recording == nullptr || (job_ && recording_ != recording->id)) {
        retire();
        recording_ = 0;
        arrays_.clear();
        classed_ = Heat::kOff;
    }
    if (heat_ == Heat::kOff || recording == nullptr) return;
    if (!job_) {
        job_ = std::make_unique<Job>(recording->trace);
        recording_ = recording->id;
    }
    if (reads() == nullptr || classed_ == heat_) return;
    classed_ = heat_;
    arrays_.clear();
    for (const ReadCounts& array : reads()->arrays) {
        const auto& counts = heat_ == Heat::kGlobal ? array.global : array.shared;
        arrays_.push_back({&counts, heat_classes(counts)});
    }
    pictures_.assign(arrays_.size(), {});
}

bool HeatView::counting() const { return shown() && job_ && !job_->done; }

std::string HeatView::progress() const {
    if (!job_) return {};
    return with_commas(job_->counted) + " of " + with_commas(job_->blocks) + " blocks";
}

const ElementReads* HeatView::reads() const {
    return shown() && job_ && job_->done ? &job_->reads : nullptr;
}

const HeatView::OfArray* HeatView::of(ArrayId array) const {
    if (!shown() || array >= arrays_.size()) return nullptr;
    return arrays_[array].counts->empty() ? nullptr : &arrays_[array];
}

}  // namespace tilereel::stage
