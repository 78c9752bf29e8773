#pragma once
// What the runtime must know about a program that was compiled without the plugin: the source line
// of each hook call, and the names and types of shared arrays, device variables and kernel
// parameters. It is read from the debug information once, after linking.
#include <filesystem>
#include <string>

#include "instrumentation/base/result.h"

namespace tilereel::plain {

inline constexpr char kProgramFacts[] = "program.facts";  // in the program's folder

// Writes the file `facts`, which runtime/compiler_facts.h reads: one fact per line, with fields
// separated by tabs. Addresses are those in the file, before relocation. `ours`: the folder of our
// headers; accesses in functions of these and of the system's headers belong to their caller's
// line.
//   file NUMBER PATH
//   function FIRST LAST IS_LIBRARY LINE FILE FRAME NAME
//                                          LAST: the address after its code; IS_LIBRARY: from our
//                                          or the system's headers; FRAME: from the frame pointer
//                                          to the call frame address (CFA), -1 if not known
//     call ADDRESS IS_COPY LINE COLUMN FILE            ADDRESS: where the call returns to
//     loop FIRST LAST
//     shared OFFSET ...  dynamic 0 ...                 OFFSET: in the thread's TLS block
//     parameter OFFSET BYTES TARGET_BYTES SCALAR SCALAR_BYTES NAME TYPE MEMBERS
//                                                      OFFSET: from the CFA
//   device ADDRESS ...  constant ADDRESS ...
//   guard OFFSET                           the guard of a thread-local variable, in the TLS block
//   structure BYTES ALIGNMENT              an element type of arrays, ascending
// "..." stands for BYTES ELEMENT_BYTES ALIGNMENT SCALAR SCALAR_BYTES EXTENT_COUNT EXTENT EXTENT
// EXTENT EXTENT NAME TYPE MEMBERS. SCALAR is a number of enum Scalar in hooks.h. MEMBERS is the
// text of struct_members.h, or empty.
[[nodiscard]] Status write_program_facts(const std::filesystem::path& program,
                                         const std::string& ours,
                                         const std::filesystem::path& facts);

}  // namespace tilereel::plain
