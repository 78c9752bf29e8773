#pragma once
// Tilereel's text pass replaces kernel<<<grid, block, shared, stream>>>(arguments) by
// this.
#include <tuple>
#include <utility>

#include "tilereel/argument.h"
#include "tilereel/language.h"
#include "tilereel/launch_types.h"

namespace tilereel::runtime {

template <class... Parameters, std::size_t... I>
void call_by_pointers(const void* kernel, void** arguments, std::index_sequence<I...>) {
    entry_of<Parameters...>(const_cast<void*>(kernel))(Argument<Parameters>(
        *static_cast<typename std::remove_reference<Parameters>::type*>(arguments[I]))...);
}
template <class... Parameters>
KernelSignature signature_of(void (*kernel)(Parameters...)) {
    static constexpr std::size_t kSizes[] = {
        sizeof(typename std::remove_reference<Parameters>::type)..., 0};
    return {reinterpret_cast<const void*>(kernel),
            [](const void* called, void** arguments) {
                call_by_pointers<Parameters...>(called, arguments,
                                                std::index_sequence_for<Parameters...>());
            },
            kSizes, sizeof...(Parameters)};
}

// A literal argument 0 or NULL may be a null pointer.
struct Zero {
    long value;
    template <class T>
    operator T*() const {
        return reinterpret_cast<T*>(value);
    }
};
template <bool kZero, class T>
constexpr decltype(auto) as_zero(T& argument) {
    if constexpr (kZero)
        return Zero{static_cast<long>(argument)};
    else
        return (argument);
}
template <class T>
inline constexpr bool may_be_zero = std::is_same<T, int>::value || std::is_same<T, long>::value;
// Bit I of `kZeros`: argument I is a null pointer.
template <unsigned kZeros, class Call, class... Arguments, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
    return (... && (!(kZeros >> I & 1) || may_be_zero<Arguments>)) &&
           std::is_invocable<Call&, decltype(as_zero < (kZeros >> I & 1) != 0 &&
                                             may_be_zero < Arguments >>
                                                 (std::declval<Arguments&>()))...>::value;
}
// The first choice of null pointers that the kernel takes, with as few as possible first.
template <unsigned kZeros, class Call, class... Arguments>
constexpr unsigned zeros_of() {
    constexpr unsigned kMost = sizeof...(Arguments) < 12 ? 1u << sizeof...(Arguments) : 1;
    if constexpr (kZeros >= kMost)
        return 0;
    else if constexpr (takes<kZeros, Call, Arguments...>(std::index_sequence_for<Arguments...>()))
        return kZeros;
    else
        return zeros_of<kZeros + 1, Call, Arguments...>();
}

// Calls the kernel by its name, with default arguments and template arguments that follow from the
// launch's.
template <class Call>
struct Launcher {
    Call call;
    LaunchText text;
    LaunchShape shape;
    // The arguments are evaluated once per launch, as on a GPU. Each thread has a copy of them.
    template <class... Arguments>
    cudaError_t operator()(Arguments&&... arguments) {
        return run(std::index_sequence_for<Arguments...>(),
                   std::tuple<typename std::decay<Arguments>::type...>(
                       std::forward<Arguments>(arguments)...));
    }

  private:
    template <std::size_t... I, class... Kept>
    cudaError_t run(std::index_sequence<I...>, std::tuple<Kept...> kept) {
        constexpr unsigned kZeros = zeros_of<0, Call, Kept...>();
        if (is_captured(shape.stream)) {
            auto later = [call = call, kept]() mutable {
                call(as_zero<(kZeros >> I & 1) != 0>(std::get<I>(kept))...);
            };
            using Later = decltype(later);
            return capture_call(
                text, shape, [](void* data) { (*static_cast<Later*>(data))(); },
                new Later(std::move(later)), [](void* data) { delete static_cast<Later*>(data); });
        }
        auto thread = [&] { call(as_zero<(kZeros >> I & 1) != 0>(std::get<I>(kept))...); };
        return launch(
            text, shape, [](void* data) { (*static_cast<decltype(thread)*>(data))(); }, &thread,
            false);
    }
};

// The arguments become the kernel's parameters as in a call of a function, so NULL and braced lists
// may be arguments. Each thread gets their bytes.
template <class Call, class... Parameters>
struct KernelLauncher {
    void (*kernel)(Parameters...);
    Call call;
    LaunchText text;
    LaunchShape shape;
    cudaError_t operator()(Parameters... parameters) {
        if (is_captured(shape.stream)) {
            void* arguments[] = {const_cast<void*>(static_cast<const volatile void*>(
                                     __builtin_addressof(parameters)))...,
                                 nullptr};
            return capture_launch(text, shape, false, signature_of(kernel), arguments);
        }
        auto thread = [&] {
            entry_of<Parameters...>(reinterpret_cast<void*>(kernel))(
                Argument<Parameters>(parameters)...);
        };
        return launch(
            text, shape, [](void* data) { (*static_cast<decltype(thread)*>(data))(); }, &thread,
            false);
    }
    // The other parameters have default arguments, which a pointer does not know.
    template <class... Fewer,
              typename std::enable_if<(sizeof...(Fewer) < sizeof...(Parameters)), int>::type = 0>
    cudaError_t operator()(Fewer&&... arguments) {
        return Launcher<Call>{call, text, shape}(std::forward<Fewer>(arguments)...);
    }
};

// Called with the name of a kernel: not if that is a template whose arguments are not known.
template <class Tag, class... Parameters>
auto pointer_to(void (*kernel)(Parameters...)) {
    return kernel;
}
template <class Call, class... Parameters>
KernelLauncher<Call, Parameters...> kernel_launcher(void (*kernel)(Parameters...), Call call,
                                                    LaunchText text, LaunchShape shape) {
    return {kernel, call, text, shape};
}
// `find` returns a pointer to the kernel, if its type is known; `call` calls the kernel.
template <class Find, class Call>
auto launcher(Find find, Call call, LaunchText text, dim3 grid, dim3 block, std::size_t bytes = 0,
              cudaStream_t stream = nullptr) {
    const LaunchShape shape(grid, block, bytes, stream);
    if constexpr (std::is_invocable<Find&, int>::value)
        return kernel_launcher(find(0), call, text, shape);
    else
        return Launcher<Call>{call, text, shape};
}

}  // namespace tilereel::runtime

// Two macros, so that the brackets of a launch are balanced before they are expanded. The text pass
// writes both.
#define TILEREEL_LAUNCH(...)                                                                         \
    ::tilereel::runtime::launcher(                                                                 \
        [&](auto tilereel_tag)                                                                   \
            -> decltype(::tilereel::runtime::pointer_to<decltype(tilereel_tag)>(__VA_ARGS__)) {    \
            return ::tilereel::runtime::pointer_to<decltype(tilereel_tag)>(__VA_ARGS__);           \
        },                                                                                       \
        [&](auto&&... tilereel_arguments)                                                        \
            -> decltype((__VA_ARGS__)(                                                           \
                static_cast<decltype(tilereel_arguments)&&>(tilereel_arguments)...)) {           \
            return (__VA_ARGS__)(                                                                \
                static_cast<decltype(tilereel_arguments)&&>(tilereel_arguments)...);             \
        },                                                                                       \
        ::tilereel::runtime::LaunchText{#__VA_ARGS__, __FILE__, __LINE__}
#define TILEREEL_SHAPE(...) , __VA_ARGS__)
