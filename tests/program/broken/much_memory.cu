// says: too much
// ends: exit 7
#include <cstdio>
#include <new>
int main() {
    try {
        for (;;) (new char[1 << 30])[12345] = 1;
    } catch (const std::bad_alloc&) {
        std::puts("too much");
        return 7;
    }
}
