#pragma once
// Functions for the main() that Tilereel generates from launch lines.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <memory>
#include <tuple>
#include <type_traits>

#include "cuda_runtime.h"

extern "C" void tilereel_shape(const void* pointer, const std::size_t* extents, std::size_t count);
// Ends the program: the launch line is wrong.
extern "C" [[noreturn]] void tilereel_refuse_launch(const char* why);

namespace tilereel::runtime {

template <class F>
struct ParametersOf;
template <class... P>
struct ParametersOf<void (*)(P...)> {
    using List = std::tuple<P...>;
};
// A function of host code can return a value.
template <class R, class... P>
struct ParametersOf<R (*)(P...)> {
    using List = std::tuple<P...>;
};
template <std::size_t I, class F>
using ParameterOf = typename std::tuple_element<I, typename ParametersOf<F>::List>::type;

// The type of a pointer to the function of an overloaded name that has these parameters.
template <class... P, class R>
R (*overload_of(void (*)(P...), R (*)(P...)))
(P...);

// The scalar type of an element: float for float4, half for half2.
template <class T, class = void>
struct ScalarOf {
    using type = T;
};
template <class T>
struct ScalarOf<T, typename std::enable_if<std::is_class<T>::value &&
                                           std::is_convertible<int, decltype(T::x)>::value>::type> {
    using type = decltype(T::x);
};

// Random values: from 0 to 1 for floating-point types, from 0 to 99 for integers,
// true or false. They are the same in every run.
template <class T>
T random_content(std::size_t i, std::size_t array) {
    std::uint64_t bits = (i + 1) * 0x9e3779b97f4a7c15u + array * 0xd1b54a32d192ed03u;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    bits ^= bits >> 31;
    if constexpr (std::is_same<T, bool>::value)
        return bits % 2 != 0;
    else if constexpr (std::is_integral<T>::value)
        return T(bits % 100);
    else
        return T(float(bits >> 40) * 0x1p-24f);
}

[[noreturn]] inline void refuse_value(const char* written, const char* why) {
    char sentence[300];
    std::snprintf(sentence, sizeof sentence, "%.200s of the launch line %s", written, why);
    tilereel_refuse_launch(sentence);
}

// A whole number in an expression of such numbers only. `written`: the expression.
struct Whole {
    long long value;
    const char* written;

    template <class T>
    T as() const {
        return value == int(value) ? T(int(value)) : T(double(value));
    }
    friend Whole operator+(Whole a) { return a; }
    friend Whole operator-(Whole a) { return Whole{0, a.written} - a; }
    friend Whole operator+(Whole a, Whole b) {
        if (__builtin_add_overflow(a.value, b.value, &a.value)) refuse_value(a.written, kTooLarge);
        return a;
    }
    friend Whole operator-(Whole a, Whole b) {
        if (__builtin_sub_overflow(a.value, b.value, &a.value)) refuse_value(a.written, kTooLarge);
        return a;
    }
    friend Whole operator*(Whole a, Whole b) {
        if (__builtin_mul_overflow(a.value, b.value, &a.value)) refuse_value(a.written, kTooLarge);
        return a;
    }
    friend Whole operator/(Whole a, Whole b) {
        if (b.value == 0) refuse_value(a.written, "divides by 0");
        return b.value == -1 ? -a : Whole{a.value / b.value, a.written};
    }
    friend Whole operator%(Whole a, Whole b) {
        if (b.value == 0) refuse_value(a.written, "divides by 0");
        return {b.value == -1 ? 0 : a.value % b.value, a.written};
    }
    static constexpr const char* kTooLarge = "is too large: it needs more than 64 bits";
};

// The value of an expression as a T, for example an extent of the grid. Ends the program if it is
// no such number. Values that are no numbers, such as a dim3, stay as they are.
template <class T, class Value>
T launch_number(const char* written, const Value& value) {
    using Number = typename std::decay<const Value&>::type;
    if constexpr (std::is_same<Value, Whole>::value) {
        if constexpr (std::is_arithmetic<T>::value)
            return launch_number<T>(written, value.value);
        else
            return value.template as<T>();
    } else if constexpr (std::is_pointer<Number>::value && std::is_arithmetic<T>::value) {
        refuse_value(written, "is no number");
    } else if constexpr (std::is_arithmetic<Number>::value && std::is_integral<T>::value &&
                         !std::is_same<T, bool>::value) {
        // A long double has all numbers of 64 bits.
        const auto number = static_cast<long double>(value);
        constexpr auto most = static_cast<long double>(std::numeric_limits<T>::max());
        constexpr auto least = static_cast<long double>(std::numeric_limits<T>::min());
        if (number != number) refuse_value(written, "is no number");
        if (number > most) refuse_value(written, "is too large");
        if (number < least)
            refuse_value(written, least == 0 ? "is negative" : "is below the least number");
        if (number != static_cast<long double>(static_cast<T>(value)))
            refuse_value(written, "is no whole number");
        return static_cast<T>(value);
    } else {
        return T(value);
    }
}
// An extent of the grid or of a block, or a dim3 with all of them.
template <class Value>
auto launch_extent(const char* written, const Value& value) {
    if constexpr (std::is_class<Value>::value && !std::is_same<Value, Whole>::value)
        return value;
    else
        return launch_number<unsigned>(written, value);
}

// The product of the extents. Ends the program if the array would be too large: the host's copy,
// the GPU's memory and its recording take several times as much.
inline std::size_t count_of(const char* name, std::initializer_list<std::size_t> extents,
                            std::size_t element_bytes) {
    constexpr std::size_t kMostBytes = std::size_t(1) << 31;
    std::size_t count = 1;
    for (std::size_t extent : extents) {
        if (extent != 0 && count > kMostBytes / element_bytes / extent) {
            char sentence[300];
            std::snprintf(sentence, sizeof sentence,
                          "the array %.200s of the launch line would have more than 2 GiB; write "
                          "smaller extents",
                          name);
            tilereel_refuse_launch(sentence);
        }
        count *= extent;
    }
    return count;
}

// An array in device memory with its initial content. `Pointer`: the type of the kernel's
// parameter.
template <class Pointer>
class LaunchArray {
    using Element = typename std::remove_cv<typename std::remove_pointer<Pointer>::type>::type;
    using Scalar = typename ScalarOf<Element>::type;
    static constexpr std::size_t kScalars = sizeof(Element) / sizeof(Scalar);

  public:
    template <class Content>
    LaunchArray(const char* name, std::initializer_list<std::size_t> extents, Content&& content) {
        const std::size_t count = count_of(name, extents, sizeof(Element));
        const std::size_t columns = extents.size() == 0 ? 1 : *(extents.end() - 1) * kScalars;
        const std::size_t scalars = count * kScalars;
        const std::unique_ptr<Scalar[]> first(new Scalar[scalars]);
        for (std::size_t i = 0; i < scalars; ++i)
            first[i] = static_cast<Scalar>(content(Scalar{}, i, i / columns, i % columns));
        cudaMalloc(&pointer, scalars * sizeof(Scalar));
        cudaMemcpy(pointer, first.get(), scalars * sizeof(Scalar), cudaMemcpyHostToDevice);
        tilereel_shape(pointer, extents.begin(), extents.size());
    }
    LaunchArray(const LaunchArray&) = delete;
    ~LaunchArray() { cudaFree(pointer); }
    Element* pointer = nullptr;
};

}  // namespace tilereel::runtime
