#include "kernels/writer/ladder_host_code.h"

#include "kernels/input_type.h"
#include "kernels/instance_text.h"

namespace tilereel {
namespace {

constexpr const char* kAnyValue =
    "[[maybe_unused]] std::int64_t TILE, [[maybe_unused]] std::int64_t PAD";

std::string launch_by_shape(std::string_view, std::string_view configuration) {
    return "launch_shape(" + std::string(configuration) + ")(";
}

// The parameters of the launch function.
std::string matrices_of(const KernelFileText& file) {
    return "const " + file.element + "* A, const " + file.element +
           "* B, float* C, int M, int N, int K";
}

// The entry of the table that calls it with matrices of any type.
std::string untyped_launch(const KernelFileText& file) {
    const auto typed = [&](const char* matrix) {
        return "static_cast<const " + file.element + "*>(" + matrix + ")";
    };
    return "[](int tile, int pad, const void* a, const void* b, float* c, int m, int n, int k) {\n"
           "        " +
           file.space + "::launch_with(tile, pad, " + typed("a") + ", " + typed("b") +
           ", c, m, n, k);\n     }";
}

std::string listed(const std::vector<int>& values) {
    std::string list;
    for (const int value : values) list += (list.empty() ? "" : ", ") + std::to_string(value);
    return list;
}

// Statements that add up the bytes of the kernel's static shared arrays.
std::string bytes_statements(const KernelFileText& file) {
    std::string code = "    std::int64_t bytes = 0;\n";
    for (const KernelFileText::Declaration& each : file.shared) {
        using Kind = KernelFileText::Declaration::Kind;
        if (each.kind == Kind::kUsing) code += "    " + each.text + ";\n";
        if (each.kind == Kind::kConstant)
            code += "    [[maybe_unused]] const std::int64_t " + each.text + ";\n";
        if (each.kind != Kind::kArray) continue;
        code += "    bytes += std::int64_t{sizeof(" + each.text + ")}";
        for (const std::string& extent : each.extents) code += " * (" + extent + ")";
        code += ";\n";
    }
    return code + "    return bytes;\n";
}

// Statements that list the arrays. Barriers (uint64_t) hold no values.
std::string array_statements(const KernelFileText& file) {
    std::string code = "    std::vector<DeclaredArray> arrays;\n";
    for (const KernelFileText::Declaration& each : file.shared) {
        using Kind = KernelFileText::Declaration::Kind;
        if (each.kind == Kind::kUsing) code += "    " + each.text + ";\n";
        if (each.kind == Kind::kConstant)
            code += "    [[maybe_unused]] const std::int64_t " + each.text + ";\n";
        if (each.kind != Kind::kArray || each.text == "uint64_t") continue;
        code += "    arrays.push_back({\"" + each.array + "\", InputType::" +
                (each.text == cuda_name(InputType::kBfloat16) ? "kBfloat16" : "kFloat32") + ", {";
        for (const std::string& extent : each.extents)
            code += "static_cast<std::uint32_t>(" + extent + "), ";
        code += "}});\n";
    }
    return code + "    return arrays;\n";
}

// The launch function, without calls that a capture ignores.
std::string launch_function(const std::string& host, const std::string& name) {
    std::string launch = host.substr(host.find("void launch_" + name + "("));
    for (std::size_t at = 0; (at = launch.find("cudaFuncSet")) != launch.npos;)
        launch.erase(at, launch.find(';', at) - at);
    return launch;
}

// The launch function as a function of int TILE and int PAD instead of a template.
std::string with_parameters(std::string host, const std::string& name) {
    const std::string begin = "void launch_" + name + "(";
    const std::size_t at = host.find(begin);
    host.insert(at + begin.size(), "int TILE, int PAD, ");
    const std::size_t head = host.rfind("template <", at);
    if (head != host.npos && host.find_first_not_of(" \n", host.find('>', head) + 1) == at)
        host.erase(head, host.find('>', head) + 1 - head);
    return host + "\nconstexpr auto launch_with = launch_" + name + ";\n";
}

}  // namespace

LadderHostCode host_code_of(const KernelFileText& file, const std::string& path,
                            const std::vector<int>& tiles, const std::vector<int>& pads) {
    std::string host = with_launches(file.host_code, launch_by_shape);
    std::string bytes = bytes_statements(file), arrays = array_statements(file);
    const std::string launch = launch_function(host, file.name);
    const bool needs_constants =
        launch.find("<TILE") != launch.npos || launch.find("<PAD") != launch.npos;
    if (needs_constants) {
        // Each function takes TILE and PAD as numbers, and calls the instantiation for these among
        // the built-in ones.
        std::string calls, calls_for_bytes, calls_for_arrays;
        for (const int tile : tiles)
            for (const int pad : pads) {
                const std::string when = "    if (TILE == " + std::to_string(tile) +
                                         " && PAD == " + std::to_string(pad) + ") return";
                const std::string both = instance_text("<TILE, PAD>();\n", tile, pad);
                calls += when + " launch_" + file.name + instance_text(file.arguments, tile, pad) +
                         "(A, B, C, M, N, K);\n";
                calls_for_bytes += when + " shared_bytes_of" + both;
                calls_for_arrays += when + " shared_arrays_of" + both;
            }
        host += "\nvoid launch_with(int TILE, int PAD, " + matrices_of(file) + ") {\n" + calls +
                "}\ntemplate <int TILE, int PAD>\nstd::int64_t shared_bytes_of() {\n" + bytes +
                "}\ntemplate <int TILE, int PAD>\n" +
                "std::vector<DeclaredArray> shared_arrays_of() {\n" + arrays + "}\n";
        bytes = calls_for_bytes + "    return 0;\n";
        arrays = calls_for_arrays + "    return {};\n";
    } else {
        host = with_parameters(std::move(host), file.name);
    }
    const auto flag = [](bool value) { return value ? "true" : "false"; };
    const bool takes_tile = file.has_tile && !needs_constants;
    const bool fixed_block = !takes_tile || file.kernel_arguments.find("TILE") != std::string::npos;
    return {.code = "namespace " + file.space + " {\nconstexpr int kTiles[] = {" + listed(tiles) +
                    "};\nconstexpr int kPads[] = {" + listed(pads) + "};\n#line 1 \"" + path +
                    "\"\n" + host + "\nstd::int64_t shared_bytes(" + kAnyValue + ") {\n" + bytes +
                    "}\nstd::vector<DeclaredArray> shared_arrays(" + kAnyValue + ") {\n" + arrays +
                    "}\n}\n",
            .entry = "    {\"" + file.stem + "\", " + file.space + "::kTiles, " + file.space +
                     "::kPads, " + flag(takes_tile) + ", " +
                     flag(file.has_pad && !needs_constants) + ", " + flag(fixed_block) +
                     ",\n     " +
                     (file.element == cuda_name(InputType::kFloat32) ? "InputType::kFloat32"
                                                                     : "InputType::kBfloat16") +
                     ", " + untyped_launch(file) + ", " + file.space + "::shared_bytes,\n     " +
                     file.space + "::shared_arrays, \"" + file.kernel + file.kernel_arguments +
                     "\", \"launch_" + file.name + file.arguments + "\"},\n"};
}

}  // namespace tilereel
