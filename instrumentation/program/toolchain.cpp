#include "instrumentation/program/toolchain.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "instrumentation/base/files/program_folder.h"
#include "instrumentation/base/files/temporary_folder.h"
#include "instrumentation/base/files/text_file.h"
#include "instrumentation/base/interruption.h"
#include "instrumentation/program/process.h"

namespace tilereel::program {
namespace {

// The last line that the command prints, without blanks at its end: warnings of the loader come
// before it.
Result<std::string> output_of(std::vector<std::string> command) {
    ProcessRequest request;
    request.command = std::move(command);
    request.variables = in_english();
    request.seconds = 20;
    const ProcessResult run = TRY(run_process(request));
    std::string text = run.output;
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    return text.substr(text.rfind('\n') + 1);
}

Status write_in_folder(const std::filesystem::path& path, std::string_view text) {
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    return write_text(path, text);
}

Error cannot_keep(const std::filesystem::path& path) {
    return failed("cannot keep " + path.string() +
                  "; make room on its disk, or set XDG_CACHE_HOME to another folder");
}

constexpr int kMostSeconds = 300;         // compiling takes 5 s on an idle computer
constexpr int kMostSecondsOfOthers = 60;  // so long another process may fill the cache

Status run_compiler(std::vector<std::string> command, const std::string& what) {
    ProcessRequest request;
    request.command = std::move(command);
    request.variables = in_english();
    request.seconds = kMostSeconds;
    const ProcessResult run = TRY(run_process(request));
    if (run.end == ProcessEnd::kTimeLimit)
        return failed(what + " was not compiled within " + std::to_string(kMostSeconds) +
                      " s; try again when this computer is less busy");
    if (run.end == ProcessEnd::kCancelled) return Error{ErrorKind::kCancelled, "cancelled"};
    if (run.output.find("No space left on device") != std::string::npos)
        return failed("the disk is full, so " + what +
                      " could not be compiled; make room, or set TMPDIR and XDG_CACHE_HOME to "
                      "folders on another disk");
    if (run.end != ProcessEnd::kExit || run.code != 0)
        return failed(what + " does not compile:\n" + run.output);
    return Done{};
}

// All parts are compiled as one file, because reading GCC's headers takes most of the time.
Status build_plugin(const Toolchain& tools, const std::filesystem::path& headers,
                    const std::filesystem::path& folder) {
    std::error_code none;
    if (!std::filesystem::exists(headers / "gcc-plugin.h", none))
        return failed("g++ " + tools.version +
                      " has no headers for plugins, and a plugin records what a kernel does; "
                      "install them: apt-get install gcc-" +
                      tools.version.substr(0, tools.version.find('.')) + "-plugin-dev");
    std::string parts;
    for (unsigned i = 0; i < kEmbeddedFileCount; ++i) {
        const std::string_view path = kEmbeddedFiles[i].path;
        if (path.starts_with("plugin/") && path.ends_with(".cpp"))
            parts += "#include \"" + std::string(path) + "\"\n";
    }
    const std::filesystem::path file = folder / "plugin_parts.cpp";
    TRY(write_text(file, parts));
    return run_compiler(
        {tools.compiler, "-std=c++17", "-O1", "-fPIC", "-shared", "-fno-rtti", "-w",
         "-I" + headers.string(), "-o", (folder / "plugin.so").string(), file.string()},
        "the compiler plugin");
}

std::filesystem::path prelude_of(const Toolchain& tools, const std::string& standard) {
    return tools.folder / ("prelude-" + standard) / "tilereel_prelude.h";
}

std::vector<std::string> language_flags(const Toolchain& tools, const std::string& standard) {
    return {"-std=" + (standard.starts_with("c++") ? "gnu" + standard.substr(1) : standard),
            "-fno-strict-aliasing", "-fno-math-errno", "-fstack-clash-protection",
            // Null pointers and divisions by zero reach the runtime, which reports them.
            "-fno-delete-null-pointer-checks", "-fno-isolate-erroneous-paths-dereference",
            // A function of the runtime finds the line of its call by the return address.
            "-fno-optimize-sibling-calls",
            // Thrust, where it is installed, runs its algorithms on the host.
            "-DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP", "-ffp-contract=off",
            "-I" + (tools.folder / "include").string()};
}

std::vector<std::string> recording_flags(const Toolchain& tools, const std::string& standard) {
    std::vector<std::string> flags = language_flags(tools, standard);
    flags.insert(flags.end(), {"-O2", "-g1", "-fplugin=" + (tools.folder / "plugin.so").string()});
    return flags;
}

constexpr std::string_view kPrelude = "#include <tilereel/prelude.h>\n";

std::filesystem::path compiled_prelude_of(const Toolchain& tools, const std::string& standard) {
    std::filesystem::path compiled = prelude_of(tools, standard);
    compiled += ".gch";
    return compiled;
}

bool has_prelude(const Toolchain& tools, const std::string& standard) {
    return read_text(prelude_of(tools, standard)) == kPrelude &&
           has_its_sum(compiled_prelude_of(tools, standard));
}

// Precompiles our headers for a C++ standard.
Status build_prelude(const Toolchain& tools, const std::string& standard) {
    const std::filesystem::path prelude = prelude_of(tools, standard);
    const std::filesystem::path compiled = compiled_prelude_of(tools, standard);
    std::error_code error;
    remove_from_cache(prelude.parent_path());
    TRY(write_in_folder(prelude, kPrelude));
    const TemporaryFolder folder = TRY(TemporaryFolder::make_in(tools.folder, kHalfMade));
    const std::string temporary = (folder.path() / "prelude.gch").string();
    std::vector<std::string> command = {tools.compiler, "-x", "c++-header"};
    for (const std::string& flag : recording_flags(tools, standard)) command.push_back(flag);
    command.insert(command.end(), {"-w", prelude.string(), "-o", temporary});
    const Status built = run_compiler(std::move(command), "cuda_runtime.h");
    if (!built) return built;
    TRY(write_sum(temporary));
    std::filesystem::rename(temporary + ".sum", compiled.string() + ".sum", error);
    std::filesystem::rename(temporary, compiled, error);
    return has_its_sum(compiled) ? Status(Done{}) : cannot_keep(compiled);
}

// The libraries that a user's program is linked with: the installed ones, or else those of the
// build folder.
std::vector<std::string> linked_libraries() {
    const std::filesystem::path installed = program_folder() / TILEREEL_INSTALLED_LIBRARIES;
    std::vector<std::string> libraries;
    std::istringstream list(TILEREEL_PROGRAM_LIBRARIES);
    for (std::string library; std::getline(list, library, '|');) {
        const std::filesystem::path beside =
            (installed / std::filesystem::path(library).filename()).lexically_normal();
        libraries.push_back(std::filesystem::exists(beside) ? beside.string() : library);
    }
    return libraries;
}

// Whether the cache folder holds what build_folder() put there.
bool is_sound(const Toolchain& tools) {
    for (unsigned i = 0; i < kEmbeddedFileCount; ++i)
        if (read_text(tools.folder / kEmbeddedFiles[i].path) != kEmbeddedFiles[i].text)
            return false;
    return has_its_sum(tools.folder / "plugin.so");
}

// Fills the cache folder for this version of g++ and of Tilereel: in a temporary folder that is
// renamed when it is complete.
Status build_folder(const Toolchain& tools, const std::filesystem::path& headers) {
    const std::filesystem::path cache = tools.folder.parent_path();
    std::error_code error;
    const Result<TemporaryFolder> folder = TemporaryFolder::make_in(cache, kHalfMade);
    if (!folder)
        return failed(folder.error().message + "; name another folder with XDG_CACHE_HOME");
    for (unsigned i = 0; i < kEmbeddedFileCount; ++i)
        if (const Status written =
                write_in_folder(folder->path() / kEmbeddedFiles[i].path, kEmbeddedFiles[i].text);
            !written)
            return written;
    Status built = build_plugin(tools, headers, folder->path());
    if (built) built = write_sum(folder->path() / "plugin.so");
    if (!built) return built;
    std::filesystem::rename(folder->path(), tools.folder, error);
    return is_sound(tools) ? Status(Done{}) : cannot_keep(tools.folder);
}

// Sees to it that the cache folder has everything. An empty one: there is none.
Status prepare_in(const std::filesystem::path& cache, const std::string& name,
                  const std::filesystem::path& headers, const std::string& standard,
                  Toolchain& tools) {
    if (cache.empty())
        return failed(
            "there is no folder for temporary files; name one that you may write with TMPDIR");
    tools.folder = cache / name;
    remove_abandoned_folders(cache, kHalfMade);
    remove_abandoned_folders(tools.folder, kHalfMade);
    if (is_sound(tools) && has_prelude(tools, standard)) return Done{};
    std::error_code error;
    std::filesystem::create_directories(cache, error);
    const CacheLock lock(cache, kMostSecondsOfOthers);
    if (!is_sound(tools)) {  // another process may have filled it meanwhile
        remove_from_cache(tools.folder);
        TRY(build_folder(tools, headers));
    }
    return has_prelude(tools, standard) ? Status(Done{}) : build_prelude(tools, standard);
}

}  // namespace

std::uint64_t hash_of(std::string_view text, std::uint64_t hash) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return hash;
}

std::vector<std::string> Toolchain::flags(const std::string& standard) const {
    std::vector<std::string> result = recording_flags(*this, standard);
    result.insert(result.end(), {"-include", prelude_of(*this, standard).string()});
    return result;
}

std::vector<std::string> Toolchain::host_flags(const std::string& standard) const {
    std::vector<std::string> result = recording_flags(*this, standard);
    result.push_back("-DTILEREEL_HOST_FILE");
    return result;
}

std::vector<std::string> Toolchain::c_flags() const {
    return {"-std=gnu17", "-fno-strict-aliasing", "-O2", "-g1", "-DTILEREEL_HOST_FILE"};
}

std::vector<std::string> Toolchain::link_command(const std::filesystem::path& program,
                                                 const std::vector<std::string>& objects,
                                                 bool hands_trace_over) const {
    std::vector<std::string> command = {compiler, "-o", program.string()};
    if (hands_trace_over) {
        // Position-independent, like any program: source_line() relies on it.
        command.push_back("-static-pie");
    } else {
        // The second is fail_recorder(): also a program of host code alone is linked with the
        // recorder, which tells the end.
        command.push_back("-Wl,-u,tilereel_write_trace,-u,_ZN8tilereel7runtime13fail_recorderEPKc");
        // Gold takes a third of the time of the usual linker. It cannot link with -static-pie.
        if (has_gold) command.push_back("-fuse-ld=gold");
    }
    command.insert(command.end(), objects.begin(), objects.end());
    command.insert(command.end(), libraries.begin(), libraries.end());
    command.push_back("-lboost_context");
    if (!hands_trace_over) command.insert(command.end(), {"-lzip", "-lz"});
    command.insert(command.end(), {"-lpthread", "-ldl"});
    return command;
}

Result<Toolchain> prepare_toolchain(const std::string& standard) {
    Toolchain tools;
    const char* const chosen = std::getenv("TILEREEL_CXX");
    tools.compiler = chosen != nullptr && *chosen != 0 ? chosen : "g++";
    const Result<std::string> version = output_of({tools.compiler, "-dumpfullversion"});
    if (!version) {
        if (version.error().message.find(std::strerror(ENOENT)) == std::string::npos)
            return version.error();
        return failed(
            "there is no g++ to compile the program with; install it: apt-get install g++");
    }
    if (version->empty() || version->find_first_not_of("0123456789.") != std::string::npos)
        return failed("'" + tools.compiler +
                      "' does not tell the version of a g++, so it is none; install it: apt-get "
                      "install g++, or name one in TILEREEL_CXX");
    tools.version = *version;
    const std::string plugins = TRY(output_of({tools.compiler, "-print-file-name=plugin"}));
    const std::filesystem::path headers = std::filesystem::path(plugins) / "include";
    tools.has_gold = bool(output_of({"ld.gold", "--version"}));
    tools.libraries = linked_libraries();
    std::uint64_t hash = hash_of(tools.version);
    for (const std::string& library : tools.libraries) hash = hash_of(library, hash);
    for (unsigned i = 0; i < kEmbeddedFileCount; ++i)
        hash = hash_of(kEmbeddedFiles[i].text, hash_of(kEmbeddedFiles[i].path, hash));
    std::ostringstream name;
    name << "cuda-g++-" << tools.version << '-' << std::hex << hash;
    const std::filesystem::path cache = cache_folder();
    Status prepared = prepare_in(cache, name.str(), headers, standard, tools);
    // The disk of the cache may be full, or mounted so that no plugin can be loaded from it.
    const std::filesystem::path other = prepared || was_interrupted() ? cache : cache_of_process();
    if (other != cache) prepared = prepare_in(other, name.str(), headers, standard, tools);
    if (!prepared) return prepared.error();
    return tools;
}

}  // namespace tilereel::program
