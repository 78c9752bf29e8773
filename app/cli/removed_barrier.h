#pragma once
// A kernel without one of its barriers: what the report says of it.
#include <nlohmann/json.hpp>
#include <string>

#include "instrumentation/analysis/generation.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// All of these are empty, or leave what they are given alone, where no barrier was left out; those
// about wrong elements, where C is right besides.

// "Without the barrier on line 27 (__syncthreads): warps in turn, one request each\n"
[[nodiscard]] std::string removed_barrier_text(const Trace& trace);
// How many elements of C are wrong, and the first few. `searched`: other orders were tried.
[[nodiscard]] std::string wrong_elements_text(const Trace& trace, bool searched);
// Adds "removed_barrier": line and "order": name.
void put_removed_barrier(nlohmann::ordered_json& json, const Trace& trace);
// Adds "wrong": {"elements", "of", "first": [{"row", "column", "found" (null: NaN), "expected"}]}.
void put_wrong_elements(nlohmann::ordered_json& json, const Trace& trace);
// All of it as rows of kind,line,thread,row,column,found,expected,text; kinds: removed_barrier,
// order, finding (a row for each side), wrong_elements (their number in text), wrong (the first
// few).
[[nodiscard]] std::string removed_barrier_csv(const Trace& trace, const Generation& generation);

}  // namespace tilereel
