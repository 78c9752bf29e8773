#pragma once
// The pass over the text of a CUDA file: the only two things that g++ with our headers cannot read.
//   kernel<<<grid, block>>>(arguments)   becomes  TILEREEL_LAUNCH(kernel), grid, block)(arguments)
//   extern __shared__ float s[];         becomes  extern __dynamic_ float s[];
// Every line stays where it is. Comments, strings and raw strings are left alone.
#include <string>
#include <string_view>
#include <vector>

namespace tilereel::plain {

// A word of the file that stands for what we do not take.
struct NotTaken {
    std::string call;  // "tex2D"
    unsigned line = 0;
};

struct RewrittenText {
    std::string text;
    std::vector<NotTaken> not_taken;
};
[[nodiscard]] RewrittenText rewrite_launches(std::string_view text);

}  // namespace tilereel::plain
