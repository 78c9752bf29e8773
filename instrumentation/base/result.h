#pragma once
// Result<T>: a value, or one sentence that says what to do. Shaped like std::expected (C++23),
// which nvcc 13 does not compile yet.
#include <string>
#include <utility>
#include <variant>

#include "instrumentation/base/check.h"

namespace tilereel {

enum class ErrorKind {
    kWrongCall,  // the caller's request is invalid: exit code 2
    kFailed,     // the request is valid, but something outside failed: exit code 1
    kCancelled,  // the caller cancelled it: exit code 1
    kUnable,     // the computer lacks what the work needs, or it is broken: exit code 3
};

struct Error {
    ErrorKind kind = ErrorKind::kFailed;
    std::string message;  // one line, says what to do
};

inline Error wrong_call(std::string message) { return {ErrorKind::kWrongCall, std::move(message)}; }
inline Error failed(std::string message) { return {ErrorKind::kFailed, std::move(message)}; }
inline Error cancelled() { return {ErrorKind::kCancelled, "cancelled"}; }

template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::move(value)) {}      // NOLINT: implicit, as std::expected
    Result(Error error) : state_(std::move(error)) {}  // NOLINT: implicit, for `return failed(...)`
    [[nodiscard]] bool has_value() const { return state_.index() == 0; }
    explicit operator bool() const { return has_value(); }
    [[nodiscard]] const T& value() const& { return check(has_value()), std::get<0>(state_); }
    [[nodiscard]] T& value() & { return check(has_value()), std::get<0>(state_); }
    [[nodiscard]] T&& value() && { return check(has_value()), std::get<0>(std::move(state_)); }
    [[nodiscard]] const Error& error() const { return check(!has_value()), std::get<1>(state_); }
    const T& operator*() const& { return value(); }
    T& operator*() & { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    const T* operator->() const { return &value(); }
    T* operator->() { return &value(); }

  private:
    std::variant<T, Error> state_;
};

struct Done {};  // the value of a Result without a value
using Status = Result<Done>;

// TRY(expression): the value of a Result. If it has an error, the function returns the error.
//
//     const Trace trace = TRY(read_trace(path));
//     TRY(check_trace(trace));
//
// It is a statement expression, an extension of g++, clang and nvcc: a function cannot return from
// its caller.
#define TRY(...)                                                          \
    ({                                                                    \
        auto tilereel_result = (__VA_ARGS__);                             \
        if (!tilereel_result.has_value()) return tilereel_result.error(); \
        std::move(tilereel_result).value();                               \
    })

}  // namespace tilereel
