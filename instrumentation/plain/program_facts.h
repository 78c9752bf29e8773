#pragma once
// What the runtime must know of a program that was compiled without the plugin: the source line of
// each call of a hook, and the names and types of shared arrays, of variables in device memory and
// of kernels' parameters. Read from the debug information once, after linking.
#include <filesystem>
#include <string>

#include "instrumentation/base/result.h"

namespace tilereel::plain {

inline constexpr char kProgramFacts[] = "program.facts";  // in the program's folder

// Writes `facts` for the runtime (runtime/compiler_facts.h reads it), one fact a line, its
// fields separated by tabs. Addresses are those of the file, before it is loaded. `ours`: the
// folder of our headers; a function that is declared there or in the system's headers has no lines
// of its own.
//   file NUMBER PATH
//   function FIRST LAST IS_OURS LINE FILE FRAME NAME   FRAME: from the frame pointer to the call
//                                                      frame address (CFA); -1: not known
//     call ADDRESS IS_COPY LINE COLUMN FILE            ADDRESS: where the call returns to
//     loop FIRST LAST
//     shared OFFSET ...  dynamic 0 ...                 OFFSET: in the thread's block (TLS)
//     parameter OFFSET BYTES TARGET_BYTES SCALAR SCALAR_BYTES NAME TYPE   OFFSET: from the CFA
//   device ADDRESS ...  constant ADDRESS ...
//   guard OFFSET                                       of a thread-local variable's guard (TLS)
//   structure BYTES ALIGNMENT                          of arrays' element types, ascending
// Where ... is BYTES ELEMENT_BYTES ALIGNMENT SCALAR SCALAR_BYTES EXTENT EXTENT EXTENT EXTENT NAME
// TYPE; SCALAR as in hooks.h.
[[nodiscard]] Status write_program_facts(const std::filesystem::path& program,
                                         const std::string& ours,
                                         const std::filesystem::path& facts);

}  // namespace tilereel::plain
