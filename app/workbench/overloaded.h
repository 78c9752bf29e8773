#pragma once
// Combines several lambdas to one overloaded function object, for visit().

namespace tilereel {

template <class... Visitors>
struct Overloaded : Visitors... {
    using Visitors::operator()...;
};
// clang deduces this by itself from version 17 on.
template <class... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

}  // namespace tilereel
