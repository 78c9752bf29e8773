// The speed of products of tensor cores on one thread. Goal on a 2 GHz core: 2 GFLOP/s for m16n8k16
// with f16 and bf16, m16n8k8 with tf32 and m16n8k32 with s8.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "instrumentation/cuda/runtime/tensor/multiply.h"
#include "instrumentation/cuda/runtime/tensor/multiply_warpgroup.h"

namespace tilereel {
namespace {

void multiplies(benchmark::State& state, const std::string& rest) {
    const WarpProduct product = find_warp_product("mma.sync.aligned." + rest).value();
    const auto registers = [&product](MatrixOperand operand) {
        // 0x3f803f80 is a finite number in every type.
        return std::vector<std::uint32_t>(
            static_cast<std::size_t>(32 * registers_of(product, operand)), 0x3f803f80);
    };
    const std::vector<std::uint32_t> a = registers(MatrixOperand::kA),
                                     b = registers(MatrixOperand::kB),
                                     c = registers(MatrixOperand::kC);
    std::vector<std::uint32_t> d = registers(MatrixOperand::kD);
    for (auto _ : state) {
        runtime::multiply(product, a.data(), b.data(), c.data(), d.data());
        benchmark::DoNotOptimize(d.data());
        benchmark::ClobberMemory();
    }
    state.counters["FLOP/s"] = benchmark::Counter(
        static_cast<double>(product.flop() * state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(multiplies, f16, "m16n8k16.row.col.f32.f16.f16.f32");
BENCHMARK_CAPTURE(multiplies, f16_sums, "m16n8k16.row.col.f16.f16.f16.f16");
BENCHMARK_CAPTURE(multiplies, bf16, "m16n8k16.row.col.f32.bf16.bf16.f32");
BENCHMARK_CAPTURE(multiplies, tf32, "m16n8k8.row.col.f32.tf32.tf32.f32");
BENCHMARK_CAPTURE(multiplies, s8, "m16n8k32.row.col.s32.s8.s8.s32");
BENCHMARK_CAPTURE(multiplies, e4m3, "m16n8k32.row.col.f32.e4m3.e4m3.f32");
BENCHMARK_CAPTURE(multiplies, b1, "m16n8k256.row.col.s32.b1.b1.s32.and.popc");
BENCHMARK_CAPTURE(multiplies, f64, "m16n8k16.row.col.f64.f64.f64.f64");
BENCHMARK_CAPTURE(multiplies, f16_quads, "m8n8k4.row.col.f32.f16.f16.f32");

void multiplies_in_shared_memory(benchmark::State& state, const std::string& rest) {
    const WarpgroupProduct product =
        find_warpgroup_product("wgmma.mma_async.sync.aligned." + rest).value();
    const std::vector<std::byte> shared(0x10000);
    runtime::WarpgroupFactors factors;
    factors.a_descriptor = {.stride_bytes = 1024, .swizzle = Swizzle::k128Bytes};
    factors.b_descriptor = factors.a_descriptor;
    std::vector<std::uint32_t> d(
        static_cast<std::size_t>(kWarpgroupThreads * registers_of(product, MatrixOperand::kD)));
    for (auto _ : state) {
        benchmark::DoNotOptimize(runtime::multiply(product, factors, {shared, 0}, d.data()));
        benchmark::ClobberMemory();
    }
    state.counters["FLOP/s"] = benchmark::Counter(
        static_cast<double>(product.flop() * state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(multiplies_in_shared_memory, bf16_n128, "m64n128k16.f32.bf16.bf16");
BENCHMARK_CAPTURE(multiplies_in_shared_memory, bf16_n256, "m64n256k16.f32.bf16.bf16");
BENCHMARK_CAPTURE(multiplies_in_shared_memory, e4m3_n128, "m64n128k32.f32.e4m3.e4m3");

}  // namespace
}  // namespace tilereel

BENCHMARK_MAIN();
