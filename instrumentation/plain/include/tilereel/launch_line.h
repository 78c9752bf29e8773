#pragma once
// Functions for the main() that Tilereel generates from launch lines.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <tuple>
#include <type_traits>

#include "cuda_runtime.h"

extern "C" void tilereel_shape(const void* pointer, const std::size_t* extents, std::size_t count);

namespace tilereel::plain {

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

// The product of the extents. Ends the program if the array would be too large: the host's copy,
// the GPU's memory and its recording take several times as much.
inline std::size_t count_of(const char* name, std::initializer_list<std::size_t> extents,
                            std::size_t element_bytes) {
    constexpr std::size_t kMostBytes = std::size_t(1) << 31;
    std::size_t count = 1;
    for (std::size_t extent : extents) {
        if (extent != 0 && count > kMostBytes / element_bytes / extent) {
            std::fprintf(stderr,
                         "the array %s of the launch line would have more than 2 GiB; write "
                         "smaller extents\n",
                         name);
            std::exit(1);
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

}  // namespace tilereel::plain
