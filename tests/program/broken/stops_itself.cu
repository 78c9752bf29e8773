// says: The program was stopped after 0.5 seconds
// ends: time
// test: --seconds 0.5
#include <signal.h>
int main() { raise(SIGSTOP); }
