#include "app/race/gpu/gpu_matrices.h"

#include <bit>
#include <cstring>
#include <new>
#include <vector>

#include "app/race/gpu/gpu_tools.h"
#include "app/race/race_values.h"
#include "kernels/reference.h"

namespace tilereel {
namespace {

std::uint64_t product_of(int rows, int columns) { return std::uint64_t(rows) * columns; }

Result<float> element_of(const float* matrix, std::uint64_t place) {
    float value = 0;
    TRY(race_status(cudaMemcpy(&value, matrix + place, sizeof value, cudaMemcpyDeviceToHost),
                    "give C back"));
    return value;
}

}  // namespace

Result<GpuMatrices> GpuMatrices::make(const ProductSize& size, InputType inputs,
                                      std::uint64_t cache_bytes, std::uint64_t seed) {
    const auto make_with = [&](const Rotation& rotation) -> Result<GpuMatrices> {
        auto memory = TRY(device_memory(rotation.bytes()));
        GpuMatrices matrices(rotation, inputs, std::move(memory), seed);
        TRY(matrices.fill());
        return matrices;
    };
    try {
        const Rotation rotation(size, cache_bytes, inputs);
        auto matrices = make_with(rotation);
        // If there are two sets, each is at least twice as large as the cache. Then the cache is
        // cold with a single set, too.
        if (!matrices && rotation.sets() == 2) return make_with(Rotation(size, 0, inputs));
        return matrices;
    } catch (const std::bad_alloc&) {
        return failed("the computer has no memory to check products of " + name_of(size) +
                      "; race a smaller size");
    }
}

GpuSet GpuMatrices::set(std::size_t index) const {
    float* const first = static_cast<float*>(memory_.get()) + rotation_.first_of(index);
    return {.a = first + rotation_.a_at(),
            .b = first + rotation_.b_at(),
            .c = first + rotation_.c_at()};
}

// The first set has the values of ProductCheck; the others continue the sequence.
Status GpuMatrices::fill() const {
    const std::uint64_t of_a = product_of(size().m, size().k),
                        of_b = product_of(size().k, size().n);
    float* const memory = static_cast<float*>(memory_.get());
    cudaError_t error = cudaSuccess;
    for (std::size_t index = 0; index < rotation_.sets() && error == cudaSuccess; ++index) {
        float* const first = memory + rotation_.first_of(index);
        error = start_fill(first + rotation_.a_at(), inputs_,
                           {.seed = seed_of_a(seed_), .first_index = index * of_a, .count = of_a});
        if (error == cudaSuccess)
            error =
                start_fill(first + rotation_.b_at(), inputs_,
                           {.seed = seed_of_b(seed_), .first_index = index * of_b, .count = of_b});
    }
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    return race_status(error, "fill the matrices");
}

Status GpuMatrices::poison(bool finite) const {
    constexpr int kBytesOfNan = 0xff, kBytesOfLarge = 0x7e;  // 8.4e37
    return race_status(cudaMemset(first().c, finite ? kBytesOfLarge : kBytesOfNan,
                                  rotation_.c_elements() * sizeof(float)),
                       "clear C");
}

Result<Verified> GpuMatrices::check(const Cublas* cublas) {
    if (cublas && !check_.every_element() && !reference_tried_) {
        reference_tried_ = true;
        // If this fails, for example without enough memory, only rows and columns are checked.
        if (!make_reference(*cublas)) reference_.reset();
    }
    if (reference_) return check_on_gpu();
    std::vector<float> found = TRY(on_cpu(first().c));
    const Verified verified = check_.check(found);
    if (verified.outcome == Outcome::kVerified) right_ = std::move(found);
    return verified;
}

Result<Verified> GpuMatrices::check_again() {
    if (reference_) return check_on_gpu();
    const std::vector<float> found = TRY(on_cpu(first().c));
    // Sums in another order differ in their last bits, which check() allows.
    if (!right_.empty() &&
        std::memcmp(found.data(), right_.data(), found.size() * sizeof(float)) == 0)
        return Verified{};
    return check_.check(found);
}

Result<std::vector<float>> GpuMatrices::on_cpu(const float* c) const {
    try {
        std::vector<float> values(rotation_.c_elements());
        TRY(race_status(
            cudaMemcpy(values.data(), c, values.size() * sizeof(float), cudaMemcpyDeviceToHost),
            "give C back"));
        return values;
    } catch (const std::bad_alloc&) {
        return failed("the computer has no memory for C; race a smaller size");
    }
}

Result<Verified> GpuMatrices::check_on_cpu(const float* c) const {
    return check_.check(TRY(on_cpu(c)));
}

Status GpuMatrices::make_reference(const Cublas& cublas) {
    const std::uint64_t of_a = product_of(size().m, size().k),
                        of_b = product_of(size().k, size().n);
    auto product = device_memory(rotation_.c_elements() * sizeof(float));
    auto magnitude = device_memory(rotation_.c_elements() * sizeof(float));
    auto a = device_memory(of_a * sizeof(float)), b = device_memory(of_b * sizeof(float));
    for (const auto* memory : {&product, &magnitude, &a, &b})
        if (!*memory) return memory->error();
    auto* const floats_of_a = static_cast<float*>(a->get());
    auto* const floats_of_b = static_cast<float*>(b->get());
    auto* const sums = static_cast<float*>(product->get());
    cudaError_t error = start_widen(floats_of_a, first().a, inputs_, of_a);
    if (error == cudaSuccess) error = start_widen(floats_of_b, first().b, inputs_, of_b);
    TRY(race_status(error, "copy the matrices"));
    TRY(cublas.multiply(size(), floats_of_a, floats_of_b, sums));
    error = start_absolute(floats_of_a, of_a);
    if (error == cudaSuccess) error = start_absolute(floats_of_b, of_b);
    TRY(race_status(error, "take absolute values"));
    TRY(cublas.multiply(size(), floats_of_a, floats_of_b, static_cast<float*>(magnitude->get())));
    const auto verified = check_on_cpu(sums);  // also waits for cuBLAS
    if (!verified) return verified.error();
    if (verified->outcome != Outcome::kVerified) return failed(verified->sentence);
    reference_ = Reference{*std::move(product), *std::move(magnitude)};
    return Done{};
}

Result<Verified> GpuMatrices::check_on_gpu() const {
    const auto* const product = static_cast<const float*>(reference_->product.get());
    const auto* const magnitude = static_cast<const float*>(reference_->magnitude.get());
    auto memory = TRY(device_memory(sizeof(DeviceComparison)));
    auto* const on_gpu = static_cast<DeviceComparison*>(memory.get());
    DeviceComparison found{kNoneWrong, 0, 0};
    cudaError_t error = cudaMemcpy(on_gpu, &found, sizeof found, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = start_comparison(first().c, product, magnitude, rotation_.c_elements(),
                                 static_cast<float>(allowed_error(size().k)), on_gpu);
    if (error == cudaSuccess)
        error = cudaMemcpy(&found, on_gpu, sizeof found, cudaMemcpyDeviceToHost);
    TRY(race_status(error, "compare C"));
    Verified verified{.worst_error = std::bit_cast<float>(found.worst_error),
                      .checked = "every element, with cuBLAS"};
    if (found.first_wrong == kNoneWrong) return verified;
    const auto got = element_of(first().c, found.first_wrong);
    const auto expected = element_of(product, found.first_wrong);
    if (!got) return got.error();
    if (!expected) return expected.error();
    verified.outcome = Outcome::kWrong;
    verified.sentence = wrong_sentence(
        {.row = static_cast<std::uint32_t>(found.first_wrong / std::uint64_t(size().n)),
         .column = static_cast<std::uint32_t>(found.first_wrong % std::uint64_t(size().n)),
         .found = *got,
         .expected = *expected});
    return verified;
}

}  // namespace tilereel
