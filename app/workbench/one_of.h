#pragma once
// A value of one of many types, like std::variant. Each file that copies a variant compiles a
// function for each of its types; with the 63 types of Command, that was half of the time that
// panels and stage took to compile. std::any compiles a function only where a value is made.
#include <any>
#include <concepts>
#include <utility>

namespace tilereel {

template <class... Types>
class OneOf {
  public:
    template <class T>
    requires(std::same_as<T, Types> || ...) OneOf(T value) : value_(std::move(value)) {}

    // nullptr: it holds a value of another type.
    template <class T>
    requires(std::same_as<T, Types> || ...) [[nodiscard]] const T* get_if() const {
        return std::any_cast<T>(&value_);
    }
    template <class T>
    [[nodiscard]] bool holds() const {
        return get_if<T>() != nullptr;
    }
    // Calls `visitor` with the value. `visitor` must accept each of the types.
    template <class Visitor>
    void visit(const Visitor& visitor) const {
        (visit_as<Types>(visitor) || ...);
    }

  private:
    template <class T, class Visitor>
    bool visit_as(const Visitor& visitor) const {
        const T* const value = get_if<T>();
        if (value != nullptr) visitor(*value);
        return value != nullptr;
    }

    std::any value_;
};

}  // namespace tilereel
