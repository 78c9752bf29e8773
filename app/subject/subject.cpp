#include "app/subject/subject.h"

#include <algorithm>
#include <array>

#include "app/subject/file_kind.h"
#include "instrumentation/analysis/generations/generation.h"
#include "kernels/catalog.h"
#include "kernels/openings.h"

namespace tilereel {
namespace {

using Field = TextField<Subject>;

constexpr int kMostExtent = 1 << 20;
constexpr std::uint64_t kMostSeed = ~std::uint64_t{0} >> 1;

template <auto kMember>
bool read_extent(const std::string& value, Subject& subject) {
    return read_number(value, 1, kMostExtent, subject.*kMember);
}

// A field that may be given several times.
template <auto kMember>
bool add_value(const std::string& value, Subject& subject) {
    (subject.*kMember).emplace_back(value);
    return !value.empty();
}

bool read_block(std::string_view text, Subject& subject) {
    const std::size_t colon = text.find(':');
    constexpr std::uint32_t kMost = 0x7fffffff;
    return colon != std::string_view::npos &&
           read_number(text.substr(0, colon), 0u, kMost, subject.block_x) &&
           read_number(text.substr(colon + 1), 0u, kMost, subject.block_y);
}

constexpr std::array kFields = {
    Field{"kernel", "the id of a kernel",
          [](const std::string& value, Subject& subject) {
              subject.kernel = value;
              return find_kernel(value) != nullptr;
          }},
    Field{"m", "a whole number from 1 on", read_extent<&Subject::m>},
    Field{"n", "a whole number from 1 on", read_extent<&Subject::n>},
    Field{"k", "a whole number from 1 on", read_extent<&Subject::k>},
    Field{"tile", "a whole number from 1 on", read_extent<&Subject::tile>},
    Field{"pad", "a whole number, 0 or more",
          [](const std::string& value, Subject& subject) {
              return read_number(value, 0, kMostExtent, subject.pad);
          }},
    Field{"seed", "a whole number, 0 or more",
          [](const std::string& value, Subject& subject) {
              return read_number(value, std::uint64_t{0}, kMostSeed, subject.seed);
          }},
    Field{"without_barrier", "the line of a barrier, or 0",
          [](const std::string& value, Subject& subject) {
              return read_number(value, 0u, 65535u, subject.removed_barrier);
          }},
    Field{"order", "round-robin, warps, warps-backward, lanes or adversarial",
          [](const std::string& value, Subject& subject) {
              const auto order = order_named(value);
              subject.order = order.value_or(ThreadOrder::kRoundRobin);
              subject.find_failing_order = is_adversarial_order(value);
              return order.has_value() || subject.find_failing_order;
          }},
    Field{"record", "cpu or gpu",
          [](const std::string& value, Subject& subject) {
              subject.on_gpu = value == "gpu";
              return subject.on_gpu || value == "cpu";
          }},
    Field{"file", "the path of a CUDA program or a trace",
          [](const std::string& value, Subject& subject) {
              subject.file = value;
              return !value.empty();
          }},
    Field{"argument", "an argument of the program",
          [](const std::string& value, Subject& subject) {
              subject.arguments.push_back(value);
              return true;
          }},
    Field{"define", "a macro of the program", add_value<&Subject::defines>},
    Field{"include", "a folder of the program's headers", add_value<&Subject::include_folders>},
    Field{"with", "another source file of the program", add_value<&Subject::more_files>},
    Field{"call", "a launch of a kernel, as --call takes it", add_value<&Subject::launch_lines>},
    Field{"std", "c++14, c++17 or c++20",
          [](const std::string& value, Subject& subject) {
              subject.standard = value;
              return value == "c++14" || value == "c++17" || value == "c++20";
          }},
    Field{"launch", "the number of a launch, from 0 on",
          [](const std::string& value, Subject& subject) {
              return read_number(value, 0u, 0x7fffffffu, subject.launch);
          }},
    Field{"generation", "a GPU's compute capability, such as 9.0",
          [](const std::string& value, Subject& subject) {
              subject.generation = value;
              return find_generation(value) != nullptr;
          }},
    Field{"block", "column:row of the grid",
          [](const std::string& value, Subject& subject) { return read_block(value, subject); }},
};

void put_rung(FieldWriter& writer, const Subject& subject) {
    writer.put("kernel", subject.kernel);
    for (const auto& [name, value] :
         {std::pair("m", subject.m), std::pair("n", subject.n), std::pair("k", subject.k),
          std::pair("tile", subject.tile), std::pair("pad", subject.pad)})
        if (value) writer.put(name, decimal(*value));
    if (subject.seed) writer.put("seed", decimal(*subject.seed));
    writer.put_unless("without_barrier", subject.removed_barrier, 0u);
    if (subject.find_failing_order)
        writer.put("order", kAdversarialOrder);
    else if (subject.order != ThreadOrder::kRoundRobin)
        writer.put("order", name_of(subject.order));
    if (subject.on_gpu) writer.put("record", "gpu");
}

void put_file(FieldWriter& writer, const Subject& subject) {
    if (!subject.file.empty()) writer.put("file", subject.file.string());
    for (const std::string& argument : subject.arguments) writer.put("argument", argument);
    for (const std::string& define : subject.defines) writer.put("define", define);
    for (const auto& folder : subject.include_folders) writer.put("include", folder.string());
    for (const auto& file : subject.more_files) writer.put("with", file.string());
    for (const std::string& line : subject.launch_lines) writer.put("call", line);
    if (!subject.standard.empty()) writer.put("std", subject.standard);
    writer.put_unless("launch", subject.launch, 0u);
}

// The first field that is set and belongs to a kernel of the ladder; "": none.
std::string_view field_of_rung(const Subject& subject) {
    const Subject none;
    for (const auto& [name, set] :
         {std::pair("m", subject.m.has_value()), std::pair("n", subject.n.has_value()),
          std::pair("k", subject.k.has_value()), std::pair("tile", subject.tile.has_value()),
          std::pair("pad", subject.pad.has_value()), std::pair("seed", subject.seed.has_value()),
          std::pair("without_barrier", subject.removed_barrier != 0),
          std::pair("order", subject.order != none.order || subject.find_failing_order),
          std::pair("record", subject.on_gpu)})
        if (set) return name;
    return "";
}

// Likewise to a CUDA program.
std::string_view field_of_program(const Subject& subject) {
    for (const auto& [name, set] :
         {std::pair("argument", !subject.arguments.empty()),
          std::pair("define", !subject.defines.empty()),
          std::pair("include", !subject.include_folders.empty()),
          std::pair("with", !subject.more_files.empty()),
          std::pair("call", !subject.launch_lines.empty()),
          std::pair("std", !subject.standard.empty()), std::pair("launch", subject.launch != 0)})
        if (set) return name;
    return "";
}

}  // namespace

const Generation& generation_of(const Subject& subject) {
    const Generation* const named = find_generation(subject.generation);
    return named == nullptr ? default_generation() : *named;
}

KernelParameters parameters_of(const Subject& subject) {
    const KernelInfo* const kernel = find_kernel(subject.kernel);
    KernelParameters p = kernel == nullptr ? KernelParameters{} : opening_of(*kernel);
    p.m = subject.m.value_or(p.m);
    p.n = subject.n.value_or(p.n);
    p.k = subject.k.value_or(p.k);
    p.tile = subject.tile.value_or(p.tile);
    p.pad = subject.pad.value_or(p.pad);
    return p;
}

bool same_recording(const Subject& a, const Subject& b) {
    Subject other = b;
    other.block_x = a.block_x, other.block_y = a.block_y;
    // A program can query the GPU's generation; a kernel of the ladder cannot.
    if (is_rung(a)) other.generation = a.generation;
    return a == other;
}

void put_subject(FieldWriter& writer, const Subject& subject) {
    if (!subject.kernel.empty())
        put_rung(writer, subject);
    else
        put_file(writer, subject);
    if (!subject.generation.empty()) writer.put("generation", subject.generation);
    if (subject.block_x != 0 || subject.block_y != 0)
        writer.put("block", decimal(subject.block_x) + ":" + decimal(subject.block_y));
}

const TextField<Subject>* find_subject_field(std::string_view name) {
    if (name == "barrier") name = "without_barrier";
    const auto found = std::ranges::find(kFields, name, &Field::name);
    return found == kFields.end() ? nullptr : &*found;
}

Status check_subject(const Subject& subject, const std::string& of_what) {
    if (subject.kernel.empty() == subject.file.empty())
        return wrong_call(of_what + " names either a kernel or a file");
    return check_fields_belong(subject, of_what);
}

Status check_fields_belong(const Subject& subject, const std::string& of_what) {
    const auto refused = [&](std::string_view name, const char* owner, const std::string& shown) {
        return wrong_call("in " + of_what + ", " + std::string(name) + " belongs to " + owner +
                          ", but " + shown);
    };
    const std::string_view of_program = field_of_program(subject), of_rung = field_of_rung(subject);
    if (is_rung(subject))
        return of_program.empty() ? Status(Done{})
                                  : refused(of_program, "a CUDA program",
                                            subject.kernel + " is a kernel of the ladder");
    const std::string shown = subject.file.empty() ? "what is shown is a recorded launch"
                                                   : "'" + subject.file.string() + "' is a file";
    if (!of_rung.empty()) return refused(of_rung, "a kernel of the ladder", shown);
    const bool trace = subject.file.empty() || has_ending_of(subject.file, FileKind::kTrace);
    if (!of_program.empty() && trace)
        return refused(of_program, "a CUDA program",
                       subject.file.empty() ? shown : shown + " of a recorded launch");
    return Done{};
}

bool is_list_field(std::string_view name) {
    constexpr std::array<std::string_view, 5> kLists = {"argument", "define", "include", "with",
                                                        "call"};
    return std::ranges::find(kLists, name) != kLists.end();
}

std::string text_of(const Subject& subject) {
    FieldWriter writer;
    put_subject(writer, subject);
    return std::move(writer).text();
}

Result<Subject> parse_subject(std::string_view text) {
    Subject subject;
    const Status read = for_each_field(text, [&](const std::string& name, const auto& value) {
        return read_field_of(find_subject_field(name), name, value, subject, "what is shown");
    });
    if (!read) return read.error();
    TRY(check_subject(subject, "what is shown"));
    return subject;
}

}  // namespace tilereel
