#include "instrumentation/program/build/special_functions.h"

#include <algorithm>
#include <array>

#include "instrumentation/cuda/text/text_words.h"

namespace tilereel::program {
namespace {

// ISO C++17, 26.8.6 [sf.cmath], and the extensions of libstdc++. Each has a form for float and one
// for long double, whose names end with f and l.
constexpr std::array<std::string_view, 25> kNames = {
    "airy_ai",       "airy_bi",       "assoc_laguerre", "assoc_legendre", "beta",
    "comp_ellint_1", "comp_ellint_2", "comp_ellint_3",  "conf_hyperg",    "cyl_bessel_i",
    "cyl_bessel_j",  "cyl_bessel_k",  "cyl_neumann",    "ellint_1",       "ellint_2",
    "ellint_3",      "expint",        "hermite",        "hyperg",         "laguerre",
    "legendre",      "riemann_zeta",  "sph_bessel",     "sph_legendre",   "sph_neumann"};
constexpr std::array<std::string_view, 3> kMacros = {"__STDCPP_WANT_MATH_SPEC_FUNCS__",
                                                     "__STDCPP_MATH_SPEC_FUNCS__",
                                                     "__cpp_lib_math_special_functions"};

bool is_special(std::string_view word) {
    if (std::ranges::find(kNames, word) != kNames.end()) return true;
    if (!word.ends_with('f') && !word.ends_with('l')) return false;
    return std::ranges::find(kNames, word.substr(0, word.size() - 1)) != kNames.end();
}

}  // namespace

bool names_special_function(std::string_view masked) {
    bool named = false;
    for_each_word(masked, [&](std::string_view word, std::size_t at) {
        if (named) return;
        // Many kernels have a variable beta.
        const std::size_t next = skip_space(masked, at + word.size());
        const bool is_called = next < masked.size() && masked[next] == '(';
        const bool is_qualified = at > 0 && masked[at - 1] == ':';
        named = ((is_called || is_qualified) && is_special(word)) ||
                std::ranges::find(kMacros, word) != kMacros.end();
    });
    return named;
}

}  // namespace tilereel::program
