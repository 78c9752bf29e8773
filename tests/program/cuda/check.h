#pragma once
// The programs of this folder check themselves with CHECK(). Their main() returns `failures`.
#include <cstdio>

inline int failures = 0;
#define CHECK(condition)                                                 \
    do {                                                                 \
        if (!(condition)) {                                              \
            std::printf("line %d: %s is false\n", __LINE__, #condition); \
            ++failures;                                                  \
        }                                                                \
    } while (0)
