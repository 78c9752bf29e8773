// says: The program ended with exit code 3
// ends: exit 3
#include <cstdlib>
int main() { std::exit(3); }
