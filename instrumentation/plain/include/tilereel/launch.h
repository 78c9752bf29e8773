#pragma once
// Tilereel's text pass (compile.cpp) replaces kernel<<<grid, block, shared, stream>>>(arguments) by
// this.
#include <tuple>
#include <utility>

#include "tilereel/language.h"
#include "tilereel/launch_types.h"

namespace tilereel::plain {

// A literal argument 0 or NULL may be a null pointer.
struct Zero {
    long value;
    template <class T>
    operator T*() const {
        return reinterpret_cast<T*>(value);
    }
};
template <class T>
constexpr decltype(auto) as_zero(T& argument) {
    if constexpr (std::is_same<T, int>::value || std::is_same<T, long>::value)
        return Zero{static_cast<long>(argument)};
    else
        return (argument);
}

template <class Call>
struct Launcher {
    Call call;
    LaunchText text;
    LaunchShape shape;
    bool cooperative = false;
    // The arguments are evaluated once per launch, as on a GPU. Each thread has a copy of them.
    template <class... Arguments>
    cudaError_t operator()(Arguments&&... arguments) {
        std::tuple<typename std::decay<Arguments>::type...> kept(
            std::forward<Arguments>(arguments)...);
        auto thread = [&] {
            std::apply(
                [&](auto&... each) {
                    if constexpr (std::is_invocable<Call&, decltype(each)...>::value)
                        call(each...);
                    else
                        call(as_zero(each)...);
                },
                kept);
        };
        return launch(
            text, shape, [](void* data) { (*static_cast<decltype(thread)*>(data))(); }, &thread,
            cooperative);
    }
};
template <class Call>
Launcher<Call> launcher(Call call, LaunchText text, dim3 grid, dim3 block, std::size_t bytes = 0,
                        cudaStream_t stream = nullptr) {
    return {call, text, LaunchShape(grid, block, bytes, stream)};
}

}  // namespace tilereel::plain

#define TILEREEL_LAUNCH(...)                                                                    \
    ::tilereel::plain::launcher(                                                              \
        [&](auto&&... tilereel_arguments)                                                     \
            -> decltype((__VA_ARGS__)(                                                        \
                static_cast<decltype(tilereel_arguments)&&>(tilereel_arguments)...)) {        \
            return (__VA_ARGS__)(                                                             \
                static_cast<decltype(tilereel_arguments)&&>(tilereel_arguments)...);          \
        },                                                                                    \
        ::tilereel::plain::LaunchText{#__VA_ARGS__, __FILE__, __LINE__}
