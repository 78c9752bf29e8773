#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "instrumentation/trace/file/trace_file.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel::tests::npy_matrix_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

template <class T>
std::string bytes_of(std::initializer_list<T> values) {
    std::string bytes(values.size() * sizeof(T), '\0');
    std::memcpy(bytes.data(), std::data(values), bytes.size());
    return bytes;
}

// A .npy file of version `major`.0 with this header and this data.
std::string npy(int major, const std::string& header, const std::string& data) {
    std::string file = "\x93NUMPY";
    file += {static_cast<char>(major), '\0'};
    const auto size = static_cast<std::uint32_t>(header.size());
    for (int byte = 0; byte < (major == 1 ? 2 : 4); ++byte)
        file += static_cast<char>(size >> (8 * byte) & 0xff);
    return file + header + data;
}

const std::string kTwoByTwo = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }\n";
const std::string kFourFloats = bytes_of<float>({1, 2, 3, 4.5f});

class NpyMatrix : public ::testing::Test {
  protected:
    Result<Matrix> read(const std::string& bytes) {
        write_bytes(folder_ / "m.npy", bytes);
        return read_npy_matrix(folder_ / "m.npy");
    }
    void expect_refused(const std::string& sentence, const std::string& bytes) {
        const auto matrix = read(bytes);
        ASSERT_FALSE(matrix) << sentence;
        EXPECT_EQ(matrix.error().kind, ErrorKind::kWrongCall);
        EXPECT_THAT(matrix.error().message, HasSubstr(sentence));
        EXPECT_THAT(matrix.error().message, Not(HasSubstr("\n")));
    }
    ScratchFolder folder_;
};

TEST_F(NpyMatrix, EveryVersionIsRead) {
    for (const int major : {1, 2, 3}) {
        const auto matrix = read(npy(major, kTwoByTwo, kFourFloats));
        ASSERT_TRUE(matrix) << matrix.error().message;
        EXPECT_EQ(matrix->rows, 2u);
        EXPECT_EQ(matrix->columns, 2u);
        EXPECT_THAT(matrix->values, ElementsAre(1, 2, 3, 4.5f));
    }
    expect_refused("version 4.0", npy(4, kTwoByTwo, kFourFloats));
}

TEST_F(NpyMatrix, HeadersMayBeWrittenInOtherWays) {
    for (const char* header :
         {"{\"shape\":(2,2),\"fortran_order\":False,\"descr\":\"<f4\"}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 2L)}   \n",
          "{ 'shape' : ( 2 , 2 , ) , 'fortran_order':False, 'descr':'<f4' , }"}) {
        const auto matrix = read(npy(1, header, kFourFloats));
        EXPECT_TRUE(matrix) << header << matrix.error().message;
    }
}

TEST_F(NpyMatrix, DoublesBecomeFloats) {
    const auto matrix = read(npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }",
                                 bytes_of({0.5, 0.1})));
    ASSERT_TRUE(matrix) << matrix.error().message;
    EXPECT_THAT(matrix->values, ElementsAre(0.5f, 0.1f));
    expect_refused("is infinite, NaN or too large for float32",
                   npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }",
                       bytes_of({0.5, 1e300})));
}

TEST_F(NpyMatrix, OneDimensionIsOneRow) {
    const auto matrix =
        read(npy(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (4,), }", kFourFloats));
    ASSERT_TRUE(matrix) << matrix.error().message;
    EXPECT_EQ(matrix->rows, 1u);
    EXPECT_EQ(matrix->columns, 4u);
}

TEST_F(NpyMatrix, OtherArraysAreRefused) {
    const auto with = [](const std::string& descr, const std::string& order,
                         const std::string& shape) {
        return npy(
            1, "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }",
            kFourFloats);
    };
    expect_refused("Python objects", with("'|O'", "False", "(2, 2)"));
    expect_refused("big-endian", with("'>f4'", "False", "(2, 2)"));
    expect_refused("not float32 or float64", with("'<i4'", "False", "(2, 2)"));
    expect_refused("not float32 or float64", with("'<f2'", "False", "(2, 2)"));
    expect_refused("with fields", with("[('x', '<f4')]", "False", "(4,)"));
    expect_refused("Fortran order", with("'<f4'", "True", "(2, 2)"));
    expect_refused("3 dimensions", with("'<f4'", "False", "(1, 2, 2)"));
    expect_refused("0 dimensions", with("'<f4'", "False", "()"));
    expect_refused("it is empty", with("'<f4'", "False", "(0, 4)"));
    expect_refused("larger than", with("'<f4'", "False", "(4294967296, 4294967296)"));
    expect_refused("larger than", with("'<f4'", "False", "(1000000, 1000000)"));
    expect_refused("promises", with("'<f4'", "False", "(20000, 20000)"));
    expect_refused("cannot be read", with("'<f4'", "False", "(2, -2)"));
    expect_refused("cannot be read", with("'<f4'", "Maybe", "(2, 2)"));
    expect_refused("cannot be read", with("'<f4', 'descr': '<f4'", "False", "(2, 2)"));
    expect_refused("cannot be read", with("'<f4', 'more': '<f4'", "False", "(2, 2)"));
    expect_refused("cannot be read", with("'<f4'", "False", "(99999999999999999999, 1)"));
}

TEST_F(NpyMatrix, DamagedFilesAreRefused) {
    const std::string good = npy(1, kTwoByTwo, kFourFloats);
    for (std::size_t size = 0; size < good.size(); ++size) {
        EXPECT_FALSE(read(good.substr(0, size))) << size;
    }
    expect_refused("promises", good + "x");
    expect_refused("no .npy file", "1,2,3\n4,5,6\n");
    expect_refused("far too long", std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12) + good);
}

TEST_F(NpyMatrix, NotANumberIsRefusedWithItsPlace) {
    expect_refused("element [1][0] is infinite, NaN or too large",
                   npy(1, kTwoByTwo, bytes_of<float>({1, 2, std::strtof("nan", nullptr), 4})));
    expect_refused("element [0][1]",
                   npy(1, kTwoByTwo, bytes_of<float>({1, -std::strtof("inf", nullptr), 3, 4})));
}

TEST_F(NpyMatrix, AMissingFileIsRefused) {
    EXPECT_THAT(read_npy_matrix(folder_ / "none.npy").error().message, HasSubstr("no such file"));
    EXPECT_THAT(read_npy_matrix(folder_.path()).error().message, HasSubstr("not a plain file"));
    EXPECT_THAT(read_npy_matrix("/dev/zero").error().message, HasSubstr("not a plain file"));
}

TEST_F(NpyMatrix, WhatNumpyWritesIsRead) {
    const std::string script = "/usr/bin/python3 -c \"import numpy; numpy.save('" +
                               (folder_ / "n.npy").string() +
                               "', numpy.arange(15).reshape(3, 5) / 4)\" 2>/dev/null";
    if (std::system(script.c_str()) != 0) GTEST_SKIP() << "python3 has no numpy";
    const auto matrix = read_npy_matrix(folder_ / "n.npy");
    ASSERT_TRUE(matrix) << matrix.error().message;
    EXPECT_EQ(matrix->rows, 3u);
    EXPECT_EQ(matrix->columns, 5u);
    for (std::size_t i = 0; i < 15; ++i) EXPECT_EQ(matrix->values[i], static_cast<float>(i) / 4);
}

}  // namespace
}  // namespace tilereel::tests::npy_matrix_test
