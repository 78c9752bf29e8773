// says: Host code did not end in time
// ends: time
// kind: endless loop
// test: --seconds 0.5
int main() {
    cudaFree(nullptr);
    for (volatile int i = 0;; i = i + 1) {
    }
}
