// says: The program crashed: Segmentation fault
// ends: signal 11
int down(volatile int n) { return n == -1 ? 0 : down(n + 1) + n; }
int main() { return down(0); }
