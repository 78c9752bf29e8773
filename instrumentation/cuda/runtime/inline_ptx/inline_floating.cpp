// Floating-point instructions. PTX ISA, "Floating-Point Instructions", "Half-Precision
// Floating-Point Instructions". The approximations (.approx) are as exact as the C library.
#include <algorithm>
#include <array>
#include <cfenv>
#include <cmath>

#include "instrumentation/cuda/runtime/inline_ptx/inline_floats.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_values.h"

namespace tilereel::runtime {
// A name of its own: other families have functions of the same names.
namespace ptx_floating {

// PtxStep::numbers of these steps.
enum Number : std::uint8_t { kRounding, kFlags };
enum Flag : std::uint8_t { kFlush = 1, kSaturate = 2, kRelu = 4, kNan = 8, kXorSign = 16 };

template <class T>
T flushed(T value) {
    if constexpr (std::is_same_v<T, float>)
        return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
    else
        return value;
}

// Each computes in C: double for 16 bits, else the type itself.
struct Add {
    template <class C>
    C operator()(C a, C b, C) const {
        return a + b;
    }
};
struct Subtract {
    template <class C>
    C operator()(C a, C b, C) const {
        return a - b;
    }
};
struct Multiply {
    template <class C>
    C operator()(C a, C b, C) const {
        return a * b;
    }
};
struct Divide {
    template <class C>
    C operator()(C a, C b, C) const {
        return a / b;
    }
};
struct MultiplyAdd {
    template <class C>
    C operator()(C a, C b, C c) const {
        return std::fma(a, b, c);
    }
};
struct Negate {
    template <class C>
    C operator()(C a, C, C) const {
        return -a;
    }
};
struct Absolute {
    template <class C>
    C operator()(C a, C, C) const {
        return std::fabs(a);
    }
};
struct Reciprocal {
    template <class C>
    C operator()(C a, C, C) const {
        return C(1) / a;
    }
};
struct SquareRoot {
    template <class C>
    C operator()(C a, C, C) const {
        return std::sqrt(a);
    }
};
struct ReciprocalRoot {
    template <class C>
    C operator()(C a, C, C) const {
        return C(1 / std::sqrt(double(a)));
    }
};
struct Sine {
    template <class C>
    C operator()(C a, C, C) const {
        return std::sin(a);
    }
};
struct Cosine {
    template <class C>
    C operator()(C a, C, C) const {
        return std::cos(a);
    }
};
struct Logarithm {
    template <class C>
    C operator()(C a, C, C) const {
        return std::log2(a);
    }
};
struct Power {
    template <class C>
    C operator()(C a, C, C) const {
        return std::exp2(a);
    }
};
struct Tangent {
    template <class C>
    C operator()(C a, C, C) const {
        return std::tanh(a);
    }
};
struct CopySign {  // copysign d, a, b: the sign of a, the value of b
    template <class C>
    C operator()(C a, C b, C) const {
        return std::copysign(b, a);
    }
};

class Rounding {
  public:
    explicit Rounding(std::uint32_t mode) : former_(mode == 0 ? -1 : std::fegetround()) {
        if (mode != 0)
            std::fesetround(mode == 1 ? FE_TOWARDZERO : mode == 2 ? FE_DOWNWARD : FE_UPWARD);
    }
    ~Rounding() {
        if (former_ >= 0) std::fesetround(former_);
    }
    Rounding(const Rounding&) = delete;
    Rounding& operator=(const Rounding&) = delete;

  private:
    int former_;
};

template <class T>
using Computes = std::conditional_t<(sizeof(T) > 2), T, double>;

template <class T, class Function>
T apply(const PtxStep& step, T a, T b, T c) {
    using C = Computes<T>;
    const std::uint32_t flags = step.numbers[kFlags];
    C x(a), y(b), z(c);
    if ((flags & kFlush) != 0) x = flushed(x), y = flushed(y), z = flushed(z);
    C result;
    if (step.numbers[kRounding] == 0) {
        result = Function{}(x, y, z);
    } else {
        const Rounding rounding(step.numbers[kRounding]);
        // The compiler must not compute before the mode is set, or after it is reset.
        volatile C p = x, q = y, r = z;
        volatile C kept = Function{}(C(p), C(q), C(r));
        result = kept;
    }
    if ((flags & kFlush) != 0) result = flushed(result);
    if ((flags & kSaturate) != 0) result = result > C(0) ? std::min(result, C(1)) : C(0);
    if ((flags & kRelu) != 0 && !(result > C(0)) && !std::isnan(result)) result = C(0);
    return T(result);
}

template <class T, int inputs, class Function>
void scalar(PtxFrame& frame, const PtxStep& step) {
    const T a = get_as<T>(frame, step.in[0]);
    const T b = inputs > 1 ? get_as<T>(frame, step.in[1]) : a;
    const T c = inputs > 2 ? get_as<T>(frame, step.in[2]) : a;
    put(frame, step.out[0], apply<T, Function>(step, a, b, c));
}
template <class T, int inputs, class Function>
void packed(PtxFrame& frame, const PtxStep& step) {
    using Pair = std::array<T, 2>;
    const Pair a = get_as<Pair>(frame, step.in[0]);
    const Pair b = inputs > 1 ? get_as<Pair>(frame, step.in[1]) : a;
    const Pair c = inputs > 2 ? get_as<Pair>(frame, step.in[2]) : a;
    put(frame, step.out[0],
        Pair{apply<T, Function>(step, a[0], b[0], c[0]),
             apply<T, Function>(step, a[1], b[1], c[1])});
}

void set_numbers(const PtxInstruction& instruction, PtxStep& step) {
    step.numbers[kRounding] = instruction.has("rz")   ? 1
                              : instruction.has("rm") ? 2
                              : instruction.has("rp") ? 3
                                                      : 0;
    constexpr std::array<std::pair<std::string_view, Flag>, 5> kFlagWords = {
        {{"ftz", kFlush},
         {"sat", kSaturate},
         {"relu", kRelu},
         {"NaN", kNan},
         {"xorsign", kXorSign}}};
    for (const auto& [word, flag] : kFlagWords)
        if (instruction.has(word)) step.numbers[kFlags] |= flag;
}

template <int inputs, class Function>
Result<PtxStep> of_type(const PtxBinder& binder) {
    const PtxType type = last_type(binder.instruction());
    PtxStep::Run run = nullptr;
    switch (type) {
        case PtxType::kF32:
            run = scalar<float, inputs, Function>;
            break;
        case PtxType::kF64:
            run = scalar<double, inputs, Function>;
            break;
        case PtxType::kF16:
            run = scalar<Half, inputs, Function>;
            break;
        case PtxType::kBf16:
            run = scalar<Bfloat, inputs, Function>;
            break;
        case PtxType::kF16x2:
            run = packed<Half, inputs, Function>;
            break;
        case PtxType::kBf16x2:
            run = packed<Bfloat, inputs, Function>;
            break;
        case PtxType::kF32x2:
            run = packed<float, inputs, Function>;
            break;
        default:
            return binder.refuse("PTX does not have it for this type");
    }
    PtxStep step = TRY(computing(binder, run, inputs, type));
    set_numbers(binder.instruction(), step);
    return step;
}

// min, max: of two or three values. Without .NaN the other value wins against a NaN.
template <bool largest>
struct Extreme {
    template <class C>
    C of(std::uint32_t flags, C a, C b) const {
        const bool a_nan = std::isnan(a), b_nan = std::isnan(b);
        if (a_nan || b_nan) {
            if ((flags & kNan) != 0 || (a_nan && b_nan)) return std::numeric_limits<C>::quiet_NaN();
            return a_nan ? b : a;
        }
        if ((flags & kXorSign) != 0) {
            const C x = std::fabs(a), y = std::fabs(b);
            const bool negative = std::signbit(a) != std::signbit(b);
            return std::copysign(largest ? std::max(x, y) : std::min(x, y),
                                 negative ? C(-1) : C(1));
        }
        if (a == b) return std::signbit(a) == largest ? b : a;  // -0 < +0
        return (a < b) == largest ? b : a;
    }
};
template <class T, bool largest>
T extreme(const PtxStep& step, T a, T b) {
    using C = Computes<T>;
    const std::uint32_t flags = step.numbers[kFlags];
    C x(a), y(b);
    if ((flags & kFlush) != 0) x = flushed(x), y = flushed(y);
    return T(Extreme<largest>{}.of(flags, x, y));
}
template <class T, bool largest>
void extreme_scalar(PtxFrame& frame, const PtxStep& step) {
    T result =
        extreme<T, largest>(step, get_as<T>(frame, step.in[0]), get_as<T>(frame, step.in[1]));
    if (step.numbers[2] == 3)
        result = extreme<T, largest>(step, result, get_as<T>(frame, step.in[2]));
    put(frame, step.out[0], result);
}
template <class T, bool largest>
void extreme_packed(PtxFrame& frame, const PtxStep& step) {
    using Pair = std::array<T, 2>;
    const Pair a = get_as<Pair>(frame, step.in[0]), b = get_as<Pair>(frame, step.in[1]);
    put(frame, step.out[0],
        Pair{extreme<T, largest>(step, a[0], b[0]), extreme<T, largest>(step, a[1], b[1])});
}
template <bool largest>
Result<PtxStep> extreme_of(const PtxBinder& binder) {
    const PtxType type = last_type(binder.instruction());
    PtxStep::Run run = nullptr;
    switch (type) {
        case PtxType::kF32:
            run = extreme_scalar<float, largest>;
            break;
        case PtxType::kF64:
            run = extreme_scalar<double, largest>;
            break;
        case PtxType::kF16:
            run = extreme_scalar<Half, largest>;
            break;
        case PtxType::kBf16:
            run = extreme_scalar<Bfloat, largest>;
            break;
        case PtxType::kF16x2:
            run = extreme_packed<Half, largest>;
            break;
        case PtxType::kBf16x2:
            run = extreme_packed<Bfloat, largest>;
            break;
        default:
            return binder.refuse("PTX does not have it for this type");
    }
    const std::size_t inputs = binder.operands() == 4 && type == PtxType::kF32 ? 3 : 2;
    PtxStep step = TRY(computing(binder, run, inputs, type));
    set_numbers(binder.instruction(), step);
    step.numbers[2] = std::uint32_t(inputs);
    return step;
}

// testp: what kind of number it is.
template <class T>
void test_number(PtxFrame& frame, const PtxStep& step) {
    const T value = get_as<T>(frame, step.in[0]);
    bool result = false;
    switch (step.numbers[2]) {
        case 0:
            result = std::isfinite(value);
            break;
        case 1:
            result = std::isinf(value);
            break;
        case 2:
            result = !std::isnan(value);
            break;
        case 3:
            result = std::isnan(value);
            break;
        case 4:
            result = std::isnormal(value);
            break;
        default:
            result = std::fpclassify(value) == FP_SUBNORMAL;
            break;
    }
    put(frame, step.out[0], std::uint64_t{result});
}
Result<PtxStep> test(const PtxBinder& binder) {
    const PtxType type = last_type(binder.instruction());
    PtxStep step = TRY(computing(
        binder, type == PtxType::kF64 ? test_number<double> : test_number<float>, 1, type));
    constexpr std::array<std::string_view, 6> kKinds = {"finite",     "infinite", "number",
                                                        "notanumber", "normal",   "subnormal"};
    for (std::uint32_t i = 0; i < kKinds.size(); ++i)
        if (binder.instruction().has(kKinds[i])) step.numbers[2] = i;
    return step;
}

constexpr std::array kInstructions = std::to_array<PtxEntry>({
    {"add", of_type<2, Add>},
    {"sub", of_type<2, Subtract>},
    {"mul", of_type<2, Multiply>},
    {"div", of_type<2, Divide>},
    {"fma", of_type<3, MultiplyAdd>},
    {"mad", of_type<3, MultiplyAdd>},
    {"min", extreme_of<false>},
    {"max", extreme_of<true>},
    {"neg", of_type<1, Negate>},
    {"abs", of_type<1, Absolute>},
    {"rcp", of_type<1, Reciprocal>},
    {"sqrt", of_type<1, SquareRoot>},
    {"rsqrt", of_type<1, ReciprocalRoot>},
    {"sin", of_type<1, Sine>},
    {"cos", of_type<1, Cosine>},
    {"lg2", of_type<1, Logarithm>},
    {"ex2", of_type<1, Power>},
    {"tanh", of_type<1, Tangent>},
    {"copysign", of_type<2, CopySign>},
    {"testp", test},
});

}  // namespace ptx_floating

PtxBind floating_instruction(std::string_view name) {
    return find_bind(ptx_floating::kInstructions, name);
}

}  // namespace tilereel::runtime
