#pragma once
// What a build's tables of kernels are made with. The including file says which build it is.
#include <initializer_list>
#include <vector>

#include "kernels/cuda/device_kernels.h"
#include "kernels/ladder.h"

namespace tilereel {
namespace {

template <class T>
const void* address_of(T* kernel) {
    return reinterpret_cast<const void*>(kernel);
}

}  // namespace
}  // namespace tilereel

// A row of the ladder, put behind `kernels`. It knows its stem, a VARIANT the rest: the stem comes
// along in a variable.
#define TILEREEL_TABLE_ROW(stem_text, function, variants)                                      \
    {                                                                                          \
        constexpr std::string_view stem = stem_text;                                           \
        for (const DeviceKernel& kernel : std::initializer_list<DeviceKernel>{variants})       \
            kernels.push_back(kernel);                                                         \
    }
