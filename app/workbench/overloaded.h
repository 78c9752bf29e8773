#pragma once
// For std::visit: one function object of several lambdas, of which the one that fits is called.

namespace tilereel {

template <class... Visitors>
struct Overloaded : Visitors... {
    using Visitors::operator()...;
};

}  // namespace tilereel
