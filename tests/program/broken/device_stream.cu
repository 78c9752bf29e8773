// says: kernel k calls std::basic_ostream<char>::operator<<(), which is host code
// ends: not compiled
#include <iostream>
__global__ void k() { std::cout << threadIdx.x << '\n'; }
int main() { k<<<1, 32>>>(); }
