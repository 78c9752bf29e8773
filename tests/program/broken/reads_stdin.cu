// says: nothing to read
// ends: exit 0
#include <cstdio>
int main() {
    char word[16];
    std::puts(std::scanf("%15s", word) == 1 ? word : "nothing to read");
}
