// says: kernel k calls strlen(), which is host code: device code cannot call it
// ends: not compiled
#include <cstring>
__global__ void k(const char* text, int* length) { *length = strlen(text); }
int main() {
    char* text;
    cudaMalloc(&text, 8);
    k<<<1, 1>>>(text, reinterpret_cast<int*>(text));
    cudaFree(text);
}
