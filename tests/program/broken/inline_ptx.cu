// says: inline PTX (asm) is not supported: Tilereel runs CUDA C++; write it with an intrinsic function instead
// ends: not compiled
__global__ void k(int* x) {
    int lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    x[lane] = lane;
}
int main() { k<<<1, 32>>>(nullptr); }
