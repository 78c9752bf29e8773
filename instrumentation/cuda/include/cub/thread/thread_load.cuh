#pragma once
// cub::ThreadLoad and cub::ThreadStore. The cache modifiers change no results.
#pragma GCC system_header
#include "cub/util_type.cuh"

namespace cub {

enum CacheLoadModifier {
    LOAD_DEFAULT,
    LOAD_CA,
    LOAD_CG,
    LOAD_CS,
    LOAD_CV,
    LOAD_LDG,
    LOAD_VOLATILE,
};
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

template <CacheLoadModifier kModifier, class Iterator>
__device__ inline auto ThreadLoad(Iterator from) ->
    typename std::iterator_traits<Iterator>::value_type {
    return *from;
}
template <CacheStoreModifier kModifier, class Iterator, class T>
__device__ inline void ThreadStore(Iterator to, T value) {
    *to = value;
}

}  // namespace cub
