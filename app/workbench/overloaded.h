#pragma once
// For std::visit: one function object of several lambdas, of which the one that fits is called.

namespace tilereel {

template <class... Visitors>
struct Overloaded : Visitors... {
    using Visitors::operator()...;
};
// clang deduces this by itself from version 17 on.
template <class... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

}  // namespace tilereel
