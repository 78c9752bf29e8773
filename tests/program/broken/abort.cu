// says: The program crashed: Aborted
// ends: signal 6
#include <cstdlib>
int main() { std::abort(); }
