#include "app/race/runners/own_kernel.h"

#include "app/race/runners/shared_library.h"

namespace tilereel {

Result<OwnKernel> open_own_kernel(const std::filesystem::path& library) {
    // With a slash, so that the loader does not search its folders.
    const Result<SharedLibrary> opened =
        SharedLibrary::open({std::filesystem::absolute(library).string()});
    if (!opened) return failed("cannot load " + library.string() + ": " + opened.error().message);
    using Text = const char*();
    using Numbers = const int*();
    Text *name = nullptr, *call = nullptr;
    Numbers* multiples = nullptr;
    OwnKernel kernel;
    for (const Status& found :
         {opened->find("tilereel_own_name", name), opened->find("tilereel_own_call", call),
          opened->find("tilereel_own_multiples", multiples),
          opened->find("tilereel_own_launch", kernel.launch)})
        if (!found)
            return failed(library.string() +
                          " is no kernel to race; tilereel race FILE.cu --library writes one");
    kernel.name = name();
    kernel.call = call();
    const int* const numbers = multiples();
    kernel.rows = numbers[0];
    kernel.columns = numbers[1];
    kernel.depth = numbers[2];
    kernel.square = numbers[3] != 0;
    const bool sound =
        is_own({kernel.name}) && kernel.rows > 0 && kernel.columns > 0 && kernel.depth > 0;
    if (!sound) return failed(library.string() + " is damaged; compile it again");
    return kernel;
}

Status takes(const OwnKernel& kernel, const ProductSize& size) {
    if (kernel.square && (size.m != size.n || size.n != size.k))
        return wrong_call(kernel.name + " has one parameter for M, N and K: race square products");
    const auto whole = [](int extent, int of) { return extent % of == 0; };
    if (whole(size.m, kernel.rows) && whole(size.n, kernel.columns) && whole(size.k, kernel.depth))
        return Done{};
    return wrong_call(kernel.name + " was recorded with whole tiles only: M a multiple of " +
                      std::to_string(kernel.rows) + ", N of " + std::to_string(kernel.columns) +
                      ", K of " + std::to_string(kernel.depth) + "; --call races it at any size");
}

}  // namespace tilereel
