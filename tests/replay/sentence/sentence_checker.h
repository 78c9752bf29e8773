#pragma once
// Checks a sentence of the replay against the kernels' index arithmetic.
#include "tests/replay/kernel_script.h"
#include "tests/replay/sentence/sentence_parser.h"

namespace tilereel {

// Expects every number and name of `said` to be that of the request.
void check_sentence(const Script& script, const ScheduledRequest& request,
                    const ParsedSentence& said);

}  // namespace tilereel
