// Races of kernels that are no products, on a made-up device whose memory is the host's: what is
// checked and timed, and how kernels that cheat are caught. Times are those that the test sets.
#include "app/race/other_kernels/work_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "app/race/other_kernels/work_check.h"
#include "app/race/other_kernels/work_data.h"
#include "app/race/other_kernels/work_sizes.h"

namespace tilereel::work_runner_test {
namespace {

using ::testing::HasSubstr;

const std::atomic<bool> kNotCancelled = false;
constexpr int kRecorded = 100;
constexpr double kEachMs = 0.5;

// What launches do to the clock.
struct Clock {
    double stream_ms = 0, elsewhere_ms = 0;
} now;

class FakeDevice : public WorkDevice {
  public:
    RaceMachine machine(const std::atomic<bool>&) override {
        return {.gpu = true, .device = "a fake", .last_cache_bytes = 4096};
    }
    Conditions conditions() override { return {.sm_clock_mhz = 1000}; }
    std::uint64_t free_bytes() override { return free; }
    Result<std::shared_ptr<std::byte>> memory(std::uint64_t bytes) override {
        if (bytes > free) return failed("not enough memory; race a smaller size");
        return std::shared_ptr<std::byte>(new std::byte[bytes], std::default_delete<std::byte[]>());
    }
    Status upload(std::byte* to, std::span<const std::byte> from) override {
        std::memcpy(to, from.data(), from.size());
        return Done{};
    }
    Status download(std::span<std::byte> to, const std::byte* from) override {
        std::memcpy(to.data(), from, to.size());
        return Done{};
    }
    Status copy(std::byte* to, const std::byte* from, std::uint64_t bytes) override {
        std::memcpy(to, from, bytes);
        return Done{};
    }
    Status fill(std::byte* to, int value, std::uint64_t bytes) override {
        std::memset(to, value, bytes);
        return Done{};
    }
    Result<Lap> time(const std::function<Status()>& launches) override {
        now = {};
        TRY(launches());
        return Lap{now.stream_ms, now.stream_ms + now.elsewhere_ms};
    }
    std::uint64_t free = 64 << 20;
};

long long elements(int, long long n) { return n; }

// y = 2 x
void twice(void* const* arrays, long long n) {
    const auto* x = static_cast<const float*>(arrays[0]);
    auto* y = static_cast<float*>(arrays[1]);
    for (long long i = 0; i < n; ++i) y[i] = 2 * x[i];
}
int honest(void* const* arrays, long long n) {
    twice(arrays, n);
    now.stream_ms += kEachMs;
    return 0;
}

std::vector<float> input() {
    std::vector<float> x(kRecorded);
    for (int i = 0; i < kRecorded; ++i) x[static_cast<std::size_t>(i)] = float(i * i % 37);
    return x;
}

const std::vector<OwnArray> kArrays = {{.name = "x", .type = OwnType::kFloat32, .read = true},
                                       {.name = "y", .type = OwnType::kFloat32, .written = true}};

// The data of a library: cases for these sizes.
const std::vector<std::byte>& data(const std::vector<int>& sizes) {
    static std::map<std::vector<int>, std::vector<std::byte>> made;
    std::vector<std::byte>& bytes = made[sizes];
    if (!bytes.empty()) return bytes;
    const std::vector<float> x = input();
    std::vector<std::vector<float>> outputs;
    WorkData data;
    data.inputs = {std::as_bytes(std::span(x)), {}};
    for (const int n : sizes)
        for (int variant = 0; variant < kVariants; ++variant) {
            const auto first = first_element(kArrays, 0, kRecorded, variant);
            std::vector<float>& y = outputs.emplace_back();
            for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(n); ++i)
                y.push_back(2 * x[(i + first) % kRecorded]);
        }
    std::size_t at = 0;
    for (const int n : sizes)
        for (int variant = 0; variant < kVariants; ++variant)
            data.cases.push_back({.n = n,
                                  .variant = variant,
                                  .expected = {{}, std::as_bytes(std::span(outputs[at++]))}});
    return bytes = bytes_of(data);
}

OwnKernel kernel_of(OwnWork::Launch* launch, const std::vector<int>& sizes) {
    OwnKernel kernel;
    kernel.name = "own.cu";
    kernel.work = OwnWork{.arrays = kArrays,
                          .recorded_n = kRecorded,
                          .data = data(sizes),
                          .elements = elements,
                          .launch = launch};
    return kernel;
}

std::unique_ptr<Runner> runner_of(OwnWork::Launch* launch,
                                  const std::vector<int>& sizes = {kRecorded, 1000}) {
    auto runner = make_work_runner(std::make_unique<FakeDevice>(), {kernel_of(launch, sizes)});
    EXPECT_TRUE(runner);
    return *std::move(runner);
}

Verified verified_at(Runner& runner, int n) {
    EXPECT_TRUE(runner.prepare({n, n, n}, Caches::kCold, 1));
    const auto verified = runner.verify({"own.cu"}, kNotCancelled);
    EXPECT_TRUE(verified) << verified.error().message;
    return verified ? *verified : Verified{.outcome = Outcome::kFailed};
}

std::string time_error(Runner& runner, int launches = 10) {
    const auto time = runner.time({"own.cu"}, launches, kNotCancelled);
    return time ? "took " + std::to_string(*time) : time.error().message;
}

TEST(WorkRunner, ChecksAndTimesAnHonestKernel) {
    const auto runner = runner_of(honest);
    const Verified verified = verified_at(*runner, 1000);
    EXPECT_EQ(verified.outcome, Outcome::kVerified) << verified.sentence;
    EXPECT_EQ(verified.checked, "every element of 3 launches, with the kernel's run on the CPU");
    for (const int launches : {1, 7, 5000}) {
        const auto time = runner->time({"own.cu"}, launches, kNotCancelled);
        ASSERT_TRUE(time) << time.error().message;
        EXPECT_NEAR(*time, kEachMs, 1e-9);
    }
}

// Nothing is called verified that was compared with nothing.
TEST(WorkRunner, AtOtherSizesItSaysThatNothingWasChecked) {
    const auto runner = runner_of(honest);
    const Verified verified = verified_at(*runner, 5000);
    EXPECT_EQ(verified.outcome, Outcome::kUnchecked);
    EXPECT_THAT(verified.sentence, HasSubstr("right at n = 100; here results are only the same"));
    EXPECT_EQ(time_error(*runner), "took 0.500000");
    const auto nothing = runner_of(honest, {});
    EXPECT_EQ(verified_at(*nothing, 1000).sentence,
              "results are only the same from launch to launch");
}

int wrong(void* const* arrays, long long n) {
    honest(arrays, n);
    static_cast<float*>(arrays[1])[n - 1] += 1;
    return 0;
}
// Right at the program's own size only.
int wrong_when_large(void* const* arrays, long long n) {
    return n == kRecorded ? honest(arrays, n) : wrong(arrays, n);
}

TEST(WorkRunner, WrongResultsAreNotTimed) {
    for (const int n : {kRecorded, 1000, 5000}) {
        const auto runner = runner_of(wrong);
        const Verified verified = verified_at(*runner, n);
        EXPECT_EQ(verified.outcome, Outcome::kWrong) << n;
        EXPECT_THAT(verified.sentence, HasSubstr("at n = 100, the program's own, y[99] is"));
    }
    const auto runner = runner_of(wrong_when_large);
    EXPECT_EQ(verified_at(*runner, kRecorded).outcome, Outcome::kVerified);
    EXPECT_EQ(verified_at(*runner, 1000).outcome, Outcome::kWrong);
}

// Cheat: the work runs in another stream, so the launches' own stream is done at once.
int in_another_stream(void* const* arrays, long long n) {
    twice(arrays, n);
    now.stream_ms += 0.001;
    now.elsewhere_ms += kEachMs;
    return 0;
}

TEST(WorkRunner, WorkInOtherStreamsCounts) {
    const auto runner = runner_of(in_another_stream);
    const Verified verified = verified_at(*runner, 1000);
    EXPECT_EQ(verified.outcome, Outcome::kVerified);
    EXPECT_THAT(verified.checked, HasSubstr("timed until the whole device is idle"));
    const auto time = runner->time({"own.cu"}, 10, kNotCancelled);
    ASSERT_TRUE(time);
    EXPECT_NEAR(*time, kEachMs + 0.001, 1e-6);
}

// Cheat: it computes in the first launches only, and leaves what is there in later ones.
int launches_so_far = 0;
int keeps_what_is_there(void* const* arrays, long long n) {
    if (++launches_so_far <= 2 * kVariants) return honest(arrays, n);
    now.stream_ms += 0.001;
    return 0;
}
// Cheat: it copies the results of its last honest launch.
std::vector<float> last;
int copies_the_last(void* const* arrays, long long n) {
    auto* const y = static_cast<float*>(arrays[1]);
    if (++launches_so_far <= 2 * kVariants) {
        honest(arrays, n);
        last.assign(y, y + n);
        return 0;
    }
    std::memcpy(y, last.data(), static_cast<std::size_t>(n) * sizeof *y);
    now.stream_ms += 0.001;
    return 0;
}
// Cheat: it remembers which arrays it has seen, and what it has computed for them.
std::map<void*, std::vector<float>> by_address;
int remembers_addresses(void* const* arrays, long long n) {
    auto* const y = static_cast<float*>(arrays[1]);
    std::vector<float>& known = by_address[arrays[0]];
    if (known.size() != static_cast<std::size_t>(n)) {
        honest(arrays, n);
        known.assign(y, y + n);
        return 0;
    }
    std::memcpy(y, known.data(), static_cast<std::size_t>(n) * sizeof *y);
    now.stream_ms += 0.001;
    return 0;
}
// Cheat: it remembers the results by the inputs themselves.
std::map<std::vector<float>, std::vector<float>> by_input;
int remembers_inputs(void* const* arrays, long long n) {
    const auto* const x = static_cast<const float*>(arrays[0]);
    auto* const y = static_cast<float*>(arrays[1]);
    std::vector<float>& known = by_input[{x, x + n}];
    if (known.empty()) {
        honest(arrays, n);
        known.assign(y, y + n);
        return 0;
    }
    std::memcpy(y, known.data(), static_cast<std::size_t>(n) * sizeof *y);
    now.stream_ms += 0.001;
    return 0;
}

TEST(WorkRunner, ResultsThatAreKeptAreFound) {
    for (OwnWork::Launch* const cheat : {keeps_what_is_there, copies_the_last}) {
        launches_so_far = 0;
        const auto runner = runner_of(cheat);
        EXPECT_EQ(verified_at(*runner, 1000).outcome, Outcome::kVerified);
        EXPECT_THAT(time_error(*runner), HasSubstr("a timed launch was wrong: y[")) << "cheat";
    }
    by_address.clear();
    // The arrays get other inputs with each variant.
    EXPECT_EQ(verified_at(*runner_of(remembers_addresses), 1000).outcome, Outcome::kWrong);
    by_address.clear();
    const auto unknown = runner_of(remembers_addresses, {});  // nothing to compare with
    EXPECT_EQ(verified_at(*unknown, 1000).outcome, Outcome::kUnchecked);
    EXPECT_THAT(time_error(*unknown), HasSubstr("a timed launch was wrong"));
    by_input.clear();
    const auto runner = runner_of(remembers_inputs);
    EXPECT_EQ(verified_at(*runner, 1000).outcome, Outcome::kVerified);
    EXPECT_THAT(time_error(*runner), HasSubstr("it keeps results from launch to launch"));
}

// Each launch of a sample has arrays of its own; the inputs of two launches are not the same
// memory.
std::set<void*> seen;
int notes_arrays(void* const* arrays, long long n) {
    seen.insert(arrays[0]);
    return honest(arrays, n);
}
TEST(WorkRunner, EachLaunchHasItsOwnArrays) {
    const auto runner = runner_of(notes_arrays);
    verified_at(*runner, 1000);
    seen.clear();
    ASSERT_TRUE(runner->time({"own.cu"}, 20, kNotCancelled));
    EXPECT_EQ(seen.size(), 20u);
}

int fails(void* const*, long long) { return 700; }
TEST(WorkRunner, FailuresAndSizesAreSaid) {
    const auto runner = runner_of(fails);
    ASSERT_TRUE(runner->prepare({1000, 1000, 1000}, Caches::kCold, 1));
    EXPECT_THAT(runner->verify({"own.cu"}, kNotCancelled).error().message,
                HasSubstr("error 700 of CUDA"));
    const auto large = runner_of(honest);
    ASSERT_TRUE(large->prepare({1 << 29, 1 << 29, 1 << 29}, Caches::kCold, 1));
    EXPECT_THAT(large->verify({"own.cu"}, kNotCancelled).error().message,
                HasSubstr("race a smaller size"));
    EXPECT_EQ(large->verify({"other.cu"}, kNotCancelled).error().kind, ErrorKind::kWrongCall);
    OwnKernel whole = kernel_of(honest, {kRecorded});
    whole.work->multiple = 128;
    EXPECT_THAT(takes(whole, {1000, 1000, 1000}).error().message, HasSubstr("multiples of 128"));
    OwnKernel damaged = kernel_of(honest, {kRecorded});
    damaged.work->data = damaged.work->data.first(damaged.work->data.size() - 1);
    EXPECT_FALSE(make_work_runner(std::make_unique<FakeDevice>(), {damaged}));
}

TEST(WorkRunner, IsCancelled) {
    const auto runner = runner_of(honest);
    verified_at(*runner, 1000);
    const std::atomic<bool> cancel = true;
    EXPECT_EQ(runner->time({"own.cu"}, 10, cancel).error().kind, ErrorKind::kCancelled);
}

TEST(WorkData, IsReadBackAndDamageIsFound) {
    const std::vector<std::byte>& bytes = data({kRecorded, 1000});
    const auto read = work_data_of(bytes, 2);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->cases.size(), 2u * kVariants);
    EXPECT_EQ(bytes_of(*read), bytes);
    for (std::size_t size = 0; size < bytes.size(); size += 97)
        EXPECT_FALSE(work_data_of(std::span(bytes).first(size), 2)) << size;
    EXPECT_FALSE(work_data_of(bytes, 3));
    auto huge = bytes;
    huge[16] = huge[23] = std::byte{0xff};  // the size of the first input
    EXPECT_FALSE(work_data_of(huge, 2));
}

// Whole numbers may be indices: they begin elsewhere only where nothing else does.
TEST(WorkData, VariantsBeginAtOtherElements) {
    const OwnArray index{.name = "index", .read = true},
        real{.name = "x", .type = OwnType::kFloat32, .read = true};
    EXPECT_EQ(first_element({index, real}, 0, 300, 1), 0u);
    EXPECT_NE(first_element({index, real}, 1, 300, 1), 0u);
    EXPECT_NE(first_element({index}, 0, 300, 1), first_element({index}, 0, 300, 2));
    EXPECT_EQ(first_element({real}, 0, 300, 0), 0u);
    EXPECT_EQ(first_element({real}, 0, 1, 2), 0u);
}

TEST(WorkCheck, FloatsMayDifferALittleAndWholeNumbersNot) {
    const OwnArray real{.name = "y", .type = OwnType::kFloat32, .written = true};
    const auto differs = [&](std::vector<float> found, std::vector<float> expected) {
        return difference_in(real, std::as_bytes(std::span(found)),
                             std::as_bytes(std::span(expected)));
    };
    EXPECT_FALSE(differs({1, 2, 3}, {1, 2.0001f, 3}));
    EXPECT_EQ(differs({1, 2, 3}, {1, 2.01f, 3}), "y[1] is 2, and should be 2.01");
    EXPECT_FALSE(differs({NAN, INFINITY}, {NAN, INFINITY}));
    EXPECT_TRUE(differs({NAN, 1}, {1, 1}));
    EXPECT_TRUE(differs({INFINITY, 1}, {1, 1}));
    const OwnArray whole{.name = "bins", .written = true};
    const std::vector<int> found = {1, 2, -3}, expected = {1, 2, 4};
    EXPECT_EQ(
        difference_in(whole, std::as_bytes(std::span(found)), std::as_bytes(std::span(expected))),
        "bins[2] is -3, and should be 4");
    const OwnArray half{.name = "h", .type = OwnType::kFloat16, .element_bytes = 2};
    const std::vector<std::uint16_t> one = {0x3c00, 0xc000}, near = {0x3c01, 0xc000},
                                     far = {0x3c00, 0x4000};  // 1, -2; 1.001; 2
    const auto bytes = [](const auto& values) { return std::as_bytes(std::span(values)); };
    EXPECT_FALSE(difference_in(half, bytes(near), bytes(one)));
    EXPECT_EQ(difference_in(half, bytes(far), bytes(one)), "h[1] is 2, and should be -2");
}

TEST(WorkSizes, FollowTheDimensionsAndTheMultiple) {
    const auto sizes = sizes_of_work(1000, 1, 1);
    EXPECT_EQ(sizes.front().n, 1000);
    EXPECT_EQ(sizes.back().n, 1 << 26);
    for (const ProductSize& size : sizes_of_work(300, 300, 2)) EXPECT_EQ(size.n % 300, 0);
    EXPECT_EQ(sizes_of_work(0, 1, 3).front().n, 48);
}

// The engine of all races: bytes over time, and a kernel that turns out to be wrong is not shown.
TEST(WorkRace, HasBytesASecond) {
    RaceRequest request;
    request.contenders = {{"own.cu"}};
    request.sizes = {{1000, 1000, 1000}, {5000, 5000, 5000}};
    request.bytes = {8000, 40000};
    request.repeats = 3;
    const auto runner = runner_of(honest);
    Race race = new_race(request, *runner, kNotCancelled);
    ASSERT_TRUE(run_race(
        request, *runner, [&](const RaceEvent& event) { add(race, event); }, kNotCancelled));
    ASSERT_EQ(race.samples.size(), 6u);
    EXPECT_NEAR(race.samples[0].rate, 8000 / (kEachMs * 1e6), 1e-9);
    EXPECT_EQ(find_verified(race, 0, 0)->outcome, Outcome::kVerified);
    EXPECT_EQ(find_verified(race, 0, 1)->outcome, Outcome::kUnchecked);
    request.bytes.pop_back();
    EXPECT_FALSE(check_request(request));
    request.bytes = {1, 1};
    request.contenders.push_back({"09_tiled", 16, 0});
    EXPECT_FALSE(check_request(request)) << "a product beside what is none";
}

}  // namespace
}  // namespace tilereel::work_runner_test
