// Records a launch in two passes. The first pass counts the records of each warp; the program's
// memory is restored; the second pass writes the records, and is repeated where it makes more of
// them (dump.h). The result is a file for the parent.
#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "contract/cluster_layout.h"
#include "host_recording.h"

namespace tilereel_gpu {
namespace {

constexpr std::uint64_t kMostCountedWarps = std::uint64_t{1} << 22;
constexpr std::uint64_t kMostBlocks = std::uint64_t{1} << 28;
constexpr std::uint64_t kRecordBytes = sizeof(DeviceRecord) + 32 * sizeof(std::uint32_t);
constexpr char kNotRestored[] =
    "The program's memory could not be put back after the first pass, so its results may be wrong; "
    "record it on the CPU.";

constexpr char kNoRoom[] =
    "The GPU has too little free memory for the recording; record fewer blocks, or record it on "
    "the CPU.";

std::uint32_t launches = 0;
std::uint64_t accesses_so_far = 0;

bool is_recorded(std::uint32_t number) {
    if (options().pipe < 0) return false;
    if (options().launch >= 0) return number == options().launch;
    return accesses_so_far < options().accesses;
}

}  // namespace

cudaError_t Recording::run() {
    send_message(contract::Start{number_, {}});
    const cudaError_t error = record();
    use_trace({});
    return error;
}

cudaError_t Recording::record() {
    if (blocks_ == 0 || warps_ == 0 || warps_ > 32) return call_.launch();  // CUDA refuses it
    if (kernel_table().use_heap.count(call_.symbol) != 0)
        return run_unrecorded(
            "The kernel calls malloc() or free(), so it cannot run twice, as "
            "recording on the GPU requires; record it on the CPU.");
    if (blocks_ > kMostBlocks)
        return run_unrecorded("The grid has more than 268435456 blocks; record it on the CPU.");
    if (call_.grid.x % cluster_.x != 0 || call_.grid.y % cluster_.y != 0 ||
        call_.grid.z % cluster_.z != 0 || cluster_.x * cluster_.y * cluster_.z > kMostRanks)
        return call_.launch();  // CUDA refuses it
    if (!save())
        return run_unrecorded(
            "The GPU has too little free memory to keep a copy of the program's memory, which "
            "recording needs; use smaller arrays, or record it on the CPU.");
    std::vector<std::uint32_t> counted = whole_clusters(blocks_to_count());
    cudaError_t error = pass(counted, Pass::kCounts);
    if (error != cudaSuccess) return report_failure(error);
    const std::vector<std::uint32_t> chosen = whole_clusters(choose(counted));
    if (!std::includes(counted.begin(), counted.end(), chosen.begin(), chosen.end())) {
        if (!restore()) return run_unrecorded(kNotRestored);
        counted = chosen;
        error = pass(counted, Pass::kCounts);
        if (error != cudaSuccess) return report_failure(error);
    }
    if (!restore()) return run_unrecorded(kNotRestored);
    if (!make_room(counted_records(counted, chosen))) return run_unrecorded(kNoRoom);
    error = pass(chosen, Pass::kRecords);
    for (int i = 0; i < kMostRepeats && error == cudaSuccess && !is_whole(); ++i) {
        if (!restore()) return run_unrecorded(kNotRestored);
        if (!make_room(more_records())) return run_unrecorded(kNoRoom);
        error = pass(chosen, Pass::kRepeats);
    }
    if (error != cudaSuccess) return report_failure(error);
    write_and_report(chosen);
    return error;
}

cudaError_t Recording::run_unrecorded(const char* why) {
    cudaGetLastError();
    use_trace({});
    send_reason(why);
    return call_.launch();
}

cudaError_t Recording::report_failure(cudaError_t error) {
    send_reason(std::string("The launch failed: ") + cudaGetErrorString(error) + ".");
    return error;
}

contract::Launch Recording::launch_message() const {
    contract::Launch message;
    message.number = number_;
    message.call.kernel = call_.symbol;
    message.call.grid = {call_.grid.x, call_.grid.y, call_.grid.z};
    message.call.block = {call_.block.x, call_.block.y, call_.block.z};
    message.call.shared_bytes = static_cast<std::uint32_t>(shared_bytes());
    message.called_from = call_.called_from;
    return message;
}

void Recording::send_reason(const std::string& why) const {
    contract::Launch message = launch_message();
    message.reason = why;
    send_message(message);
}

std::uint32_t Recording::shared_begin() {
    int device = 0, bytes = 0;
    cudaGetDevice(&device);
    if (cudaDeviceGetAttribute(&bytes, cudaDevAttrReservedSharedMemoryPerBlock, device) !=
        cudaSuccess)
        cudaGetLastError();
    return static_cast<std::uint32_t>(bytes);
}

std::uint64_t Recording::shared_bytes() const {
    cudaFuncAttributes attributes{};
    if (cudaFuncGetAttributes(&attributes, call_.kernel) != cudaSuccess) {
        cudaGetLastError();
        return call_.dynamic_shared_bytes;
    }
    return attributes.sharedSizeBytes + call_.dynamic_shared_bytes;
}

dim3 Recording::cluster() const {
#if CUDART_VERSION >= 12000
    cudaFuncAttributes attributes{};
    if (cudaFuncGetAttributes(&attributes, call_.kernel) != cudaSuccess)
        cudaGetLastError();
    else if (attributes.requiredClusterWidth > 0)
        return {static_cast<unsigned>(attributes.requiredClusterWidth),
                static_cast<unsigned>(std::max(attributes.requiredClusterHeight, 1)),
                static_cast<unsigned>(std::max(attributes.requiredClusterDepth, 1))};
#endif
    return {std::max(call_.cluster.x, 1u), std::max(call_.cluster.y, 1u),
            std::max(call_.cluster.z, 1u)};
}

std::vector<std::uint32_t> Recording::whole_clusters(std::vector<std::uint32_t> blocks) const {
    if (cluster_.x * cluster_.y * cluster_.z == 1) return blocks;
    return contract::whole_clusters(call_.grid, cluster_, blocks);
}

bool Recording::save() {
    regions_ = regions();
    std::uint64_t bytes = 0;
    for (const Region& region : regions_)
        bytes += region.is_constant ? 0 : (region.bytes + 255) / 256 * 256;
    if (!saved_.make(bytes)) return false;
    std::uint64_t at = 0;
    for (const Region& region : regions_) {
        saved_at_.push_back(at);
        if (region.is_constant) continue;
        if (cudaMemcpy(saved_.as<char>() + at, reinterpret_cast<void*>(region.address),
                       region.bytes, cudaMemcpyDefault) != cudaSuccess)
            return false;
        at += (region.bytes + 255) / 256 * 256;
    }
    return true;
}

bool Recording::restore() {
    for (std::size_t i = 0; i < regions_.size(); ++i)
        if (!regions_[i].is_constant &&
            cudaMemcpy(reinterpret_cast<void*>(regions_[i].address),
                       saved_.as<char>() + saved_at_[i], regions_[i].bytes,
                       cudaMemcpyDefault) != cudaSuccess)
            return false;
    return true;
}

std::vector<std::uint32_t> Recording::blocks_to_count() const {
    if (!options().blocks.empty()) return requested_blocks();
    return spread(std::max<std::uint64_t>(kMostCountedWarps / warps_, 3));
}

std::vector<std::uint32_t> Recording::requested_blocks() const {
    std::vector<std::uint32_t> asked;
    for (const std::uint32_t block : options().blocks)
        if (block < blocks_) asked.push_back(block);
    return with_more_blocks(std::move(asked));
}

std::vector<std::uint32_t> Recording::with_more_blocks(std::vector<std::uint32_t> chosen) const {
    for (const contract::LaunchBlock& more : options().more_blocks)
        if (more.launch == number_ && more.block < blocks_) chosen.push_back(more.block);
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
}

std::vector<std::uint32_t> Recording::spread(std::uint64_t count) const {
    const auto blocks = static_cast<std::uint32_t>(blocks_);
    std::vector<std::uint32_t> chosen;
    if (count >= blocks) {
        chosen.resize(blocks);
        std::iota(chosen.begin(), chosen.end(), 0u);
        return chosen;
    }
    const dim3& grid = call_.grid;
    chosen = {0, (grid.z / 2 * grid.y + grid.y / 2) * grid.x + grid.x / 2, blocks - 1};
    const std::uint64_t more = count > 3 ? count - 3 : 0;
    for (std::uint64_t i = 1; i <= more; ++i)
        chosen.push_back(static_cast<std::uint32_t>(i * (std::uint64_t{blocks} - 1) / (more + 1)));
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
}

std::vector<std::uint32_t> Recording::choose(const std::vector<std::uint32_t>& counted) const {
    if (!options().blocks.empty()) return counted;
    std::uint64_t cost = 0;
    for (std::uint32_t warp = 0; warp < warps_; ++warp) cost += counts_[warp] >> 32;
    const std::uint64_t left =
        options().accesses > accesses_so_far ? options().accesses - accesses_so_far : 0;
    return with_more_blocks(
        spread(std::min(options().accesses_a_launch, left) / std::max<std::uint64_t>(cost, 1)));
}

std::vector<std::uint64_t> Recording::counted_records(
    const std::vector<std::uint32_t>& counted, const std::vector<std::uint32_t>& chosen) const {
    std::vector<std::uint64_t> records;
    for (const std::uint32_t block : chosen) {
        const auto slot = static_cast<std::size_t>(
            std::lower_bound(counted.begin(), counted.end(), block) - counted.begin());
        for (std::uint32_t warp = 0; warp < warps_; ++warp)
            records.push_back(counts_[slot * warps_ + warp] & 0xffffffff);
    }
    return records;
}

std::vector<std::uint64_t> Recording::more_records() const {
    std::vector<std::uint64_t> records;
    for (std::size_t warp = 0; warp < counts_.size(); ++warp)
        records.push_back(larger_room(counts_[warp] & 0xffffffff, room_of(warp)));
    return records;
}

bool Recording::is_whole() const {
    for (std::size_t warp = 0; warp < counts_.size(); ++warp)
        if ((counts_[warp] & 0xffffffff) > room_of(warp)) return false;
    return true;
}

bool Recording::make_room(const std::vector<std::uint64_t>& records) {
    segment_begin_ = {0};
    for (const std::uint64_t each : records) segment_begin_.push_back(segment_begin_.back() + each);
    records_.free();
    words_.free();
    std::size_t free = 0, total = 0;
    return cudaMemGetInfo(&free, &total) == cudaSuccess &&
           segment_begin_.back() * kRecordBytes <= free / 10 * 9 &&
           records_.make(segment_begin_.back() * sizeof(DeviceRecord)) &&
           words_.make(segment_begin_.back() * 32 * sizeof(std::uint32_t));
}

cudaError_t Recording::pass(const std::vector<std::uint32_t>& recorded, Pass what) {
    const bool counts_only = what == Pass::kCounts;
    std::vector<std::uint32_t> slots(blocks_, kNotRecorded);
    for (std::size_t slot = 0; slot < recorded.size(); ++slot)
        slots[recorded[slot]] = static_cast<std::uint32_t>(slot);
    const std::size_t warps = recorded.size() * warps_;
    std::vector<std::uint64_t> none(warps + 1, 0);
    if (!put(slots_, slots) || !put(begins_, counts_only ? none : segment_begin_) ||
        !counters_.make(warps * sizeof(std::uint64_t)) ||
        !multiprocessors_.make(warps * sizeof(std::uint32_t)) ||
        !places_.make(kMostVariables * sizeof(std::uint64_t)))
        return cudaErrorMemoryAllocation;
    cudaError_t error =
        use_trace({slots_.as<std::uint32_t>(), begins_.as<std::uint64_t>(),
                   counts_only ? nullptr : records_.as<DeviceRecord>(),
                   counts_only ? nullptr : words_.as<std::uint32_t>(),
                   counters_.as<std::uint64_t>(), multiprocessors_.as<std::uint32_t>(),
                   places_.as<std::uint64_t>(), what == Pass::kRecords ? 0u : 1u, shared_begin()});
    if (error == cudaSuccess) error = call_.launch();
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    counts_.resize(warps);
    if (error == cudaSuccess && !get(counters_, counts_)) error = cudaErrorUnknown;
    return error;
}

void Recording::write_and_report(const std::vector<std::uint32_t>& chosen) {
    std::uint64_t accesses = 0;
    for (const std::uint64_t count : counts_) accesses += count >> 32;
    accesses_so_far += accesses;
    const std::string path = options().folder + "/launch_" + std::to_string(number_) + ".gpu";
    const bool written = write_dump(path, chosen);
    contract::Launch message = launch_message();
    message.recorded = chosen.size();
    message.unhooked = blocks_ - chosen.size();
    message.accesses = accesses;
    message.whole = is_whole();
    if (written)
        message.trace = path;
    else
        message.reason =
            "The recording could not be written to " + path + "; make room on its disk.";
    if (chosen.size() < blocks_) message.chosen = chosen;
    send_message(message);
}

cudaError_t run_launch(const LaunchCall& call) {
    const std::uint32_t number = launches++;
    if (!is_recorded(number)) return call.launch();
    if (const cudaError_t before = cudaDeviceSynchronize(); before != cudaSuccess) {
        cudaGetLastError();
        return call.launch();
    }
    return Recording(call, number).run();
}

}  // namespace tilereel_gpu
