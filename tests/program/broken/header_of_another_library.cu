// says: cusolverDn.h is not supported: Tilereel has no cuSOLVER; open a program without it.
// ends: not compiled
#include <cusolverDn.h>
int main() {}
