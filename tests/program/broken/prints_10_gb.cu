// says: 
// ends: time or exit 0
// test: --seconds 1.5
#include <cstdio>
#include <cstring>
static char line[1 << 20];
int main() {
    std::memset(line, 'x', sizeof line);
    for (long long written = 0; written < 10ll << 30; written += sizeof line)
        std::fwrite(line, 1, sizeof line, stdout);
}
