// Records a launch: it runs once and counts what its warps do, the memory is put back, and it runs
// again and writes. Then everything goes into a file for the parent.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "host_parent.h"
#include "host_runtime.h"

extern "C" cudaError_t __real_cudaMalloc(void**, size_t);
extern "C" cudaError_t __real_cudaFree(void*);

namespace tilereel_gpu {
namespace {

constexpr std::uint64_t kKeptOfOne = std::uint64_t{16} << 20;  // bytes of content, of a region
constexpr std::uint64_t kKeptOfAll = std::uint64_t{96} << 20;
constexpr std::uint64_t kMostCountedWarps = std::uint64_t{1} << 22;
constexpr std::uint64_t kMostBlocks = std::uint64_t{1} << 28;
constexpr std::uint64_t kRecordBytes = sizeof(DeviceRecord) + 32 * sizeof(std::uint32_t);

// GPU memory of the recorder's own.
class Buffer {
  public:
    Buffer() = default;
    ~Buffer() { __real_cudaFree(memory_); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    bool make(std::uint64_t bytes) {
        __real_cudaFree(memory_);
        memory_ = nullptr;
        if (__real_cudaMalloc(&memory_, std::max<std::uint64_t>(bytes, 8)) == cudaSuccess &&
            cudaMemset(memory_, 0, bytes) == cudaSuccess)
            return true;
        cudaGetLastError();
        return false;
    }
    template <class T>
    T* as() const {
        return static_cast<T*>(memory_);
    }

  private:
    void* memory_ = nullptr;
};
template <class T>
bool put(Buffer& to, const std::vector<T>& from) {
    return to.make(from.size() * sizeof(T)) &&
           cudaMemcpy(to.as<void>(), from.data(), from.size() * sizeof(T),
                      cudaMemcpyHostToDevice) == cudaSuccess;
}
template <class T>
bool get(const Buffer& from, std::vector<T>& to) {
    return cudaMemcpy(to.data(), from.as<void>(), to.size() * sizeof(T), cudaMemcpyDeviceToHost) ==
           cudaSuccess;
}

std::uint32_t launches = 0;
std::uint64_t accesses_so_far = 0;

// One launch that is recorded.
class Recording {
  public:
    Recording(const LaunchCall& call, std::uint32_t number) : call_(call), number_(number) {
        blocks_ = std::uint64_t{call.grid.x} * call.grid.y * call.grid.z;
        warps_ = (call.block.x * call.block.y * call.block.z + 31) / 32;
    }

    cudaError_t run() {
        Message("start")
            .add("number", number_)
            .add("kernel", call_.symbol)
            .add("blocks", blocks_)
            .send();
        const cudaError_t error = record();
        use_trace({});
        return error;
    }

  private:
    cudaError_t record() {
        if (blocks_ == 0 || warps_ == 0 || warps_ > 32)
            return call_.launch();  // it will be refused
        if (kernel_table().use_heap.count(call_.symbol) != 0)
            return unrecorded(
                "The kernel calls malloc() or free(), so that it cannot run twice, "
                "which recording on the GPU needs; record it on the CPU.");
        if (blocks_ > kMostBlocks) return unrecorded("The grid has too many blocks to record.");
        if (!save())
            return unrecorded(
                "The GPU has too little free memory to keep a copy of the program's memory, which "
                "recording needs.");
        std::vector<std::uint32_t> counted = blocks_to_count();
        cudaError_t error = pass(counted, true);
        if (error != cudaSuccess) return refused(error);
        const std::vector<std::uint32_t> chosen = choose(counted);
        if (!std::includes(counted.begin(), counted.end(), chosen.begin(), chosen.end())) {
            if (!restore()) return unrecorded("The program's memory could not be put back.");
            counted = chosen;
            error = pass(counted, true);
            if (error != cudaSuccess) return refused(error);
        }
        if (!restore()) return unrecorded("The program's memory could not be put back.");
        if (!make_room(counted, chosen))
            return unrecorded("The GPU has too little free memory for the recording.");
        error = pass(chosen, false);
        if (error != cudaSuccess) return refused(error);
        tell(chosen);
        return error;
    }

    // Runs without being recorded, and says why.
    cudaError_t unrecorded(const char* why) {
        cudaGetLastError();
        use_trace({});
        launch_message().add("reason", std::string(why)).send();
        return call_.launch();
    }
    cudaError_t refused(cudaError_t error) {
        launch_message()
            .add("reason", std::string("The launch failed: ") + cudaGetErrorString(error) + ".")
            .send();
        return error;
    }
    Message launch_message() const {
        Message message("launch");
        message.add("number", number_)
            .add("kernel", call_.symbol)
            .add("file", std::string())
            .add("line", 0)
            .add("called_from", call_.called_from)
            .add("grid", std::vector<std::uint32_t>{call_.grid.x, call_.grid.y, call_.grid.z})
            .add("block", std::vector<std::uint32_t>{call_.block.x, call_.block.y, call_.block.z})
            .add("shared", shared_bytes());
        return message;
    }
    // The system's own part of a block's shared memory lies before it.
    static std::uint32_t shared_begin() {
        int device = 0, bytes = 0;
        cudaGetDevice(&device);
        if (cudaDeviceGetAttribute(&bytes, cudaDevAttrReservedSharedMemoryPerBlock, device) !=
            cudaSuccess)
            cudaGetLastError();
        return static_cast<std::uint32_t>(bytes);
    }
    std::uint64_t shared_bytes() const {
        cudaFuncAttributes attributes{};
        if (cudaFuncGetAttributes(&attributes, call_.kernel) != cudaSuccess) {
            cudaGetLastError();
            return call_.dynamic_shared_bytes;
        }
        return attributes.sharedSizeBytes + call_.dynamic_shared_bytes;
    }

    // The program's memory as it is before the launch.
    bool save() {
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
    bool restore() {
        for (std::size_t i = 0; i < regions_.size(); ++i)
            if (!regions_[i].is_constant &&
                cudaMemcpy(reinterpret_cast<void*>(regions_[i].address),
                           saved_.as<char>() + saved_at_[i], regions_[i].bytes,
                           cudaMemcpyDefault) != cudaSuccess)
                return false;
        return true;
    }

    std::vector<std::uint32_t> blocks_to_count() const {
        if (!options().blocks.empty()) return asked_blocks();
        return spread(std::max<std::uint64_t>(kMostCountedWarps / warps_, 3));
    }
    std::vector<std::uint32_t> asked_blocks() const {
        std::vector<std::uint32_t> asked;
        for (const std::uint32_t block : options().blocks)
            if (block < blocks_) asked.push_back(block);
        return with_more(std::move(asked));
    }
    std::vector<std::uint32_t> with_more(std::vector<std::uint32_t> chosen) const {
        for (std::size_t i = 0; i + 1 < options().more.size(); i += 2)
            if (options().more[i] == number_ && options().more[i + 1] < blocks_)
                chosen.push_back(options().more[i + 1]);
        std::sort(chosen.begin(), chosen.end());
        chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
        return chosen;
    }
    // As the CPU's runtime spreads them: the first, the middle and the last before others, which
    // lie evenly between them.
    std::vector<std::uint32_t> spread(std::uint64_t count) const {
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
            chosen.push_back(
                static_cast<std::uint32_t>(i * (std::uint64_t{blocks} - 1) / (more + 1)));
        std::sort(chosen.begin(), chosen.end());
        chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
        return chosen;
    }
    // What the budget allows by the accesses of the first block.
    std::vector<std::uint32_t> choose(const std::vector<std::uint32_t>& counted) const {
        if (!options().blocks.empty()) return counted;
        std::uint64_t cost = 0;
        for (std::uint32_t warp = 0; warp < warps_; ++warp) cost += counts_[warp] >> 32;
        const std::uint64_t left =
            options().of_all > accesses_so_far ? options().of_all - accesses_so_far : 0;
        return with_more(
            spread(std::min(options().of_launch, left) / std::max<std::uint64_t>(cost, 1)));
    }

    // Segments as long as the counts of the pass before.
    bool make_room(const std::vector<std::uint32_t>& counted,
                   const std::vector<std::uint32_t>& chosen) {
        std::vector<std::uint64_t> begin = {0};
        for (const std::uint32_t block : chosen) {
            const auto slot = static_cast<std::size_t>(
                std::lower_bound(counted.begin(), counted.end(), block) - counted.begin());
            for (std::uint32_t warp = 0; warp < warps_; ++warp)
                begin.push_back(begin.back() + (counts_[slot * warps_ + warp] & 0xffffffff));
        }
        std::size_t free = 0, total = 0;
        if (cudaMemGetInfo(&free, &total) != cudaSuccess ||
            begin.back() * kRecordBytes > free / 10 * 9)
            return false;
        segment_begin_ = std::move(begin);
        return records_.make(segment_begin_.back() * sizeof(DeviceRecord)) &&
               words_.make(segment_begin_.back() * 32 * sizeof(std::uint32_t));
    }

    cudaError_t pass(const std::vector<std::uint32_t>& recorded, bool counts_only) {
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
                       places_.as<std::uint64_t>(), counts_only ? 1u : 0u, shared_begin()});
        if (error == cudaSuccess) error = call_.launch();
        if (error == cudaSuccess) error = cudaDeviceSynchronize();
        counts_.resize(warps);
        if (error == cudaSuccess && !get(counters_, counts_)) error = cudaErrorUnknown;
        return error;
    }

    void tell(const std::vector<std::uint32_t>& chosen) {
        std::uint64_t accesses = 0;
        bool whole = true;
        for (std::size_t warp = 0; warp < counts_.size(); ++warp) {
            accesses += counts_[warp] >> 32;
            whole = whole &&
                    (counts_[warp] & 0xffffffff) <= segment_begin_[warp + 1] - segment_begin_[warp];
        }
        accesses_so_far += accesses;
        const std::string path = options().folder + "/launch_" + std::to_string(number_) + ".gpu";
        const bool written = write_dump(path, chosen);
        Message message = launch_message();
        message.add("recorded", chosen.size())
            .add("unhooked", blocks_ - chosen.size())
            .add("accesses", accesses)
            .add("whole", whole ? 1 : 0)
            .add("trace", written ? path : std::string())
            .add("reason", written ? std::string()
                                   : "The recording could not be written to " + path +
                                         "; make room on its disk.");
        if (chosen.size() < blocks_) message.add("chosen", chosen);
        message.send();
    }

    template <class T>
    static void write_part(std::FILE* file, const T* from, std::size_t count) {
        static constexpr char kZeros[8] = {};
        const std::size_t bytes = count * sizeof(T);
        std::fwrite(from, 1, bytes, file);
        std::fwrite(kZeros, 1, (8 - bytes % 8) % 8, file);
    }
    // Copied piece by piece.
    static void write_device(std::FILE* file, const void* from, std::uint64_t bytes) {
        std::vector<char> piece(std::min<std::uint64_t>(bytes, 32 << 20));
        for (std::uint64_t done = 0; done < bytes; done += piece.size()) {
            const std::uint64_t count = std::min<std::uint64_t>(piece.size(), bytes - done);
            cudaMemcpy(piece.data(), static_cast<const char*>(from) + done, count,
                       cudaMemcpyDefault);
            std::fwrite(piece.data(), 1, count, file);
        }
        static constexpr char kZeros[8] = {};
        std::fwrite(kZeros, 1, (8 - bytes % 8) % 8, file);
    }

    bool write_dump(const std::string& path, const std::vector<std::uint32_t>& chosen) {
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
        std::uint64_t content = 8;  // 0 says that there is none
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
        std::copy_n(block, 3, header.block);
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

    const LaunchCall& call_;
    std::uint32_t number_;
    std::uint64_t blocks_ = 0;
    std::uint32_t warps_ = 0;  // of a block
    std::vector<Region> regions_;
    Buffer saved_;
    std::vector<std::uint64_t> saved_at_;  // by region
    Buffer slots_, begins_, counters_, multiprocessors_, places_, records_, words_;
    std::vector<std::uint64_t> counts_;  // by warp, of the last pass
    std::vector<std::uint64_t> segment_begin_ = {0};
};

bool is_recorded(std::uint32_t number) {
    if (options().pipe < 0) return false;
    if (options().launch >= 0) return number == options().launch;
    return accesses_so_far < options().of_all;
}

}  // namespace

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
