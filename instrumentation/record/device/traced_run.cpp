#include "instrumentation/record/device/traced_run.h"

#include <algorithm>

namespace tilereel {
namespace {

using device::DeviceFaults;
using device::DeviceRecord;
using device::DeviceSharedArray;
using device::DeviceThread;

constexpr std::uint64_t kRecordBytes = sizeof(DeviceRecord) + sizeof(LaneWords);

DeviceArray device_array(const DeviceMemory& memory, std::size_t elements, std::uint32_t array) {
    return {.first = memory.as<float>(),
            .count = static_cast<std::uint32_t>(elements),
            .array = array,
            .first_element = 0};
}

// Reads records one batch at a time, and their words at once where a batch is small enough.
class GpuSource final : public RecordSource {
  public:
    GpuSource(Gpu& gpu, const DeviceRecord* records, const std::uint32_t* lane_words)
        : device_records_(records),
          device_words_(lane_words),
          copy_of_records_(gpu.host_copy()),
          copy_of_words_(gpu.host_copy()) {}
    Result<const DeviceRecord*> records(std::uint64_t begin, std::uint64_t count) override {
        constexpr std::uint64_t kWordsAtOnce = 1 << 18;  // records: 32 MiB of words
        batch_begin_ = begin;
        batch_end_ = begin + count;
        words_end_ = words_begin_ = 0;
        batch_at_once_ = count <= kWordsAtOnce;
        if (count == 0) return static_cast<const DeviceRecord*>(nullptr);
        const auto copied =
            copy_of_records_->copy(device_records_ + begin, count * sizeof(DeviceRecord));
        if (!copied) return copied.error();
        return reinterpret_cast<const DeviceRecord*>(*copied);
    }
    Result<const std::uint32_t*> lane_words(std::uint64_t begin, std::uint64_t count) override {
        if (begin < words_begin_ || begin + count > words_end_) {
            words_begin_ = batch_at_once_ ? batch_begin_ : begin;
            words_end_ = batch_at_once_ ? batch_end_ : begin + count;
            const auto copied =
                copy_of_words_->copy(device_words_ + words_begin_ * kWarpSize,
                                     (words_end_ - words_begin_) * sizeof(LaneWords));
            if (!copied) return copied.error();
            words_ = reinterpret_cast<const std::uint32_t*>(*copied);
        }
        return words_ + (begin - words_begin_) * kWarpSize;
    }

  private:
    const DeviceRecord* device_records_;
    const std::uint32_t* device_words_;
    std::unique_ptr<HostCopy> copy_of_records_, copy_of_words_;
    std::uint64_t batch_begin_ = 0, batch_end_ = 0;
    bool batch_at_once_ = false;
    const std::uint32_t* words_ = nullptr;
    std::uint64_t words_begin_ = 0, words_end_ = 0;  // what words_ holds
};

}  // namespace

TracedRun::TracedRun(Gpu& gpu, const RecordPlan& plan, const Trace& trace)
    : gpu_(gpu),
      plan_(plan),
      trace_(trace),
      warps_(trace.launch.grid.count() * trace.launch.warps()),
      threads_(trace.launch.grid.count() * trace.launch.threads()),
      counts_(warps_) {}

Status TracedRun::allocate() {
    struct Wanted {
        DeviceMemory& memory;
        std::uint64_t bytes;
    };
    for (const Wanted& wanted :
         {Wanted{a_, trace_.a.size() * sizeof(float)},
          {b_, trace_.b.size() * sizeof(float)},
          {c_, trace_.c.size() * sizeof(float)},
          {segment_begin_, (warps_ + 1) * 8},
          {thread_state_, threads_ * sizeof(DeviceThread)},
          {record_counts_, warps_ * 4},
          {multiprocessors_, warps_ * 4},
          {left_out_, 8},
          {faults_, sizeof(DeviceFaults)},
          {shared_arrays_, device::kMostSharedArrays * sizeof(DeviceSharedArray)},
          {shared_array_count_, 4}}) {
        Result<DeviceMemory> memory = gpu_.allocate(wanted.bytes);
        if (!memory) return memory.error();
        wanted.memory = std::move(memory).value();
    }
    return Done{};
}

Status TracedRun::count() {
    if (const Status allocated = allocate(); !allocated) return allocated;
    segments_ = plan_segments(counts_, trace_.launch.warps(), 0);  // no room for any
    for (const Status& status :
         {gpu_.write(a_.as<void>(), trace_.a.data(), trace_.a.size() * sizeof(float)),
          gpu_.write(b_.as<void>(), trace_.b.data(), trace_.b.size() * sizeof(float)),
          gpu_.fill(multiprocessors_.as<void>(), 0, warps_ * 4)})
        if (!status) return status;
    return run(times_.count_ms);
}

Status TracedRun::fill() {
    constexpr int kMostTries = 3;
    std::vector<std::uint32_t> room = counts_;  // by warp, in records
    for (int i = 0; i < kMostTries; ++i) {
        if (const Status made = make_room(room); !made) return made;
        if (const Status ran = run(times_.fill_ms); !ran) return ran;
        if (!cut_off()) break;
        for (std::size_t warp = 0; warp < room.size(); ++warp)  // and some to spare
            room[warp] = std::max(room[warp], counts_[warp]) + counts_[warp] / 8;
    }
    complete_ = segments_.blocks == trace_.launch.blocks() && !cut_off();
    return Done{};
}

// Whether a warp with room had more to record than the pass before made room for.
bool TracedRun::cut_off() const {
    const std::size_t warps = std::size_t{segments_.blocks} * trace_.launch.warps();
    for (std::size_t warp = 0; warp < warps; ++warp)
        if (counts_[warp] > segments_.begin[warp + 1] - segments_.begin[warp]) return true;
    return false;
}

// Segments of the lengths wanted, in as much memory as there is.
Status TracedRun::make_room(std::span<const std::uint32_t> wanted) {
    records_ = {};
    lane_words_ = {};
    const Result<std::uint64_t> free = gpu_.free_bytes();
    if (!free) return free.error();
    constexpr std::uint64_t kLeftToOthers = 64 << 20;  // the driver's own, other programs
    const std::uint64_t usable = *free - std::min(*free, std::max(kLeftToOthers, *free / 32));
    segments_ = plan_segments(wanted, trace_.launch.warps(), usable / kRecordBytes);
    if (segments_.blocks == 0)
        return failed("the GPU has too little free memory for the recording of even one block; " +
                      std::string("close what else uses the GPU, or use the emulator"));
    Result<DeviceMemory> records = gpu_.allocate(segments_.records() * sizeof(DeviceRecord));
    if (!records) return records.error();
    records_ = std::move(records).value();
    Result<DeviceMemory> words = gpu_.allocate(segments_.records() * sizeof(LaneWords));
    if (!words) return words.error();
    lane_words_ = std::move(words).value();
    times_.records = segments_.records();
    times_.buffer_bytes = segments_.records() * kRecordBytes;
    return Done{};
}

Status TracedRun::run(double& milliseconds) {
    for (const Status& status :
         {gpu_.write(segment_begin_.as<void>(), segments_.begin.data(), (warps_ + 1) * 8),
          gpu_.write(c_.as<void>(), trace_.c.data(), trace_.c.size() * sizeof(float)),
          gpu_.fill(thread_state_.as<void>(), 0, threads_ * sizeof(DeviceThread)),
          gpu_.fill(record_counts_.as<void>(), 0, warps_ * 4),
          gpu_.fill(left_out_.as<void>(), 0, 8),
          gpu_.fill(faults_.as<void>(), 0, sizeof(DeviceFaults)),
          gpu_.fill(shared_array_count_.as<void>(), 0, 4)})
        if (!status) return status;
    const Result<double> ran =
        gpu_.run({.kernel = plan_.kernel->id,
                  .parameters = plan_.parameters,
                  .shape = plan_.shape,
                  .a = device_array(a_, trace_.a.size(), 0),
                  .b = device_array(b_, trace_.b.size(), 1),
                  .c = device_array(c_, trace_.c.size(), 2),
                  .trace = {.segment_begin = segment_begin_.as<std::uint64_t>(),
                            .records = records_.as<DeviceRecord>(),
                            .lane_words = lane_words_.as<std::uint32_t>(),
                            .threads = thread_state_.as<DeviceThread>(),
                            .record_counts = record_counts_.as<std::uint32_t>(),
                            .multiprocessors = multiprocessors_.as<std::uint32_t>(),
                            .left_out = left_out_.as<std::uint64_t>(),
                            .faults = faults_.as<DeviceFaults>(),
                            .shared_arrays = shared_arrays_.as<DeviceSharedArray>(),
                            .shared_array_count = shared_array_count_.as<std::uint32_t>()}});
    if (!ran) return ran.error();
    milliseconds = *ran;
    if (const Status faultless = check_faults(); !faultless) return faultless;
    return gpu_.read(counts_.data(), record_counts_.as<void>(), warps_ * 4);
}

Status TracedRun::check_faults() {
    DeviceFaults faults{};
    if (const Status read = gpu_.read(&faults, faults_.as<void>(), sizeof faults); !read)
        return read;
    if (faults.count == 0) return Done{};
    static constexpr const char* kGlobalNames[] = {"A", "B", "C"};
    const std::string where =
        (faults.array < kGlobalArrayCount
             ? std::string(kGlobalNames[faults.array])
             : "shared array " + std::to_string(faults.array - kGlobalArrayCount + 1)) +
        " on line " + std::to_string(faults.line) +
        (faults.count == 1 ? "" : " (" + std::to_string(faults.count) + " such accesses)") +
        "; correct the kernel";
    if (faults.misaligned != 0)
        return failed("byte " + std::to_string(faults.index) + " is not a multiple of " +
                      std::to_string(faults.limit) + " in " + where);
    return failed("index " + std::to_string(faults.index) + " is outside 0.." +
                  std::to_string(faults.limit - 1) + " of " + where);
}

Status TracedRun::read_product(std::vector<float>& c) {
    return gpu_.read(c.data(), c_.as<void>(), c.size() * sizeof(float));
}

Result<std::vector<DeviceSharedArray>> TracedRun::shared_arrays() {
    std::uint32_t count = 0;
    if (const Status read = gpu_.read(&count, shared_array_count_.as<void>(), sizeof count); !read)
        return read.error();
    std::vector<DeviceSharedArray> arrays(std::min(count, device::kMostSharedArrays));
    const Status read = gpu_.read(arrays.data(), shared_arrays_.as<void>(),
                                  arrays.size() * sizeof(DeviceSharedArray));
    if (!read) return read.error();
    return arrays;
}

Result<std::vector<std::uint16_t>> TracedRun::multiprocessors() {
    std::vector<std::uint32_t> of_warp(warps_);
    const Status read = gpu_.read(of_warp.data(), multiprocessors_.as<void>(), warps_ * 4);
    if (!read) return read.error();
    const std::size_t warps_of_block = trace_.launch.warps();
    std::vector<std::uint16_t> of_block(trace_.launch.blocks(), Trace::kNotRecorded);
    for (std::size_t block = 0; block < segments_.blocks; ++block)
        for (std::size_t warp = (block + 1) * warps_of_block; warp-- > block * warps_of_block;)
            if (counts_[warp] != 0) of_block[block] = static_cast<std::uint16_t>(of_warp[warp]);
    return of_block;
}

std::unique_ptr<RecordSource> TracedRun::source() {
    return std::make_unique<GpuSource>(gpu_, records_.as<DeviceRecord>(),
                                       lane_words_.as<std::uint32_t>());
}

}  // namespace tilereel
