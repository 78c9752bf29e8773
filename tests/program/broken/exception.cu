// says: The program crashed: Aborted
// ends: signal 6
#include <stdexcept>
int main() { throw std::runtime_error("of the program"); }
