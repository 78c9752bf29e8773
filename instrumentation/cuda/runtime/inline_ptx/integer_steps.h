#pragma once
// What instructions on integers have in common: wrapping types, and steps of operands of one type.
#include <cstdint>
#include <type_traits>

#include "instrumentation/cuda/runtime/inline_ptx/inline_values.h"

namespace tilereel::runtime::ptx_integer {

template <class T>
using Unsigned = std::make_unsigned_t<T>;
// Sums and products wrap, also those of signed types; small types are not promoted.
template <class T>
using Wide = std::conditional_t<
    (sizeof(T) > 4), std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>,
    std::conditional_t<(sizeof(T) > 2),
                       std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>,
                       std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>>>;

template <int inputs, class Function>
Result<PtxStep> same_type(const PtxBinder& binder) {
    const PtxType type = last_type(binder.instruction());
    if (type == PtxType::kPredicate) return binder.refuse("it has no predicates as operands");
    const PtxStep::Run run =
        with_integer(type, []<class T>(T) -> PtxStep::Run { return compute<T, inputs, Function>; });
    return computing(binder, run, inputs, type);
}

template <class Function>
Result<PtxStep> to_word(const PtxBinder& binder) {  // a result of 32 bits
    const PtxType type = last_type(binder.instruction());
    const PtxStep::Run run = with_integer(
        type, []<class T>(T) -> PtxStep::Run { return compute<T, 1, Function, std::uint32_t>; });
    return computing(binder, run, 1, type);
}

}  // namespace tilereel::runtime::ptx_integer
