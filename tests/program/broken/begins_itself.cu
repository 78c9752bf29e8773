// says: the program defines _start(), where every program with the C library begins; write main() in its place
// ends: not compiled
#include <unistd.h>
__global__ void put(int* a) { a[threadIdx.x] = threadIdx.x; }
extern "C" void _start() {
    put<<<1, 32>>>(nullptr);
    _exit(0);
}
int main() {}
