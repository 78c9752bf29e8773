#include "app/cli/program/program_report.h"
#include "app/cli/report/phase_report.h"
#include "app/cli/report/removed_barrier.h"
#include "app/cli/report/report.h"
#include "app/cli/subcommands.h"
#include "app/cli/typed_numbers.h"
#include "kernels/catalog.h"

namespace tilereel {

void ReportCommand::add_to(CLI::App& app) {
    add_subject(app, subject);
    add_program_options(app, program);
    add_generation_option(app, generation);
    CLI::Option* const as_json = app.add_flag("--json", json, "Print JSON");
    CLI::Option* const as_phases = app.add_flag(
        "--phases", phases,
        "Print what each thread of one block loads and adds in each phase, counted from 1; "
        "in the JSON, the first entry of a thread's phases is phase 1");
    app.add_flag("--csv", csv, "Print the phases, or what leaving out a barrier does, as CSV")
        ->excludes(as_json);
    add_block_option(app, block_x, block_y,
                     "With --phases, the block by column and row of the grid (default 0,0)")
        ->needs(as_phases);
}

Result<std::string> ReportCommand::run_phases(const Trace& trace) const {
    const Dim3& grid = trace.launch.grid;
    if (block_x >= grid.x || block_y >= grid.y)
        return wrong_call("the grid is " + with_commas(grid.x) + " x " + with_commas(grid.y) +
                          " blocks: --block " + std::to_string(block_x) + "," +
                          std::to_string(block_y) + " is outside it");
    const auto table = TRY(phase_table(trace, block_y * grid.x + block_x));
    if (json) return phases_json(trace, table);
    return csv ? phases_csv(trace, table) : phases_text(trace, table);
}

Result<std::string> ReportCommand::run() const {
    const auto kind = TRY(
        kind_of_subject(subject.name, {FileKind::kProgram, FileKind::kTrace}, parts_of(program)));
    if (kind == FileKind::kProgram) {
        if (phases || csv)
            return wrong_call("'" + subject.name +
                              "' is a CUDA file: --phases and --csv take a kernel or a trace file; "
                              "write one with 'tilereel trace'");
        TRY(check_no_kernel_options(subject.name, subject.options));
        return report_program(subject.name, on_device(program, subject.options.device), *generation,
                              json);
    }
    TRY(check_no_program_options(subject.name, program));
    NamedSubject wanted = subject;
    if (phases) wanted.options.block = {block_x, block_y};
    wanted.options.generation = generation;
    const Error needs_phases = wrong_call(
        "--csv requires --phases, or a kernel that lost a barrier (--without-barrier LINE)");
    if (csv && !phases && find_kernel(subject.name) && !subject.options.without_barrier)
        return needs_phases;
    const auto trace = TRY(obtain_trace(wanted));
    if (phases) return run_phases(trace);
    if (csv && trace.launch.removed_barrier == 0) return needs_phases;
    if (csv) return removed_barrier_csv(trace, *generation);
    return json ? report_json(trace, *generation)
                : report_text(trace, *generation, subject.options.find_failing_order);
}

}  // namespace tilereel
