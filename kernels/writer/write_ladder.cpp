// Writes the sources that are compiled from the kernels' files, when Tilereel is built:
//   tilereel_ladder_writer FOLDER FILE...
// FILEs are kernels/ladder/*.cu in the ladder's order, and the headers there. A source whose
// content is the same is not touched. kernels/CMakeLists.txt says what becomes of each.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <ranges>
#include <string>
#include <vector>

#include "instrumentation/base/files/text_file.h"
#include "kernels/declaration.h"
#include "kernels/instance_text.h"
#include "kernels/writer/kernel_file_text.h"
#include "kernels/writer/ladder_host_code.h"

namespace tilereel {
namespace {

namespace fs = std::filesystem;

// The end of ladder_files.cpp, which alone knows the type of `captured`.
constexpr const char* kCapture =
    R"(CapturedLaunch capture_launch(const LadderFile& kernel, int tile, int pad, int m, int n, int k,
                              const LaunchMatrices& of) {
    captured = {};
    captured_copies = {};
    kernel.launch(tile, pad, of.a, of.b, of.c, m, n, k);
    return captured;
}

)";
constexpr const char* kWritten = "written from kernels/ladder by tilereel_ladder_writer.";
// Each file is compiled for the GPUs of at least the first of these compute capabilities that is
// not below what it declares, and its PTX for that one, which newer GPUs take, too.
constexpr std::array kCapabilities = {75, 80, 90};
// A file that declares "9.0a" is compiled for that compute capability alone (nvcc: sm_90a).
constexpr std::array<std::string_view, 4> kLadderBuilds = {"75", "80", "90", "90a"};

struct LadderSource {
    std::string path, text;
    KernelFileText file;
    KernelDeclaration declaration;
};

Result<LadderSource> read_source(const std::string& path) {
    LadderSource source{.path = path, .text = read_text(path), .file = {}, .declaration = {}};
    KernelFileText file = TRY(read_kernel_file(path, source.text));
    source.file = std::move(file);
    source.declaration = read_declaration(source.text);
    if (source.declaration.mistake.empty()) return source;
    return failed(path + ", " + source.declaration.mistake);
}

// LADDER_KERNEL(stem, TILE, PAD, kernel, launch function) for each that is built in
std::string rows_of(const LadderSource& source) {
    std::string rows;
    const KernelFileText& file = source.file;
    for (const int tile : source.declaration.tiles)
        for (const int pad : source.declaration.pads)
            rows += "LADDER_KERNEL(\"" + file.stem + "\", " + std::to_string(tile) + ", " +
                    std::to_string(pad) + ", (" + file.space + "::" + file.kernel +
                    instance_text(file.kernel_arguments, tile, pad) + "), (" + file.space +
                    "::launch_" + file.name + instance_text(file.arguments, tile, pad) + "))\n";
    return rows;
}

// The file in a namespace of its own. What it includes stands before the namespace.
std::string code_of(const LadderSource& source, const std::string& include) {
    return source.file.includes + "\nnamespace " + source.file.space + " {\n#include " + include +
           "\n}\n";
}

std::string launch_by_function(std::string_view kernel, std::string_view configuration) {
    return "launch_kernel(" + std::string(configuration) + ", " + std::string(kernel) + ", ";
}

// The group of kLadderBuilds that a file is compiled in, if its instructions need `needed`.
std::string group_of(const LadderSource& source, int needed) {
    const auto found = std::ranges::lower_bound(kCapabilities, needed);
    const int capability = found == kCapabilities.end() ? kCapabilities.back() : *found;
    return std::to_string(capability) + (source.declaration.sizes.architecture_specific ? "a" : "");
}

class LadderWriter {
  public:
    LadderWriter(fs::path folder, std::vector<LadderSource> sources)
        : folder_(std::move(folder)), sources_(std::move(sources)) {}

    Status write(const std::vector<std::string>& headers) {
        write_native();
        write_recorded();
        write_ptx();
        write_cpu();
        write_texts(headers);
        put("ladder_files.cpp", host_code(headers));
        return status_;
    }

  private:
    void put(const std::string& name, const std::string& content) {
        const fs::path path = folder_ / name;
        std::error_code none;
        fs::create_directories(path.parent_path(), none);
        if (fs::exists(path, none) && read_text(path) == content) return;
        if (Status written = write_text(path, content); !written) status_ = std::move(written);
    }
    static std::string head(const char* what) {
        return "// " + std::string(what) + "; " + kWritten + "\n";
    }
    static std::string rows_head() {
        return head("LADDER_KERNEL(stem, TILE, PAD, kernel, launch function)");
    }

    void write_native() {
        for (const std::string_view group : kLadderBuilds) {
            std::string code = head("The CUDA kernels of one compute capability");
            std::string rows = rows_head();
            for (const LadderSource& source : sources_) {
                if (group_of(source, source.declaration.sizes.compute_capability) != group)
                    continue;
                code += code_of(source, "\"" + source.path + "\"");
                rows += rows_of(source);
            }
            put("ladder_kernels_" + std::string(group) + ".h", code);
            put("ladder_kernel_rows_" + std::string(group) + ".h", rows);
        }
    }
    void write_recorded() {
        std::string code = head("Every CUDA kernel, for the program that records them");
        std::string rows = rows_head();
        for (const LadderSource& source : sources_) {
            code += code_of(source, "<" + source.file.stem + ".cu>");
            rows += rows_of(source);
        }
        put("recorded/ladder_code.h", code);
        put("recorded/ladder_rows.h", rows);
    }
    void write_ptx() {
        for (const std::string_view group : kLadderBuilds) {
            std::string code, rows;
            for (const LadderSource& source : sources_) {
                const bool copies =
                    source.text.find("#include <cuda_pipeline.h>") != source.text.npos ||
                    source.text.find("#include <cuda/pipeline>") != source.text.npos;
                const int needed =
                    std::max(source.declaration.sizes.compute_capability, copies ? 80 : 0);
                if (group_of(source, needed) != group) continue;
                code += code_of(source, "<" + source.file.stem + ".cu>");
                rows += rows_of(source);
            }
            put("ptx/ladder_" + std::string(group) + ".cu",
                head("The kernels' PTX is compiled from this") +
                    "#include <cuda.h>\n#include <cuda_runtime.h>\n" + code +
                    "\n#define LADDER_KERNEL(stem, tile, pad, kernel, launch) (void*)&kernel,\n"
                    "void* const kernels[] = {\n" +
                    rows + "nullptr};\n");
        }
    }
    void write_cpu() {
        std::string code = head("The CPU's CUDA kernels"), rows = rows_head();
        for (const LadderSource& source : sources_) {
            if (!source.file.stem.starts_with("cpu_")) continue;
            code += "namespace " + source.file.space + " {\n#line 1 \"" + source.path + "\"\n" +
                    with_launches(source.text, launch_by_function) + "}\n";
            rows += rows_of(source);
        }
        put("cpu_kernel_code.h", code);
        put("cpu_kernel_rows.h", rows);
    }
    void write_texts(const std::vector<std::string>& headers) {
        const auto literal = [](const std::string& text) {
            return "R\"kernel~(" + text + ")kernel~\"";
        };
        std::string texts = head("The kernels' own text") +
                            "#include \"kernels/kernel_text.h\"\n\nnamespace tilereel {\n\n"
                            "std::string_view kernel_text(std::string_view stem) {\n";
        for (const LadderSource& source : sources_)
            texts += "    if (stem == \"" + source.file.stem + "\")\n        return " +
                     literal(source.text) + ";\n";
        texts +=
            "    return {};\n}\n\nstd::span<const LadderHeader> ladder_headers() {\n"
            "    static constexpr LadderHeader kHeaders[] = {\n";
        for (const std::string& path : headers)
            texts += "        {\"" + fs::path(path).filename().string() + "\", " +
                     literal(read_text(path)) + "},\n";
        put("kernel_text.cpp",
            texts + "    };\n    return kHeaders;\n}\n\n}  // namespace tilereel\n");
    }
    std::string host_code(const std::vector<std::string>& headers) {
        std::string host =
            head("The CUDA kernels as data") +
            "#include \"kernels/launch_capture.h\"\n"
            "#pragma GCC diagnostic ignored \"-Wconversion\"  // as nvcc compiles it\n"
            "#pragma GCC diagnostic ignored \"-Wunused-parameter\"\n"
            "#pragma GCC diagnostic ignored \"-Wunused-function\"\n"
            "namespace tilereel {\nnamespace {\n";
        // Headers with functions for launch functions: plain CUDA of the host, without #include.
        for (const std::string& path : headers)
            if (path.ends_with("_host.h")) host += "#include \"" + path + "\"\n";
        std::string entries;
        for (const LadderSource& source : sources_) {
            const LadderHostCode code = host_code_of(
                source.file, source.path, source.declaration.tiles, source.declaration.pads);
            host += code.code;
            entries += code.entry;
        }
        return host +
               "}  // namespace\n\nstd::span<const LadderFile> ladder_files() {\n"
               "    static constexpr LadderFile kernels[] = {\n" +
               entries + "    };\n    return kernels;\n}\n\n" + kCapture +
               "}  // namespace tilereel\n";
    }

    fs::path folder_;
    std::vector<LadderSource> sources_;
    Status status_ = Done{};
};

int run(const fs::path& folder, const std::vector<std::string>& files) {
    std::vector<LadderSource> sources;
    std::vector<std::string> headers;
    for (const std::string& path : files) {
        if (path.ends_with(".h")) {
            headers.push_back(path);
            continue;
        }
        Result<LadderSource> source = read_source(path);
        if (!source) {
            std::fprintf(stderr, "%s\n", source.error().message.c_str());
            return 1;
        }
        sources.push_back(*std::move(source));
    }
    const Status written = LadderWriter(folder, std::move(sources)).write(headers);
    if (written) return 0;
    std::fprintf(stderr, "%s\n", written.error().message.c_str());
    return 1;
}

}  // namespace
}  // namespace tilereel

int main(int count, char** argument) {
    if (count < 3) return 2;
    return tilereel::run(argument[1], {argument + 2, argument + count});
}
