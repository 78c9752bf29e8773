// says: the child goes on
// ends: exit 0
#include <unistd.h>

#include <cstdio>
int main() {
    std::puts("the child goes on");
    std::fflush(stdout);
    if (fork() == 0)
        for (;;) sleep(1000);
}
