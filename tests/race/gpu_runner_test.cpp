// Races on a GPU. Skipped without a GPU.
#include "app/race/runners/gpu_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "app/race/gpu/gpu_matrices.h"
#include "kernels/catalog.h"

namespace tilereel::gpu_runner_test {
namespace {

using ::testing::HasSubstr;

const std::atomic<bool> kNotCancelled = false;

class GpuRunner : public ::testing::Test {
  protected:
    void SetUp() override {
        auto made = make_gpu_runner({.measure_roofs = false});
        if (!made) GTEST_SKIP() << made.error().message;
        runner_ = *std::move(made);
    }
    std::unique_ptr<Runner> runner_;
};

TEST(NoGpu, IsOneSentenceThatSaysWhatToDo) {
    const auto made = make_gpu_runner({.measure_roofs = false});
    if (made) GTEST_SKIP() << "there is a GPU";
    EXPECT_EQ(made.error().kind, ErrorKind::kFailed);
    EXPECT_THAT(made.error().message, HasSubstr("race on the CPU"));
    EXPECT_EQ(made.error().message.find('\n'), std::string::npos);
}

// Every kernel at every TILE and PAD, at those of these sizes that it takes.
TEST_F(GpuRunner, VerifiesEveryKernelOfTheLadder) {
    for (const ProductSize size : {ProductSize{64, 64, 64},
                                   {64, 128, 16},
                                   {32, 32, 32},
                                   {64, 64, 32},
                                   {100, 37, 65},
                                   {1024, 1024, 1024}}) {
        ASSERT_TRUE(runner_->prepare(size, Caches::kCold, 1));
        for (const KernelInfo& kernel : catalog())
            for (const int tile : kernel.tiles)
                for (const int pad : kernel.pads) {
                    const Contender contender{std::string(kernel.id), tile, pad};
                    if (kernel.on_cpu || !takes(contender, size)) continue;
                    const std::string capability =
                        runner_->machine(kNotCancelled).compute_capability;
                    if (kernel.compute_capability > std::lround(10 * std::stod(capability)))
                        continue;
                    const auto verified = runner_->verify(contender, kNotCancelled);
                    ASSERT_TRUE(verified) << name_of(contender) << verified.error().message;
                    EXPECT_EQ(verified->outcome, Outcome::kVerified)
                        << name_of(contender) << " at " << name_of(size) << verified->sentence;
                }
    }
}

TEST_F(GpuRunner, ReportsTimesAndResourcesOfAKernel) {
    ASSERT_TRUE(runner_->prepare({512, 512, 512}, Caches::kCold, 1));
    const Contender tiled{"09_tiled", 32, 0};
    const auto time = runner_->time(tiled, 5, kNotCancelled);
    ASSERT_TRUE(time);
    EXPECT_GT(*time, 0);
    const auto resources = runner_->resources(tiled);
    ASSERT_TRUE(resources) << resources.error().message;
    EXPECT_EQ(resources->block_threads, 1024);
    EXPECT_EQ(resources->static_shared_bytes, 2u * 32 * 32 * 4);
    EXPECT_GT(resources->registers_per_thread, 8);
    EXPECT_GE(resources->blocks_per_multiprocessor, 1);
    const auto dynamic = runner_->resources({"11_tiled_dynamic", 16, 0});
    ASSERT_TRUE(dynamic);
    EXPECT_EQ(dynamic->dynamic_shared_bytes, 2u * 16 * 16 * 4);
    EXPECT_EQ(dynamic->block_threads, 256);
    EXPECT_FALSE(runner_->resources({"cublas"}));
}

TEST_F(GpuRunner, RefusesMatricesLargerThanItsMemoryAndContinues) {
    const int largest = 1 << 20;
    ASSERT_TRUE(runner_->prepare({largest, largest, 16}, Caches::kCold, 1));
    const auto verified = runner_->verify({"cublas"}, kNotCancelled);
    ASSERT_FALSE(verified);
    EXPECT_THAT(verified.error().message, HasSubstr("race a smaller size"));
    ASSERT_TRUE(runner_->prepare({64, 64, 64}, Caches::kCold, 1));
    EXPECT_TRUE(runner_->verify({"09_tiled", 16, 0}, kNotCancelled));
}

TEST_F(GpuRunner, RefusesKernelsOfTheCpu) {
    ASSERT_TRUE(runner_->prepare({16, 16, 16}, Caches::kWarm, 1));
    EXPECT_EQ(runner_->verify({"cpu_tiled", 16, 0}, kNotCancelled).error().kind,
              ErrorKind::kWrongCall);
    EXPECT_EQ(runner_->verify({"openblas"}, kNotCancelled).error().kind, ErrorKind::kWrongCall);
}

TEST_F(GpuRunner, StopsWhenCancelled) {
    ASSERT_TRUE(runner_->prepare({64, 64, 64}, Caches::kCold, 1));
    const std::atomic<bool> cancel = true;
    EXPECT_EQ(runner_->time({"09_tiled", 16, 0}, 1000, cancel).error().kind, ErrorKind::kCancelled);
    EXPECT_EQ(runner_->verify({"09_tiled", 16, 0}, cancel).error().kind, ErrorKind::kCancelled);
}

void check_every_element(const Cublas& cublas, const ProductSize& size, InputType type) {
    auto matrices = GpuMatrices::make(size, type, 0, 1);
    ASSERT_TRUE(matrices) << matrices.error().message;
    const GpuSet set = matrices->first();
    const auto multiply = [&] {
        if (type == InputType::kBfloat16) return cublas.multiply_bf16(size, set.a, set.b, set.c);
        return cublas.multiply(size, set.floats_of_a(), set.floats_of_b(), set.c);
    };
    ASSERT_TRUE(matrices->poison());
    EXPECT_THAT(matrices->check(&cublas)->sentence, HasSubstr("C[0][0] was not written"));
    ASSERT_TRUE(multiply());
    const auto right = matrices->check(&cublas);
    ASSERT_TRUE(right);
    EXPECT_EQ(right->outcome, Outcome::kVerified) << right->sentence;
    EXPECT_THAT(right->checked, HasSubstr("every element, with"));
    for (const int place : {0, size.n * 5 + 7, size.m * size.n - 1}) {
        ASSERT_TRUE(multiply());
        const float wrong = 1e4;
        ASSERT_EQ(cudaMemcpy(set.c + place, &wrong, sizeof wrong, cudaMemcpyHostToDevice),
                  cudaSuccess);
        const auto found = matrices->check(&cublas);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->outcome, Outcome::kWrong);
        EXPECT_THAT(found->sentence, HasSubstr("C[" + std::to_string(place / size.n) + "][" +
                                               std::to_string(place % size.n) + "] is 10000"));
    }
}

// A product too large for float64 on the CPU is compared with cuBLAS, a small one with float64.
// Both find a single wrong element at any place, and elements that were not written.
TEST_F(GpuRunner, ChecksEveryElement) {
    const auto cublas = Cublas::open();
    if (!cublas) GTEST_SKIP() << cublas.error().message;
    for (const InputType type : {InputType::kFloat32, InputType::kBfloat16})
        for (const ProductSize size : {ProductSize{100, 37, 65}, {700, 1100, 513}})
            check_every_element(*cublas, size, type);
}

TEST_F(GpuRunner, WithoutAReferenceChecksRowsAndColumns) {
    auto made = make_gpu_runner({.reference = false, .measure_roofs = false});
    ASSERT_TRUE(made);
    ASSERT_TRUE((*made)->prepare({1024, 1024, 1024}, Caches::kWarm, 1));
    const auto verified = (*made)->verify({"09_tiled", 32, 0}, kNotCancelled);
    ASSERT_TRUE(verified) << verified.error().message;
    EXPECT_EQ(verified->outcome, Outcome::kVerified) << verified->sentence;
    EXPECT_THAT(verified->checked, HasSubstr("rows and"));
    EXPECT_EQ((*made)->verify({"cublas"}, kNotCancelled).error().kind, ErrorKind::kWrongCall);
}

}  // namespace
}  // namespace tilereel::gpu_runner_test
