#pragma once
// Steps that compute: a function of one, two or three values of a type.
#include <algorithm>
#include <type_traits>

#include "instrumentation/cuda/runtime/inline_ptx/inline_program.h"

namespace tilereel::runtime {

// The result and up to three inputs have the type T. `function`: an empty function object.
template <class T, int inputs, class Function, class Result = T>
void compute(PtxFrame& frame, const PtxStep& step) {
    constexpr Function function{};
    if constexpr (inputs == 1)
        put(frame, step.out[0], Result(function(get_as<T>(frame, step.in[0]))));
    else if constexpr (inputs == 2)
        put(frame, step.out[0],
            Result(function(get_as<T>(frame, step.in[0]), get_as<T>(frame, step.in[1]))));
    else
        put(frame, step.out[0],
            Result(function(get_as<T>(frame, step.in[0]), get_as<T>(frame, step.in[1]),
                            get_as<T>(frame, step.in[2]))));
}

// Binds the operands "d, a, b, ..." of a step that computes.
inline tilereel::Result<PtxStep> computing(const PtxBinder& binder, PtxStep::Run run,
                                           std::size_t inputs, PtxType type) {
    TRY(binder.expect_operands(inputs + 1, inputs + 1));
    PtxStep step;
    step.run = run;
    step.out[0] = TRY(binder.target(0));
    for (std::size_t i = 0; i < inputs; ++i) step.in[i] = TRY(binder.source(i + 1, type));
    return step;
}

// Calls function(T()) with the integer type T of a PTX type; b16 is unsigned.
template <class Function>
auto with_integer(PtxType type, Function function) -> decltype(function(std::uint32_t())) {
    switch (type) {
        case PtxType::kS8:
            return function(std::int8_t());
        case PtxType::kU8:
        case PtxType::kB8:
            return function(std::uint8_t());
        case PtxType::kS16:
            return function(std::int16_t());
        case PtxType::kU16:
        case PtxType::kB16:
            return function(std::uint16_t());
        case PtxType::kS32:
            return function(std::int32_t());
        case PtxType::kS64:
            return function(std::int64_t());
        case PtxType::kU64:
        case PtxType::kB64:
            return function(std::uint64_t());
        default:
            return function(std::uint32_t());
    }
}

// The type that decides how an instruction computes: its last one. kNone: it has none.
inline PtxType last_type(const PtxInstruction& instruction) {
    const std::vector<PtxType> types = instruction.types();
    return types.empty() ? PtxType::kNone : types.back();
}

// An instruction of a family, by the first word of its name.
struct PtxEntry {
    std::string_view name;
    PtxBind bind;
};
template <class Table>
PtxBind find_bind(const Table& table, std::string_view name) {
    const auto found = std::ranges::find(table, name, &PtxEntry::name);
    return found == table.end() ? nullptr : found->bind;
}

}  // namespace tilereel::runtime
