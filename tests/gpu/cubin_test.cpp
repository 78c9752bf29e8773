// The machine code that nvcc makes: which instructions it has, on which lines. Expected counts
// follow from the kernels: each has accesses that a compiler can neither join nor leave out, and
// inline PTX says which pipe computes.
#include "instrumentation/gpu/cubin/cubin.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "instrumentation/base/files/temporary_folder.h"
#include "instrumentation/base/files/text_file.h"
#include "instrumentation/program/gpu/machine_code.h"
#include "instrumentation/program/gpu/nvcc_build.h"

namespace tilereel::cubin_test {
namespace {

// One kernel in C linkage, so that its symbol is its name. Line 1 is its head.
Result<MachineKernel> compiled(const std::string& text) {
    const TemporaryFolder folder = TRY(TemporaryFolder::make());
    program::ProgramRequest request;
    request.file = folder.path() / "kernel.cu";
    TRY(write_text(request.file, text));
    std::vector<MachineKernel> kernels = TRY(program::machine_code_of(request, "sm_90"));
    return std::move(kernels.front());
}
std::size_t count(const MachineKernel& kernel, MachineKind kind, std::uint32_t line = 0,
                  std::uint8_t width = 0) {
    return static_cast<std::size_t>(
        std::ranges::count_if(kernel.instructions, [&](const MachineInstruction& each) {
            return each.kind == kind && (line == 0 || each.line == line) &&
                   (width == 0 || each.width_bytes == width);
        }));
}

class Cubin : public testing::Test {
  protected:
    void SetUp() override {
        if (program::find_nvcc().empty()) GTEST_SKIP() << "there is no nvcc";
    }
};

TEST_F(Cubin, HasEachAccessWithItsWidthOnItsLine) {
    const auto kernel = compiled(
        "extern \"C\" __global__ void k(const float4* x, float2* y, volatile short* z) {\n"
        "    float4 a = x[threadIdx.x], b = x[threadIdx.x + 64];\n"
        "    y[threadIdx.x] = make_float2(a.x + a.y + b.x, (a.z + a.w + b.y) * b.z * b.w);\n"
        "    const int t = threadIdx.x;\n"
        "    z[t] = t; z[t] = t; z[t] = t;\n"
        "}\n");
    ASSERT_TRUE(kernel) << kernel.error().message;
    EXPECT_EQ(kernel->symbol, "k");
    EXPECT_EQ(kernel->unknown(), 0u);
    EXPECT_EQ(count(*kernel, MachineKind::kGlobalLoad, 2, 16), 2u);
    EXPECT_EQ(count(*kernel, MachineKind::kGlobalLoad), 2u);
    EXPECT_EQ(count(*kernel, MachineKind::kGlobalStore, 3, 8), 1u);
    EXPECT_EQ(count(*kernel, MachineKind::kGlobalStore, 5, 2), 3u);
    EXPECT_EQ(count(*kernel, MachineKind::kFma), 6u);
    EXPECT_GE(kernel->registers, 8);
    EXPECT_LE(kernel->registers, 32);
}

// A sum waits for the scoreboard that the load before it sets.
TEST_F(Cubin, AnInstructionWaitsForTheScoreboardOfItsOperand) {
    const auto kernel = compiled(
        "extern \"C\" __global__ void k(const float* x, float* y) {\n"
        "    const float a = x[threadIdx.x];\n"
        "    y[threadIdx.x] = a + 1.5f;\n"
        "}\n");
    ASSERT_TRUE(kernel) << kernel.error().message;
    const auto& all = kernel->instructions;
    const auto load = std::ranges::find(all, MachineKind::kGlobalLoad, &MachineInstruction::kind);
    const auto sum = std::ranges::find(all, MachineKind::kFma, &MachineInstruction::kind);
    ASSERT_TRUE(load != all.end() && sum != all.end());
    ASSERT_LT(load->writes, kScoreboards);
    EXPECT_TRUE((sum->waits >> load->writes & 1) != 0);
    const auto store = std::ranges::find(all, MachineKind::kGlobalStore, &MachineInstruction::kind);
    EXPECT_GE(sum->stall, 4);  // clocks until the sum can be stored
    EXPECT_EQ(store - sum, 1);
}

TEST_F(Cubin, HasEachPipeAndSharedMemory) {
    const auto kernel = compiled(
        "extern \"C\" __global__ void k(float* x, double* d, int* i) {\n"
        "    __shared__ volatile float s[64];\n"
        "    s[threadIdx.x] = x[threadIdx.x];\n"
        "    __syncthreads();\n"
        "    float f = s[63 - threadIdx.x];\n"
        "    asm volatile(\"ex2.approx.ftz.f32 %0, %0;\" : \"+f\"(f));\n"
        "    asm volatile(\"rsqrt.approx.ftz.f32 %0, %0;\" : \"+f\"(f));\n"
        "    x[threadIdx.x] = __shfl_xor_sync(0xffffffff, f, 1);\n"
        "    d[threadIdx.x] = d[threadIdx.x] * d[threadIdx.x + 64];\n"
        "    atomicAdd(&i[0], i[threadIdx.x] * i[threadIdx.x + 64] + 5);\n"
        "}\n");
    ASSERT_TRUE(kernel) << kernel.error().message;
    EXPECT_EQ(count(*kernel, MachineKind::kSharedStore, 3, 4), 1u);
    EXPECT_EQ(count(*kernel, MachineKind::kSharedLoad, 5, 4), 1u);
    EXPECT_EQ(count(*kernel, MachineKind::kBarrier, 4), 1u);
    EXPECT_EQ(count(*kernel, MachineKind::kXu, 6), 1u);
    EXPECT_EQ(count(*kernel, MachineKind::kXu, 7), 1u);
    EXPECT_EQ(count(*kernel, MachineKind::kExchange), 1u);
    EXPECT_EQ(count(*kernel, MachineKind::kFp64, 9), 1u);
    EXPECT_EQ(count(*kernel, MachineKind::kGlobalAtomic), 1u);
    EXPECT_GE(count(*kernel, MachineKind::kIntegerProduct, 10), 1u);
}

// The loop's branch goes back to the first instruction after those before the loop.
TEST_F(Cubin, ALoopBranchesBack) {
    const auto kernel = compiled(
        "extern \"C\" __global__ void k(volatile float* x, int n) {\n"
        "    float a = 0;\n"
        "#pragma unroll 1\n"
        "    for (int i = 0; i < n; ++i)\n"
        "        a += x[i];\n"
        "    x[0] = a;\n"
        "}\n");
    ASSERT_TRUE(kernel) << kernel.error().message;
    const auto& all = kernel->instructions;
    std::size_t loops = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!all[i].target || *all[i].target >= i) continue;
        EXPECT_TRUE(all[i].is_conditional);
        const auto body = std::count_if(
            all.begin() + *all[i].target, all.begin() + static_cast<std::ptrdiff_t>(i),
            [](const MachineInstruction& each) { return each.kind == MachineKind::kGlobalLoad; });
        EXPECT_EQ(body, 1);
        ++loops;
    }
    EXPECT_EQ(loops, 1u);
}

TEST(CubinFile, ADamagedFileIsAnError) {
    EXPECT_FALSE(gpu::kernels_of_cubin({}));
    EXPECT_FALSE(gpu::kernels_of_cubin(std::vector<std::byte>(4096, std::byte{0x7f})));
    EXPECT_FALSE(gpu::read_cubin("no such file"));
}

}  // namespace
}  // namespace tilereel::cubin_test
