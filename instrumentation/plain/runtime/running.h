#pragma once
// The state that hooks use at each event, shared with the code that g++ puts inline.
#include "instrumentation/plain/include/tilereel/expected_event.h"
