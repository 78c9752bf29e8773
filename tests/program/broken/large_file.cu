// says: The program crashed: File size limit exceeded
// ends: signal 25
#include <cstdio>
int main() {
    std::FILE* file = std::tmpfile();
    std::fseek(file, 20l << 30, SEEK_SET);
    std::fputc('x', file);
    std::fclose(file);
}
