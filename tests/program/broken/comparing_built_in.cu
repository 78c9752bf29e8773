// says: which is host code: device code cannot call it
// ends: not compiled
__global__ void k(const char* text, int* same) { *same = __builtin_memcmp(text, text + 4, *same); }
int main() {
    char* text;
    cudaMalloc(&text, 8);
    k<<<1, 1>>>(text, reinterpret_cast<int*>(text));
    cudaFree(text);
}
