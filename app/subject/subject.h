#pragma once
// What is shown: a rung of the ladder, a launch of a CUDA program, or a trace file; with the GPU
// generation and the block that are looked at. One description, with one text, for saved views,
// lessons, comparisons and the command line:
//
//   kernel=09_tiled,m=16,n=16,k=16,tile=8,pad=1,block=0:1      a rung
//   file=/home/me/saxpy.cu,argument=1000,launch=2              a launch of a program
//   file=/home/me/saxpy.npz,generation=8.0                     a trace
//
// Fields are in any order; a missing one has its default. Bytes of a value other than letters,
// digits and "._-+:/@" are percent-encoded as in a URL, so that a shell needs no quotes.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/subject/text_fields.h"
#include "instrumentation/analysis/generations/generation.h"
#include "instrumentation/base/result.h"
#include "instrumentation/trace/thread_order.h"
#include "kernels/kernel_parameters.h"

namespace tilereel {

struct Subject {
    // Of a rung. `kernel` is its id in the catalogue; empty: `file` is shown.
    std::string kernel{};
    std::optional<int> m{}, n{}, k{}, tile{}, pad{};  // nullopt: opening_of() the kernel
    std::optional<std::uint64_t> seed{};              // of A and B
    std::uint32_t removed_barrier = 0;                // its line; 0: none
    ThreadOrder order = ThreadOrder::kRoundRobin;
    bool find_failing_order = false;  // instead of `order`: one that makes C wrong
    bool on_gpu = false;              // recorded on a GPU

    std::filesystem::path file{};  // a CUDA program or a trace
    // Of a program, as on the command line.
    std::vector<std::string> arguments{}, defines{};
    std::vector<std::filesystem::path> include_folders{}, more_files{};
    std::vector<std::string> launch_lines{};  // run instead of main()
    std::string standard{};                   // of C++; empty: the default one
    std::uint32_t launch = 0;                 // its number, from 0 on

    std::string generation{};                // Generation::id; empty: the default one
    std::uint32_t block_x = 0, block_y = 0;  // column and row of the grid
    bool operator==(const Subject&) const = default;
};

// What the fields of a Subject belong to. A launch that is only known as a recording, such as the
// watched one of a comparison, has neither a kernel nor a file.
[[nodiscard]] inline bool is_rung(const Subject& subject) { return !subject.kernel.empty(); }
[[nodiscard]] const Generation& generation_of(const Subject& subject);
// Those of the kernel's opening where the subject leaves them open.
[[nodiscard]] KernelParameters parameters_of(const Subject& subject);
// Whether both record the same trace, whichever of its blocks is watched.
[[nodiscard]] bool same_recording(const Subject& a, const Subject& b);

[[nodiscard]] std::string text_of(const Subject& subject);
// kWrongCall names the wrong field and its valid values, or says that neither a kernel nor a file
// is named. Does not check whether the kernel can have the parameters, nor whether the file exists.
[[nodiscard]] Result<Subject> parse_subject(std::string_view text);

// For a text that has further fields, such as a saved view.
void put_subject(FieldWriter& writer, const Subject& subject);
[[nodiscard]] const TextField<Subject>* find_subject_field(std::string_view name);
// kWrongCall if it names neither a kernel nor a file, or both, or if a field does not belong to
// what it names, such as `pad` to a program. `of_what`: what the text describes, "a saved view".
[[nodiscard]] Status check_subject(const Subject& subject, const std::string& of_what);
[[nodiscard]] Status check_fields_belong(const Subject& subject, const std::string& of_what);
// Whether the field may be given several times: "argument".
[[nodiscard]] bool is_list_field(std::string_view name);

}  // namespace tilereel
