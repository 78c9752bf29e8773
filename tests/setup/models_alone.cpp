// A program that links only the analysis and the replay. The test checks that it links, and which
// shared libraries it needs.
#include "app/replay/replay.h"
#include "instrumentation/analysis/cost/counters.h"

int main() { return 0; }
