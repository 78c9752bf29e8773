// Compares 20_champion on a Hopper GPU with float64 on the CPU. C is full of NaN before each
// launch. Skipped without such a GPU.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <random>
#include <vector>

#include "kernels/cuda/champion/champion.h"
#include "kernels/cuda/cuda_handles.h"

namespace tilereel::champion_gpu_test {
namespace {

CudaMemory on_gpu(const std::vector<float>& values, std::size_t offset = 0) {
    void* memory = nullptr;
    const std::size_t bytes = values.size() * sizeof(float);
    EXPECT_EQ(cudaMalloc(&memory, bytes + offset * sizeof(float)), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(static_cast<float*>(memory) + offset, values.data(), bytes,
                         cudaMemcpyHostToDevice),
              cudaSuccess);
    return CudaMemory(memory);
}

// A product on the GPU, with a margin after C that must stay as it is.
class Product {
  public:
    static constexpr std::size_t kMargin = 64;

    explicit Product(const ChampionSize& size, std::size_t offset = 0, unsigned seed = 1)
        : size_(size), offset_(offset), a_(count(size.m, size.k)), b_(count(size.k, size.n)) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<float> value(-1, 1);
        for (float& x : a_) x = value(random);
        for (float& x : b_) x = value(random);
        gpu_a_ = on_gpu(a_, offset);
        gpu_b_ = on_gpu(b_, offset);
        poison();
    }
    void poison() {
        gpu_c_ = on_gpu(std::vector<float>(count(size_.m, size_.n) + kMargin,
                                           std::numeric_limits<float>::quiet_NaN()),
                        offset_);
    }
    Status launch(ChampionPlan& plan) {
        return plan.launch(static_cast<float*>(gpu_a_.get()) + offset_,
                           static_cast<float*>(gpu_b_.get()) + offset_,
                           static_cast<float*>(gpu_c_.get()) + offset_);
    }
    std::vector<float> c() const {
        std::vector<float> c(count(size_.m, size_.n) + kMargin);
        EXPECT_EQ(cudaMemcpy(c.data(), static_cast<float*>(gpu_c_.get()) + offset_,
                             c.size() * sizeof(float), cudaMemcpyDeviceToHost),
                  cudaSuccess);
        return c;
    }
    // Checks every `stride`th element. A float32 sum of K terms may be off by (8 + sqrt(K)) 2^-24
    // sum |a b|: rounding errors add up like a random walk.
    void expect_right(std::size_t stride = 1) const {
        const std::vector<float> c = this->c();
        std::size_t wrong = 0;
        for (std::size_t at = 0; at < count(size_.m, size_.n); at += stride) {
            const std::size_t row = at / static_cast<std::size_t>(size_.n);
            const std::size_t col = at % static_cast<std::size_t>(size_.n);
            double sum = 0, magnitude = 0;
            for (std::size_t k = 0; k < static_cast<std::size_t>(size_.k); ++k) {
                const double term = double{a_[row * static_cast<std::size_t>(size_.k) + k]} *
                                    b_[k * static_cast<std::size_t>(size_.n) + col];
                sum += term;
                magnitude += std::abs(term);
            }
            const double allowed = std::ldexp(8 + std::sqrt(size_.k), -24) * magnitude;
            if (!(std::abs(c[at] - sum) <= allowed) && ++wrong < 3)
                ADD_FAILURE() << "C[" << row << "][" << col << "] is " << c[at] << ", not " << sum;
        }
        EXPECT_EQ(wrong, 0u) << size_.m << "x" << size_.n << "x" << size_.k;
        for (std::size_t i = 0; i < kMargin; ++i)
            EXPECT_TRUE(std::isnan(c[count(size_.m, size_.n) + i])) << "written after C";
    }

  private:
    static std::size_t count(int rows, int columns) {
        return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
    }
    ChampionSize size_;
    std::size_t offset_;
    std::vector<float> a_, b_;
    CudaMemory gpu_a_, gpu_b_, gpu_c_;
};

class Champion : public testing::Test {
  protected:
    void SetUp() override {
        const auto gpu = use_first_gpu();
        if (!gpu) GTEST_SKIP() << gpu.error().message;
        if (gpu->major != 9) {
            const auto plan = ChampionPlan::make({64, 64, 64});
            ASSERT_FALSE(plan);
            GTEST_SKIP() << plan.error().message;
        }
    }
};

void expect_right(const ChampionSize& size, std::optional<ChampionChoice> choice = std::nullopt,
                  std::size_t offset = 0) {
    auto plan = ChampionPlan::make(size, nullptr, choice);
    ASSERT_TRUE(plan) << plan.error().message;
    SCOPED_TRACE(
        std::string(champion_configs()[static_cast<std::size_t>(plan->choice().config)].name));
    Product product(size, offset);
    std::vector<float> before;
    for (int launch = 0; launch < 3; ++launch) {  // each launch leaves the plan ready for the next
        product.poison();
        const Status launched = product.launch(*plan);
        ASSERT_TRUE(launched) << launched.error().message;
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        const std::vector<float> c = product.c();
        if (launch > 0) {
            EXPECT_EQ(std::memcmp(c.data(), before.data(), c.size() * sizeof(float)), 0);
        }
        before = c;
    }
    const double work = 1.0 * size.m * size.n * size.k;
    product.expect_right(work > 1e7 ? static_cast<std::size_t>(work / 1e7) | 1 : 1);
}

TEST_F(Champion, ShapesOfAllKinds) {
    for (const ChampionSize& size : std::initializer_list<ChampionSize>{
             {1, 1, 1},          {3, 5, 7},        {257, 130, 33},    {300, 1000, 1},
             {1, 1, 5000},       {500, 1, 1},      {1, 500, 1},       {64, 64, 64},
             {128, 128, 128},    {256, 256, 256},  {512, 512, 512},   {1024, 1024, 1024},
             {2048, 2048, 2048}, {127, 129, 4096}, {1, 4096, 4096},   {4096, 1, 4096},
             {64, 4096, 2048},   {4096, 64, 2048}, {1000, 3000, 700}, {1021, 1031, 1033},
             {2047, 2047, 2047}, {2, 77, 10007},   {77, 3, 10007},    {5, 6, 70000},
             {1536, 1536, 1536}, {3001, 127, 129}})
        expect_right(size);
}

TEST_F(Champion, EveryConfigurationAndSplit) {
    for (int config = 0; config < static_cast<int>(champion_configs().size()); ++config) {
        const ChampionConfig& w = champion_configs()[static_cast<std::size_t>(config)];
        const int m = w.kernel == ChampionKernel::kRows ? w.rows : 300;
        const int n = w.kernel == ChampionKernel::kColumns ? w.columns : 270;
        for (const int k : {700, 1001}) {
            for (const ChampionSize& size :
                 {ChampionSize{m, n, k}, {m, w.kernel == ChampionKernel::kColumns ? 1 : 271, k}}) {
                if (w.kernel == ChampionKernel::kBulk)
                    expect_right(size, ChampionChoice{.config = config, .stream_k = true});
                for (const int cluster : {1, 2, 3, 8})
                    for (const int rounds : {1, 2, 5}) {
                        const ChampionChoice choice{
                            .config = config, .cluster = cluster, .rounds = rounds};
                        if (expected_time(size, choice, 132)) expect_right(size, choice);
                    }
            }
        }
    }
}

TEST_F(Champion, MatricesThatStartAnywhere) {
    for (const std::size_t offset : {1, 2, 3}) {
        for (int config = 0; config < static_cast<int>(champion_configs().size()); ++config)
            if (champion_configs()[static_cast<std::size_t>(config)].kernel ==
                ChampionKernel::kSmall)
                expect_right({100, 90, 300}, ChampionChoice{.config = config}, offset);
        for (const ChampionSize& size : std::initializer_list<ChampionSize>{{600, 600, 600},
                                                                            {64, 64, 64},
                                                                            {1, 1000, 1000},
                                                                            {1000, 1, 1000},
                                                                            {1100, 900, 500},
                                                                            {255, 2047, 130},
                                                                            {1022, 1023, 61}})
            expect_right(size, std::nullopt, offset);
    }
}

TEST_F(Champion, RandomSmallShapes) {
    std::mt19937 random(7);
    for (int i = 0; i < 2000; ++i) {
        const auto extent = [&](int most) {
            return 1 + static_cast<int>(random() % unsigned(most));
        };
        const ChampionSize size{extent(i % 3 == 0 ? 8 : 90), extent(i % 3 == 1 ? 8 : 90),
                                extent(i % 2 == 0 ? 40 : 400)};
        auto plan = ChampionPlan::make(size);
        ASSERT_TRUE(plan) << plan.error().message;
        Product product(size, 0, static_cast<unsigned>(i));
        ASSERT_TRUE(product.launch(*plan));
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        product.expect_right();
        if (HasFailure()) return;
    }
}

TEST_F(Champion, PlansOnTwoStreamsDoNotDisturbEachOther) {
    auto first = make_stream(), second = make_stream();
    ASSERT_TRUE(first && second);
    const std::vector<ChampionSize> sizes{
        {1024, 1024, 1024}, {127, 129, 4096}, {512, 512, 4096}, {1, 2048, 4096}, {700, 700, 700}};
    struct Running {
        ChampionPlan plan;
        Product product;
    };
    std::vector<Running> running;
    for (const ChampionSize& size : sizes)
        for (const auto* stream : {&*first, &*second}) {
            auto plan = ChampionPlan::make(size, stream->get());
            ASSERT_TRUE(plan) << plan.error().message;
            running.push_back({*std::move(plan), Product(size)});
        }
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    for (int turn = 0; turn < 20; ++turn)
        for (Running& each : running) ASSERT_TRUE(each.product.launch(each.plan));
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    for (const Running& each : running) each.product.expect_right(997);
}

}  // namespace
}  // namespace tilereel::champion_gpu_test
