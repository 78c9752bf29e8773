#pragma once
// Arguments of a kernel. A GPU gets the bytes of an argument: no thread calls the copy constructor
// or the destructor of its class.
#include <cstring>
#include <type_traits>

// The function that a thread of the running launch calls for `kernel`: in a block that is not
// recorded, the kernel's version without hooks.
extern "C" void* tilereel_entry(void* kernel);

namespace tilereel::runtime {

// Whether a function takes a value of type T by its address (Itanium C++ ABI, "Non-Trivial
// Parameters"). The caller makes and destroys the value.
template <class T>
inline constexpr bool is_passed_by_address =
    std::is_class<T>::value &&
    ((std::is_copy_constructible<T>::value && !std::is_trivially_copy_constructible<T>::value) ||
     (std::is_move_constructible<T>::value && !std::is_trivially_move_constructible<T>::value) ||
     !std::is_trivially_destructible<T>::value);

// The type of a kernel's parameter in KernelEntry.
template <class T>
using Passed = typename std::conditional<is_passed_by_address<T>, void*, T>::type;
template <class... Parameters>
using KernelEntry = void (*)(Passed<Parameters>...);
template <class... Parameters>
[[gnu::always_inline]] inline KernelEntry<Parameters...> entry_of(void* kernel) {
    return reinterpret_cast<KernelEntry<Parameters...>>(tilereel_entry(kernel));
}

// One thread's argument, as the entry of a kernel takes it.
template <class T, bool kByAddress = is_passed_by_address<T>>
struct Argument {
    const T& value;
    explicit Argument(const T& given) : value(given) {}
    operator const T&() const { return value; }
};
template <class T>
struct Argument<T&, false> {
    T& value;
    explicit Argument(T& given) : value(given) {}
    operator T&() const { return value; }
};
template <class T>
struct Argument<T, true> {
    alignas(T) unsigned char bytes[sizeof(T)];
    explicit Argument(const T& given) {
        std::memcpy(bytes, reinterpret_cast<const unsigned char*>(&given), sizeof bytes);
    }
    operator void*() { return bytes; }
};

}  // namespace tilereel::runtime
