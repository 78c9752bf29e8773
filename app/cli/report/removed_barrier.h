#pragma once
// Report text about a kernel from which a barrier was removed.
#include <nlohmann/json.hpp>
#include <string>

#include "instrumentation/analysis/generations/generation.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// If no barrier was removed, these functions return an empty text or change nothing. But
// wrong_elements_text() and put_wrong_elements() report a wrong C even then, and
// wrong_elements_text() says if only a part of C was judged.

// "Without the barrier on line 27 (__syncthreads): warps in turn, one request each\n"
[[nodiscard]] std::string removed_barrier_text(const Trace& trace);
// The number of wrong elements of C, and the first few. `searched`: other orders of the threads
// were tried.
[[nodiscard]] std::string wrong_elements_text(const Trace& trace, bool searched);
// Adds "removed_barrier": line and "order": name.
void put_removed_barrier(nlohmann::ordered_json& json, const Trace& trace);
// Adds "wrong": {"elements", "of", "first": [{"row", "column", "found" (null: NaN), "expected"}]}.
void put_wrong_elements(nlohmann::ordered_json& json, const Trace& trace);
// The same as CSV rows of kind,line,thread,row,column,found,expected,text. Kinds: removed_barrier,
// order, finding (a row for each access), wrong_elements (text: their number), wrong (the first
// few).
[[nodiscard]] std::string removed_barrier_csv(const Trace& trace, const Generation& generation);

}  // namespace tilereel
