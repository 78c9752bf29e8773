// says: nowhere/to_be_found.h: No such file or directory
// ends: not compiled
#include "nowhere/to_be_found.h"
int main() {}
