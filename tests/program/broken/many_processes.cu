// says: The program was stopped: it had more than 256 processes at once; let it start fewer.
// ends: limit
#include <unistd.h>

int main() {
    for (int i = 0; i < 300; ++i)
        if (fork() == 0) {
            setsid();
            pause();
        }
    pause();
}
