#include "instrumentation/trace/fragments/matrix_type.h"

#include <array>

namespace tilereel {
namespace {

// In the order of MatrixType.
constexpr std::array<std::string_view, 13> kPtxNames = {
    "f16", "bf16", "tf32", "f32", "f64", "s8", "u8", "s4", "u4", "b1", "e4m3", "e5m2", "s32"};
static_assert(kPtxNames.size() == static_cast<std::size_t>(kLastMatrixType) + 1);

}  // namespace

std::string_view ptx_name(MatrixType type) { return kPtxNames[static_cast<std::size_t>(type)]; }

std::optional<MatrixType> matrix_type(std::string_view ptx_name) {
    for (std::size_t i = 0; i < kPtxNames.size(); ++i)
        if (kPtxNames[i] == ptx_name) return static_cast<MatrixType>(i);
    return std::nullopt;
}

}  // namespace tilereel
