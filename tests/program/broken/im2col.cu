// says: cuTensorMapEncodeIm2col is not supported: Tilereel has tiled tensor maps only; make one with cuTensorMapEncodeTiled instead
// ends: not compiled
#include <cuda.h>

int main() {
    CUtensorMap map;
    return cuTensorMapEncodeIm2col(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 3, nullptr);
}
