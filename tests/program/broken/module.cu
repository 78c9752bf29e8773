// says: cuModuleLoad is not supported: Tilereel loads no compiled kernels
// ends: not compiled
#include <cuda.h>
int main() {
    CUmodule module;
    return cuModuleLoad(&module, "kernels.ptx");
}
