// says: cub/agent/agent_reduce.cuh is not supported: Tilereel has no such header of CUB; include cub/cub.cuh, which has what it supports.
// ends: not compiled
#include <cub/agent/agent_reduce.cuh>
int main() {}
