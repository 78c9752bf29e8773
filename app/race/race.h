#pragma once
// A race: kernels at full speed, one sample at a time. run_race() uses a Runner for the device: a
// GPU, the CPU, or a fake in tests. No window, no GL.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "instrumentation/base/result.h"
#include "kernels/input_type.h"

namespace tilereel {

// C(M,N) = A(M,K) B(K,N), row-major. C is float32, A and B of inputs_of(contender).
struct ProductSize {
    int m = 0, n = 0, k = 0;
    bool operator==(const ProductSize&) const = default;
};
[[nodiscard]] inline double flops(const ProductSize& size) {  // a multiply and an add each
    return 2.0 * size.m * size.n * size.k;
}

[[nodiscard]] inline double gflops_at(const ProductSize& size, double milliseconds) {
    return flops(size) / (milliseconds * 1e6);
}

inline constexpr std::string_view kCublas = "cublas";           // pedantic FP32: no TF32
inline constexpr std::string_view kCublasBf16 = "cublas_bf16";  // BF16 in, FP32 sums and C
inline constexpr std::string_view kOpenblas = "openblas";       // sgemm
struct Contender {
    std::string kernel;     // catalogue id, kCublas, kCublasBf16, kOpenblas; or is_own()
    int tile = 0, pad = 0;  // 0 for the references
    bool operator==(const Contender&) const = default;
};
// With a TILE this kernel races as its file launches it, like any other. Without one (TILE and PAD
// are 0) its tiles are chosen by the size (kernels/cuda/champion/champion.h).
inline constexpr std::string_view kChampion = "20_champion";
[[nodiscard]] inline bool chooses_tiles(const Contender& contender) {
    return contender.kernel == kChampion && contender.tile == 0 && contender.pad == 0;
}
// A kernel of the user's own, named as its file and the values that were given to it:
// "multiply.cu", "multiply.cu TILE=16" (runners/own_kernel.h).
[[nodiscard]] inline bool is_own(const Contender& contender) {
    const std::size_t end = contender.kernel.find(' ');
    return std::string_view(contender.kernel).substr(0, end).ends_with(".cu");
}
[[nodiscard]] inline bool is_reference(const Contender& contender) {
    return contender.kernel == kCublas || contender.kernel == kCublasBf16 ||
           contender.kernel == kOpenblas;
}
// The type of A and B that the contender multiplies; the same values, rounded to it.
[[nodiscard]] InputType inputs_of(const Contender& contender);
// The first of `contenders` that is a reference for this one: it multiplies the same type.
[[nodiscard]] std::optional<std::uint32_t> reference_of(const std::vector<Contender>& contenders,
                                                        const Contender& contender);
// The references of the types that the contenders multiply: on a GPU cuBLAS in FP32 and in BF16,
// else OpenBLAS.
[[nodiscard]] std::vector<Contender> references_of(const std::vector<Contender>& contenders,
                                                   bool gpu);
// Whether the contender has a TILE and PAD.
[[nodiscard]] inline bool has_parameters(const Contender& contender) {
    return !is_reference(contender) && !chooses_tiles(contender) && !is_own(contender);
}
// "09_tiled TILE 32 PAD 1", "cublas"
[[nodiscard]] std::string name_of(const Contender& contender);
// "4096" if M = N = K, else "1000x3000x700": M x N x K.
[[nodiscard]] std::string name_of(const ProductSize& size);
// Whether the contender can multiply matrices of this size on some device. kWrongCall with the
// sizes that it needs.
[[nodiscard]] Status takes(const Contender& contender, const ProductSize& size);

// kWarm: each launch uses the same matrices. kCold: launches use different matrices in turn, so
// many that the L2 has no data of an earlier launch of the same ones.
enum class Caches : std::uint8_t { kWarm = 0, kCold = 1 };

struct RaceRequest {
    std::vector<Contender> contenders;
    std::vector<ProductSize> sizes;  // in the order raced
    int repeats = 7;                 // samples of each contender at each size, interleaved
    // Least number of launches before the first sample; fewer are enough if they take 250 ms.
    int warm_ups = 2;
    double least_sample_ms = 2.0;  // short launches are repeated back to back to last this long
    // Slow contenders get fewer samples: at each size, a contender with at least kLeastRepeats
    // samples gets no more samples after this total time.
    double enough_ms = 5000;
    Caches caches = Caches::kCold;
    std::uint64_t seed = 1;
    // Empty: a race of products. Else all contenders do the same work, which is no product, over
    // sizes with M = N = K = n; and this is the work's compulsory traffic at each size: the bytes
    // of each array that is read, and of each that is written, once.
    std::vector<double> bytes{};
    bool operator==(const RaceRequest&) const = default;
};
[[nodiscard]] inline bool is_of_products(const RaceRequest& request) {
    return request.bytes.empty();
}
// "GFLOPS" of products, else "GB/s" (1e9 bytes): the unit of Sample::rate.
[[nodiscard]] inline const char* rate_unit(const RaceRequest& request) {
    return is_of_products(request) ? "GFLOPS" : "GB/s";
}
// FLOP of a product, else bytes.
[[nodiscard]] inline double work_at(const RaceRequest& request, std::size_t size) {
    return is_of_products(request) ? flops(request.sizes[size]) : request.bytes[size];
}
[[nodiscard]] inline double rate_at(const RaceRequest& request, std::size_t size,
                                    double milliseconds) {
    return work_at(request, size) / (milliseconds * 1e6);
}
inline constexpr int kLeastRepeats = 3;
// Limits of a request, from a user or from a file.
inline constexpr std::size_t kMostContenders = 512, kMostSizes = 512;
inline constexpr int kLargestCount = 1 << 30;  // n of what is no product
inline constexpr int kMostRepeats = 1000, kMostWarmUps = 1000;
inline constexpr int kMostLaunches = 100'000;  // in one sample
inline constexpr double kMostMilliseconds = 1e9;

struct Conditions {  // of the device while a sample ran; nullopt: unknown
    std::optional<double> sm_clock_mhz{}, temperature_c{}, power_w{};
};

enum class Outcome : std::uint8_t {
    kVerified = 0,   // C is right
    kWrong = 1,      // C is wrong, and the contender is not timed
    kFailed = 2,     // could not be launched, or out of memory
    kSkipped = 3,    // does not take this size, or does not run on this device
    kUnchecked = 4,  // timed, and its results were compared with nothing; the sentence says why
};
[[nodiscard]] inline bool is_timed(Outcome outcome) {
    return outcome == Outcome::kVerified || outcome == Outcome::kUnchecked;
}

// The indices are those of RaceRequest::contenders and ::sizes.
struct Verified {  // the check before the first sample of a contender at a size
    std::uint32_t contender = 0, size = 0;
    Outcome outcome = Outcome::kVerified;
    double worst_error = 0;  // largest |C - AB| / (eps |A||B|) found, eps = 2^-24
    std::string sentence{};  // the reason, unless the outcome is kVerified
    std::string checked{};   // the kind of check: "every element, with float64"
};
struct Sample {
    std::uint32_t contender = 0, size = 0, repeat = 0;
    int launches = 1;         // back to back
    double milliseconds = 0;  // of one launch
    double rate = 0;          // in rate_unit()
    Conditions conditions{};
};
using RaceEvent = std::variant<Verified, Sample>;

struct RaceMachine {  // the device of a race
    bool gpu = false;
    std::string device{};  // "NVIDIA H100 80GB HBM3", or the processor's name
    // Versions; empty if there is none. On a CPU, `toolkit` is the instruction set.
    std::string driver{}, toolkit{}, reference{};
    int threads = 0;  // CPU
    // 1e9 bytes per second and GFLOPS, measured on this device by a copy and by chains of FMAs; 0
    // if not measured.
    double measured_bandwidth_gbs = 0, measured_peak_gflops = 0;
    std::string compute_capability{};    // "9.0"; empty on a CPU
    int multiprocessors = 0;             // GPU
    std::uint64_t last_cache_bytes = 0;  // the L2 of a GPU, the last cache of a CPU; 0 if unknown
};

// The resources of one block of a contender on a GPU's multiprocessor, reported by the CUDA driver.
struct KernelResources {
    int registers_per_thread = 0;
    std::uint64_t static_shared_bytes = 0, dynamic_shared_bytes = 0;  // per block
    std::uint64_t local_bytes = 0;                                    // local memory per thread
    int block_threads = 0;
    int blocks_per_multiprocessor = 0;  // cudaOccupancyMaxActiveBlocksPerMultiprocessor
    int suggested_block_threads = 0;    // cudaOccupancyMaxPotentialBlockSizeVariableSMem
    int suggested_grid_blocks = 0;      // smallest grid that fills the device with such blocks
    bool operator==(const KernelResources&) const = default;
};

// The state of a race: finished, running, or opened from a file.
struct Race {
    RaceRequest request;
    RaceMachine machine;
    std::string date;                // ISO 8601, UTC
    bool recorded = false;           // opened from a file, not run here
    bool complete = false;           // run_race ended without an error
    std::vector<Verified> verified;  // one per contender and size, in order of arrival
    std::vector<Sample> samples;     // in order of arrival
    // By contender. nullopt: unknown for this contender; empty: unknown for all.
    std::vector<std::optional<KernelResources>> resources;
};
// Adds an event. A later Verified of the same contender and size replaces the former one, for
// example if a launch fails after the check.
void add(Race& race, const RaceEvent& event);
[[nodiscard]] const Verified* find_verified(const Race& race, std::uint32_t contender,
                                            std::uint32_t size);

struct Statistics {
    double median = 0, first_quartile = 0, third_quartile = 0, least = 0, most = 0;
    std::size_t count = 0;
};
// All zero if there are no values. Quartiles are interpolated linearly.
[[nodiscard]] Statistics statistics_of(std::vector<double> values);
// The rates of one contender at one size; nullopt if it has no sample.
[[nodiscard]] std::optional<Statistics> rates_of(const Race& race, std::uint32_t contender,
                                                 std::uint32_t size);

// The device of a race. Used by one thread at a time.
class Runner {
  public:
    virtual ~Runner() = default;
    // Measures the roofs on the first call, which can take seconds. A cancelled call returns them
    // as 0, and the next call measures them.
    [[nodiscard]] virtual RaceMachine machine(const std::atomic<bool>& cancel) = 0;
    // kFailed if the runner does not know them.
    virtual Result<KernelResources> resources(const Contender&) {
        return failed("the registers and shared memory of a kernel are known only on a GPU");
    }
    // Replaces the matrices by ones of this size. kFailed, for example, if there is not enough
    // memory; the race goes on with the next size.
    virtual Status prepare(const ProductSize& size, Caches caches, std::uint64_t seed) = 0;
    // Frees the matrices. run_race() calls it at its end.
    virtual void release() = 0;
    // Runs the contender once on a C full of NaN and checks C. kWrongCall: the contender does not
    // run on this device, or does not take this size. kFailed: it could not be launched.
    // kCancelled.
    virtual Result<Verified> verify(const Contender& contender,
                                    const std::atomic<bool>& cancel) = 0;
    // Runs `launches` launches back to back. Returns the milliseconds of one. kCancelled: `cancel`
    // was set, and the current launch has ended.
    virtual Result<double> time(const Contender& contender, int launches,
                                const std::atomic<bool>& cancel) = 0;
    [[nodiscard]] virtual Conditions conditions() = 0;
};

using RaceListener = std::function<void(const RaceEvent&)>;
// A race that has not begun, with the request, machine, resources and present date.
[[nodiscard]] Race new_race(const RaceRequest& request, Runner& runner,
                            const std::atomic<bool>& cancel);
// kWrongCall with what to correct: no contender, an unknown kernel, a size out of range, ...
[[nodiscard]] Status check_request(const RaceRequest& request);
// Runs the race on the calling thread and calls the listener for each event. kWrongCall for a
// request that check_request() refuses; kCancelled when `cancel` was set. A failure at one size or
// of one contender is an event, and the race goes on.
Status run_race(const RaceRequest& request, Runner& runner, const RaceListener& listener,
                const std::atomic<bool>& cancel);

}  // namespace tilereel
