#pragma once
// The special functions of <cmath>, which prelude.h leaves out.
#if __cplusplus >= 201703L || __STDCPP_WANT_MATH_SPEC_FUNCS__ != 0
#define _GLIBCXX_USE_STD_SPEC_FUNCS 1
#include <bits/specfun.h>
#endif
