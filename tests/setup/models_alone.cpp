// A program of the analysis and the replay alone. That it links, and what it needs when it runs, is
// the test.
#include "app/replay/replay.h"
#include "instrumentation/analysis/counters.h"

int main() { return 0; }
