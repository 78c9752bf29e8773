#include "app/own_kernel/own_source.h"

#include <algorithm>

#include "instrumentation/base/files/text_file.h"
#include "instrumentation/cuda/text/launch_text.h"
#include "instrumentation/cuda/text/text_words.h"

namespace tilereel {
namespace {

using program::is_space;
using program::is_word;

bool can_be_included(const std::string& path) {
    return std::ranges::none_of(path,
                                [](unsigned char c) { return c < ' ' || c == '"' || c == '\\'; });
}

bool is_name(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, is_word) && (text[0] < '0' || text[0] > '9');
}

std::size_t back_over_space(std::string_view text, std::size_t at) {
    while (at > 0 && is_space(text[at - 1])) --at;
    return at;
}

// The word that ends before `at`, white space left out.
std::string_view word_before(std::string_view text, std::size_t at) {
    const std::size_t end = back_over_space(text, at);
    std::size_t begin = end;
    while (begin > 0 && is_word(text[begin - 1])) --begin;
    return text.substr(begin, end - begin);
}

// How a name is used at a place of the file.
enum class Use { kNone, kMacro, kConstant, kTemplate };

struct Place {
    Use use = Use::kNone;
    std::size_t begin = 0, end = 0;  // of its value
};

// `masked`: the text without comments and literals. `at`: of the name.
Place place_of(std::string_view masked, std::string_view name, std::size_t at) {
    const std::size_t after = at + name.size();
    if (word_before(masked, at) == "define") {
        const std::size_t end = std::min(masked.find('\n', after), masked.size());
        const bool function = after < masked.size() && masked[after] == '(';
        return function ? Place{} : Place{Use::kMacro, after, end};
    }
    const std::size_t sign = program::skip_space(masked, after);
    if (sign >= masked.size() || masked[sign] != '=' || masked.substr(sign, 2) == "==") {
        // template <int TILE>
        const std::size_t open = masked.rfind('<', at);
        const bool parameter = open != std::string_view::npos && sign < masked.size() &&
                               (masked[sign] == '>' || masked[sign] == ',') &&
                               word_before(masked, open) == "template";
        return {parameter ? Use::kTemplate : Use::kNone};
    }
    const std::size_t statement = masked.substr(0, at).find_last_of(";{}");
    const std::string_view before =
        masked.substr(statement == std::string_view::npos ? 0 : statement + 1,
                      at - (statement == std::string_view::npos ? 0 : statement + 1));
    if (before.find("template") != std::string_view::npos) return {Use::kTemplate};
    const bool constant = before.find("constexpr") != std::string_view::npos ||
                          before.find("const ") != std::string_view::npos ||
                          before.find("enum") != std::string_view::npos ||
                          (statement != std::string_view::npos && masked[statement] == '{' &&
                           masked.substr(0, statement).rfind("enum") != std::string_view::npos &&
                           back_over_space(masked, at) == statement + 1);
    if (!constant) return {};
    int depth = 0;
    std::size_t end = sign + 1;
    for (; end < masked.size(); ++end) {
        const char c = masked[end];
        if (depth == 0 && (c == ';' || c == ',' || c == '}')) break;
        depth += (c == '(' || c == '{' || c == '[') - (c == ')' || c == '}' || c == ']');
    }
    return {Use::kConstant, sign + 1, end};
}

struct Found {
    std::vector<Place> values;  // where its value is written
    bool is_used = false, is_template = false;
};

Found find(std::string_view text, std::string_view name) {
    const std::string masked = program::masked_text(text);
    Found found;
    program::for_each_word(masked, [&](std::string_view word, std::size_t at) {
        if (word != name) return;
        const Place place = place_of(masked, name, at);
        found.is_used = true;
        if (place.use == Use::kTemplate) found.is_template = true;
        if (place.use == Use::kMacro || place.use == Use::kConstant) found.values.push_back(place);
    });
    return found;
}

Result<std::string> own_text(const OwnSource& source) {
    const std::string text = read_text(source.file);
    if (text.empty())
        return failed("cannot read " + source.file.string() + "; is it there, and not empty?");
    return text;
}

}  // namespace

std::string literal(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c == '\n' ? ' ' : c;
    }
    return quoted + "\"";
}

std::string name_of(const OwnSource& source) {
    std::string name = source.file.filename().string();
    if (!source.value.first.empty()) name += " " + source.value.first + "=" + source.value.second;
    return name;
}

Result<std::vector<OwnSource>> with_values(const OwnSource& source, const std::string& values) {
    if (values.empty()) return std::vector<OwnSource>{source};
    const Error wrong = wrong_call("'" + values + "' is not NAME=VALUE,VALUE,... as in TILE=8,16");
    const std::size_t equals = values.find('=');
    if (equals == std::string::npos || !is_name(std::string_view(values).substr(0, equals)))
        return wrong;
    std::vector<OwnSource> sources;
    for (std::size_t begin = equals + 1; begin <= values.size();) {
        const std::size_t end = std::min(values.find(',', begin), values.size());
        OwnSource next = source;
        next.value = {values.substr(0, equals), values.substr(begin, end - begin)};
        const std::string& value = next.value.second;
        const auto is_of_value = [](char c) { return is_word(c) || c == '.' || c == '-'; };
        if (value.empty() || !std::ranges::all_of(value, is_of_value)) return wrong;
        if (std::ranges::find(sources, next) != sources.end())
            return wrong_call("'" + values + "' has " + value + " twice");
        sources.push_back(std::move(next));
        begin = end + 1;
    }
    return sources;
}

Result<std::string> with_value(std::string_view text, const std::string& name,
                               const std::string& value) {
    const Found found = find(text, name);
    std::string changed(text);
    for (auto place = found.values.rbegin(); place != found.values.rend(); ++place) {
        // Line ends within the old value stay, so that lines keep their numbers.
        const auto lines = static_cast<std::size_t>(
            std::count(changed.begin() + static_cast<std::ptrdiff_t>(place->begin),
                       changed.begin() + static_cast<std::ptrdiff_t>(place->end), '\n'));
        changed.replace(place->begin, place->end - place->begin,
                        " " + value + std::string(lines, '\n'));
    }
    if (!found.values.empty() || found.is_template) return changed;
    if (!found.is_used) return failed("the file has no macro or constant " + name);
    return "#define " + name + " " + value + "\n#line 1\n" + changed;
}

Result<std::string> text_of_source(const OwnSource& source, OwnText as) {
    const std::string path = std::filesystem::absolute(source.file).string();
    if (!can_be_included(path))
        return wrong_call(
            "the path of the file has a quotation mark, a backslash or a control "
            "character: rename it");
    std::string text = "#define main tilereel_users_main\n";
    const bool as_it_is = source.value.first.empty();
    if (as_it_is && as == OwnText::kIncluded) {
        text += "#include " + literal(path) + "\n";
    } else {
        std::string changed = TRY(own_text(source));
        if (!as_it_is) changed = TRY(with_value(changed, source.value.first, source.value.second));
        text += "#line 1 " + literal(path) + "\n" + changed + "\n#line 1 \"tilereel_launch.cu\"\n";
    }
    return text + "#undef main\n#include <cuda_runtime.h>\n";
}

Result<std::string> definition_after(const OwnSource& source) {
    if (source.value.first.empty()) return std::string();
    const std::string text = TRY(own_text(source));
    const Found found = find(text, source.value.first);
    if (!found.values.empty() || !found.is_template) return std::string();
    return "#define " + source.value.first + " " + source.value.second + "\n";
}

}  // namespace tilereel
