#include "kernels/writer/kernel_file_text.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "kernels/input_type.h"

namespace tilereel {
namespace {

constexpr auto kNone = std::string_view::npos;

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\n'; }

// Whether `word` stands at `at` and no longer word contains it.
bool is_word_at(std::string_view text, std::size_t at, std::string_view word) {
    return text.substr(at).starts_with(word) && (at == 0 || !is_of_name(text[at - 1])) &&
           (at + word.size() == text.size() || !is_of_name(text[at + word.size()]));
}

std::string replaced(std::string text, std::string_view word, std::string_view by) {
    for (std::size_t at = 0; (at = text.find(word, at)) != kNone; at += by.size())
        text.replace(at, word.size(), by);
    return text;
}

// Without each part from `begin` to the end of its line.
std::string without_lines(std::string_view text, std::string_view begin) {
    std::string rest;
    while (true) {
        const std::size_t at = text.find(begin);
        rest += text.substr(0, at);
        if (at == kNone) return rest;
        text.remove_prefix(std::min(text.size(), text.find('\n', at)));
    }
}

std::string only_line_breaks(std::string_view text) {
    return std::string(static_cast<std::size_t>(std::ranges::count(text, '\n')), '\n');
}

// Replaces each paragraph of device code by empty lines.
std::string without_device_code(std::string text) {
    for (const std::string_view word : {"__global__", "__device__", "__constant__"})
        for (std::size_t at = 0; (at = text.find(word)) != kNone;) {
            const std::size_t paragraph = text.rfind("\n\n", at);
            const std::size_t begin = paragraph == kNone ? 0 : paragraph;
            // A function ends with a brace in the first column, a variable with a semicolon.
            const std::size_t parenthesis = text.find('(', at);
            const bool function =
                parenthesis != kNone && text.find_first_of(";{=", at) > parenthesis;
            const std::size_t last = function ? text.find("\n}", at) : text.find(';', at);
            const std::size_t end =
                last == kNone ? text.size() : last + (function ? std::size_t{2} : 1);
            text.replace(begin, end - begin,
                         only_line_breaks(std::string_view(text).substr(begin, end - begin)));
        }
    return text;
}

std::string text_without_device_code(std::string_view text) {
    std::string code = without_lines(text, "//");
    code = without_lines(code, "#include");
    code = without_lines(code, "#pragma");
    for (const std::string_view both : {"__host__ __device__", "__device__ __host__", "__host__"})
        code = replaced(std::move(code), both, "");
    return without_device_code(std::move(code));
}

// A launch in a text: where the kernel's name begins and where the arguments do.
struct FoundLaunch {
    std::size_t begin = 0, end = 0;
    std::string_view kernel{}, template_arguments{}, configuration{};
};

FoundLaunch launch_from(std::string_view text, std::size_t from) {
    FoundLaunch found{.begin = kNone};
    const std::size_t at = text.find("<<<", from);
    if (at == kNone) return found;
    const std::string_view statement = text.substr(0, text.find(';', at));
    const std::size_t close = statement.rfind(">>>(");
    std::size_t name_end = at;
    if (at > 0 && text[at - 1] == '>') name_end = text.rfind('<', at - 1);
    if (close == kNone || close < at || name_end == kNone) return found;
    std::size_t begin = name_end;
    while (begin > 0 && is_of_name(text[begin - 1])) --begin;
    found.kernel = text.substr(begin, name_end - begin);
    found.template_arguments = text.substr(name_end, at - name_end);
    found.configuration = text.substr(at + 3, close - at - 3);
    found.end = close + 4;
    if (begin < name_end) found.begin = begin;
    return found;
}

// The names of the template's parameters if `before` ends with a template head.
std::vector<std::string> template_parameters(std::string_view before) {
    while (!before.empty() && is_space(before.back())) before.remove_suffix(1);
    std::vector<std::string> names;
    constexpr std::string_view kHead = "template <";
    const std::size_t head = before.rfind(kHead);
    if (head == kNone || !before.ends_with('>') || before.find('>', head) != before.size() - 1)
        return names;
    std::string_view list = before.substr(head + kHead.size());
    list.remove_suffix(1);
    while (!list.empty()) {
        std::string_view each = list.substr(0, list.find(", "));
        list.remove_prefix(std::min(list.size(), each.size() + 2));
        if (each.starts_with("int ")) each.remove_prefix(4);
        names.emplace_back(each);
    }
    return names;
}

// The text between the braces of the kernel; empty if there is none.
std::string_view body_of_kernel(std::string_view code, std::string_view kernel) {
    for (std::size_t at = 0; (at = code.find("__global__", at)) != kNone; ++at) {
        const std::string_view head = code.substr(at, code.find_first_of(";{", at) - at);
        const std::size_t name = head.find(std::string(kernel) + "(");
        if (name == kNone || !is_word_at(head, name, kernel)) continue;
        const std::string_view body = code.substr(at + head.size());
        return body.substr(0, body.find("\n}"));
    }
    return {};
}

// "float As[TILE][TILE + PAD]"; false if it is no array of one type.
bool read_array(std::string_view text, KernelFileText::Declaration& array) {
    const std::string_view named = text.substr(0, text.find('['));
    const std::size_t space = named.rfind(' ');
    if (space == kNone ||
        !std::ranges::all_of(named, [](char c) { return is_of_name(c) || c == ' '; }))
        return false;
    array.text = named.substr(0, space);
    array.array = named.substr(space + 1);
    text.remove_prefix(named.size());
    while (!text.empty()) {
        const std::size_t end = text.find(']');
        if (text[0] != '[' || end == kNone) return false;
        array.extents.emplace_back(text.substr(1, end - 1));
        text.remove_prefix(end + 1);
    }
    return true;
}

// What the shared arrays of the kernel are made from, in the order of the text. kFailed: an array
// that is not declared by itself.
Result<std::vector<KernelFileText::Declaration>> shared_declarations(const std::string& path,
                                                                     std::string_view body) {
    using Declaration = KernelFileText::Declaration;
    struct Begin {
        std::string_view words;
        Declaration::Kind kind;
    };
    constexpr std::array<Begin, 3> kBegins = {{{"using ", Declaration::Kind::kUsing},
                                               {"constexpr int ", Declaration::Kind::kConstant},
                                               {"__shared__ ", Declaration::Kind::kArray}}};
    std::vector<Declaration> found;
    for (std::size_t at = 0; at < body.size(); ++at) {
        const auto begin = std::ranges::find_if(kBegins, [&](const Begin& each) {
            return body.substr(at).starts_with(each.words) &&
                   (at == 0 || !is_of_name(body[at - 1]));
        });
        if (begin == kBegins.end()) continue;
        const std::string_view statement = body.substr(at, body.find(';', at) - at);
        const std::string_view rest = statement.substr(begin->words.size());
        Declaration each{.kind = begin->kind};
        if (each.kind == Declaration::Kind::kUsing) {
            if (statement.find('=') == kNone) continue;
            each.text = statement;
        } else if (each.kind == Declaration::Kind::kConstant) {
            each.text = rest;
        } else if (body.substr(0, at).ends_with("extern ")) {
            continue;
        } else if (!read_array(rest, each)) {
            return failed(path + ": '" + std::string(statement) +
                          "' is no array of one type; declare each shared array by itself");
        }
        found.push_back(std::move(each));
        at += statement.size();
    }
    return found;
}

// The element type in the head of a launch function, "void launch_name(const float* A, ...": one
// that the ladder has, else empty.
std::string element_of_a(std::string_view head) {
    constexpr std::string_view kConst = "const ";
    std::string_view first = head.substr(head.find('(') + 1);
    while (!first.empty() && is_space(first.front())) first.remove_prefix(1);
    if (!first.starts_with(kConst)) return {};
    first.remove_prefix(kConst.size());
    for (const InputType type : {InputType::kFloat32, InputType::kBfloat16})
        if (first.starts_with(std::string(cuda_name(type)) + "* A"))
            return std::string(cuda_name(type));
    return {};
}

}  // namespace

std::string with_launches(std::string_view text,
                          std::string (*write)(std::string_view, std::string_view)) {
    std::string written;
    std::size_t at = 0;
    for (FoundLaunch found; (found = launch_from(text, at)).begin != kNone; at = found.end) {
        const std::size_t length = found.kernel.size() + found.template_arguments.size();
        written += text.substr(at, found.begin - at);
        written += write(text.substr(found.begin, length), found.configuration);
    }
    return written.append(text.substr(at));
}

Result<KernelFileText> read_kernel_file(const std::string& path, std::string_view text) {
    KernelFileText file;
    file.stem = path.substr(path.rfind('/') + 1);
    file.stem.resize(file.stem.rfind('.'));
    file.name = file.stem.substr(
        std::isdigit(static_cast<unsigned char>(file.stem[0])) != 0 ? file.stem.find('_') + 1 : 0);
    file.space = "rung_" + file.stem;
    const std::size_t at = text.find("void launch_" + file.name + "(");
    if (at == kNone)
        return failed(path + ": add the function that launches the kernel, void launch_" +
                      file.name +
                      "(const float* A, const float* B, float* C, int M, int N, int K)");
    for (const std::string& parameter : template_parameters(text.substr(0, at))) {
        file.has_tile = file.has_tile || parameter == "TILE";
        file.has_pad = file.has_pad || parameter == "PAD";
        if (parameter != "TILE" && parameter != "PAD")
            return failed(path + ": launch_" + file.name + " is a template of '" + parameter +
                          "'; use int TILE and int PAD only");
        file.arguments += (file.arguments.empty() ? "<" : ", ") + parameter;
    }
    if (!file.arguments.empty()) file.arguments += ">";
    file.element = element_of_a(text.substr(at));
    if (file.element.empty())
        return failed(path + ": launch_" + file.name +
                      " takes A and B as const float* or as const __nv_bfloat16*");
    const FoundLaunch launch = launch_from(text, at);
    if (launch.begin == kNone)
        return failed(path + ": launch_" + file.name +
                      " starts no kernel; write kernel<<<grid, block>>>");
    file.kernel = launch.kernel;
    file.kernel_arguments = launch.template_arguments;
    for (std::size_t line = 0; line < text.size();
         line = std::min(text.size(), text.find('\n', line)) + 1)
        if (const std::string_view rest = text.substr(line); rest.starts_with("#include "))
            file.includes.append("\n").append(rest.substr(0, rest.find('\n')));
    file.host_code = text_without_device_code(text);
    const std::string code = without_lines(text, "//");
    auto shared = TRY(shared_declarations(path, body_of_kernel(code, file.kernel)));
    file.shared = std::move(shared);
    return file;
}

}  // namespace tilereel
