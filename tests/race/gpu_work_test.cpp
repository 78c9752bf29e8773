// Races of what is no product on a GPU: copies by CUDA in place of a compiled kernel. Skipped
// without a GPU.
#include <cuda_runtime.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/race/other_kernels/work_data.h"
#include "app/race/other_kernels/work_runner.h"

namespace tilereel::gpu_work_test {
namespace {

using ::testing::HasSubstr;

const std::atomic<bool> kNotCancelled = false;
constexpr int kSize = 1 << 24;

long long elements(int, long long n) { return n; }

int copies(void* const* arrays, long long n) {
    return cudaMemcpyAsync(arrays[1], arrays[0], static_cast<std::size_t>(n) * sizeof(float),
                           cudaMemcpyDeviceToDevice);
}

// In a stream that the default stream does not wait for.
int copies_elsewhere(void* const* arrays, long long n) {
    static cudaStream_t stream = [] {
        cudaStream_t made = nullptr;
        cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking);
        return made;
    }();
    return cudaMemcpyAsync(arrays[1], arrays[0], static_cast<std::size_t>(n) * sizeof(float),
                           cudaMemcpyDeviceToDevice, stream);
}

class GpuWork : public ::testing::Test {
  protected:
    void SetUp() override {
        auto device = make_gpu_work_device();
        if (!device) GTEST_SKIP() << device.error().message;
        device_ = *std::move(device);
        std::vector<float> x(1000);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * i % 101);
        WorkData data;
        data.inputs = {std::as_bytes(std::span(x)), {}};
        data.cases = {{.n = 1000, .variant = 0, .expected = {{}, std::as_bytes(std::span(x))}}};
        bytes_ = bytes_of(data);
    }
    // Milliseconds of a copy by this function.
    double time_of(OwnWork::Launch* launch, std::string& words) {
        OwnKernel kernel;
        kernel.name = "copy.cu";
        kernel.work = OwnWork{.arrays = {{.name = "x", .type = OwnType::kFloat32, .read = true},
                                         {.name = "y", .type = OwnType::kFloat32, .written = true}},
                              .recorded_n = 1000,
                              .data = bytes_,
                              .elements = elements,
                              .launch = launch};
        if (!device_) device_ = *make_gpu_work_device();
        const auto runner = make_work_runner(std::move(device_), {kernel});
        EXPECT_TRUE((*runner)->prepare({kSize, kSize, kSize}, Caches::kCold, 1));
        const auto verified = (*runner)->verify({"copy.cu"}, kNotCancelled);
        EXPECT_TRUE(verified) << verified.error().message;
        words = verified ? verified->sentence : "";
        const auto time = (*runner)->time({"copy.cu"}, 20, kNotCancelled);
        EXPECT_TRUE(time) << time.error().message;
        return time ? *time : 0;
    }
    std::unique_ptr<WorkDevice> device_;
    std::vector<std::byte> bytes_;
};

TEST_F(GpuWork, ACopyTakesAsLongInAnyStream) {
    std::string words;
    const double honest = time_of(copies, words);
    EXPECT_THAT(words, HasSubstr("right at n = 1000"));
    const double elsewhere = time_of(copies_elsewhere, words);
    EXPECT_THAT(words, HasSubstr("it works in other streams"));
    EXPECT_GT(honest, 0.01) << "128 MiB cannot move faster on any GPU";
    EXPECT_GT(elsewhere, 0.8 * honest);
}

}  // namespace
}  // namespace tilereel::gpu_work_test
