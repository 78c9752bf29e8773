// says: an operand of type float does not match its constraint "r", which takes an integer of 32 bits
// ends: not compiled
__global__ void k(float* x) {
    float v;
    asm("mov.b32 %0, %1;" : "=r"(v) : "r"(0));
    x[0] = v;
}
int main() { k<<<1, 1>>>(nullptr); }
