// says: kernel k calls Node(), which is host code: device code cannot call it; mark it __device__
// ends: not compiled
struct Node {
    int value;
    Node() : value(3) {}
};
__global__ void k(int* x) {
    Node* const made = new Node;
    x[0] = made->value;
    delete made;
}
int main() {
    int* x;
    cudaMalloc(&x, 4);
    k<<<1, 1>>>(x);
    cudaFree(x);
}
