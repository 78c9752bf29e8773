#pragma once
// Macros in place of __host__, __device__ and __global__, which many libraries define so that the
// same header serves without nvcc:
//
//   #ifdef __CUDACC__
//   #define HD __host__ __device__
//   #else
//   #define HD
//   #endif
//   HD float half(float x) { return x / 2; }
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tilereel::program {

struct Specifiers {
    bool host = false, device = false, kernel = false;
    [[nodiscard]] bool any() const { return host || device || kernel; }
};

class SpecifierMacros {
  public:
    // Adds the macros without parameters that the text defines. `masked`: masked_text() of a file.
    void add_text(std::string_view masked);
    // Adds a definition of the compiler's command: "HD=__host__ __device__".
    void add_option(std::string_view definition);
    // Works out what each macro stands for, through other macros. Where a macro has several
    // definitions, all of them count: which one holds is not known.
    void resolve();
    // What the word stands for: __host__, __device__, __global__, or a macro.
    [[nodiscard]] Specifiers of(std::string_view word) const;
    [[nodiscard]] bool empty() const { return found_.empty(); }

  private:
    void add(std::string_view name, std::string_view body);

    std::unordered_map<std::string, std::vector<std::string>> users_;  // macros, by word of a body
    std::map<std::string, Specifiers, std::less<>> found_;
};

// A line that begins with #define, with the lines that continue it. `name`: of a macro without
// parameters; empty: of another one.
struct MacroDefinition {
    std::size_t end = 0;  // where the line ends
    std::string_view name{}, body{};
};
// The definition whose # stands at `at`; its end is `at` if there is none.
[[nodiscard]] MacroDefinition macro_definition_at(std::string_view masked, std::size_t at);

}  // namespace tilereel::program
