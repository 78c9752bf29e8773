#include "app/race/runners/own_kernel.h"

#include <algorithm>
#include <array>
#include <sstream>

#include "app/race/runners/shared_library.h"

namespace tilereel {
namespace {

constexpr std::array<const char*, 5> kTypes = {"float32", "float64", "float16", "bfloat16",
                                               "exact"};  // by OwnType
constexpr std::size_t kMostArrays = 64;

// "x float32 4 r 1 1" for each array. Empty: it is damaged.
std::vector<OwnArray> arrays_of(const std::string& text) {
    std::vector<OwnArray> arrays;
    std::istringstream lines(text);
    std::string type, use;
    for (OwnArray array; lines >> array.name >> type >> array.element_bytes >> use >>
                         array.read_share >> array.written_share;) {
        const auto* const found = std::ranges::find(kTypes, type);
        const auto is_share = [](double share) { return share > 0 && share <= 1; };
        if (found == kTypes.end() || array.element_bytes == 0 || arrays.size() == kMostArrays ||
            !is_share(array.read_share) || !is_share(array.written_share))
            return {};
        array.type = static_cast<OwnType>(found - kTypes.begin());
        array.read = use.find('r') != std::string::npos;
        array.written = use.find('w') != std::string::npos;
        arrays.push_back(array);
    }
    return arrays;
}

Result<OwnWork> work_of(const SharedLibrary& library) {
    using Text = const char*();
    using Numbers = const int*();
    OwnWork work;
    Text* arrays = nullptr;
    Numbers* numbers = nullptr;
    const std::byte *data = nullptr, *end = nullptr;
    TRY(library.find("tilereel_work_arrays", arrays));
    TRY(library.find("tilereel_work_numbers", numbers));
    TRY(library.find("tilereel_work_elements", work.elements));
    TRY(library.find("tilereel_work_launch", work.launch));
    TRY(library.find("tilereel_work_data", data));
    TRY(library.find("tilereel_work_data_end", end));
    work.arrays = arrays_of(arrays());
    work.recorded_n = numbers()[0];
    work.multiple = numbers()[1];
    work.dimensions = numbers()[2];
    if (work.arrays.empty() || work.recorded_n < 1 || work.multiple < 1 || data > end)
        return failed("damaged");
    work.data = {data, end};
    return work;
}

}  // namespace

const char* name_of(OwnType type) { return kTypes[static_cast<std::size_t>(type)]; }

double bytes_at(const OwnWork& work, int n) {
    double bytes = 0;
    for (std::size_t i = 0; i < work.arrays.size(); ++i) {
        const OwnArray& array = work.arrays[i];
        const double elements = std::max(0.0, double(work.elements(static_cast<int>(i), n)));
        const double shares =
            (array.read ? array.read_share : 0) + (array.written ? array.written_share : 0);
        bytes += elements * array.element_bytes * shares;
    }
    return bytes;
}

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
    const Error foreign = failed(library.string() +
                                 " is no kernel to race; tilereel race FILE.cu --library writes "
                                 "one");
    for (const Status& found :
         {opened->find("tilereel_own_name", name), opened->find("tilereel_own_call", call)})
        if (!found) return foreign;
    kernel.name = name();
    kernel.call = call();
    const Error damaged = failed(library.string() + " is damaged; compile it again");
    if (!is_own({kernel.name})) return damaged;
    if (Text* arrays = nullptr; opened->find("tilereel_work_arrays", arrays)) {
        Result<OwnWork> work = work_of(*opened);
        if (!work) return damaged;
        kernel.work = *std::move(work);
        return kernel;
    }
    for (const Status& found : {opened->find("tilereel_own_multiples", multiples),
                                opened->find("tilereel_own_launch", kernel.launch)})
        if (!found) return foreign;
    const int* const numbers = multiples();
    kernel.rows = numbers[0];
    kernel.columns = numbers[1];
    kernel.depth = numbers[2];
    kernel.square = numbers[3] != 0;
    if (kernel.rows <= 0 || kernel.columns <= 0 || kernel.depth <= 0) return damaged;
    return kernel;
}

Status takes(const OwnKernel& kernel, const ProductSize& size) {
    if (kernel.work) {
        if (size.n % kernel.work->multiple == 0) return Done{};
        return wrong_call(kernel.name + " races at multiples of " +
                          std::to_string(kernel.work->multiple));
    }
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
