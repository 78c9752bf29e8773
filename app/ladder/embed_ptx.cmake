# cmake -DOUTPUT=... -DCOMPILER=... -DRECORDER=recorder.ptx -DLADDER=75:a.ptx,80:b.ptx -P embed_ptx.cmake
# Writes a C++ source with PTX as text. Without LADDER there is none.
function(literal path out)
    file(READ "${path}" content)
    string(LENGTH "${content}" length)
    set(text "")
    # Compilers limit the length of one literal.
    foreach(at RANGE 0 ${length} 60000)
        string(SUBSTRING "${content}" ${at} 60000 part)
        string(APPEND text "\n     R\"ptx~(${part})ptx~\"")
    endforeach()
    set(${out} "${text}" PARENT_SCOPE)
endfunction()

set(rows "")
set(count 0)
set(recorder "\"\"")
if(LADDER)
    string(REPLACE "," ";" ladder "${LADDER}")
    foreach(each IN LISTS ladder)
        string(REGEX MATCH "^([0-9]+)a?:(.*)$" ignored "${each}")
        set(capability ${CMAKE_MATCH_1})
        literal("${CMAKE_MATCH_2}" text)
        string(APPEND rows "    {${capability},${text}},\n")
        math(EXPR count "${count} + 1")
    endforeach()
    literal("${RECORDER}" recorder)
else()
    set(rows "    {0, \"\"},\n")
endif()
string(REGEX MATCH "^[0-9]+\\.[0-9]+" version "${COMPILER}")
file(WRITE "${OUTPUT}" "#include \"app/ladder/ladder_ptx.h\"

namespace tilereel {

const EmbeddedPtx kEmbeddedPtx[] = {\n${rows}};
const unsigned kEmbeddedPtxCount = ${count};
const std::string_view kEmbeddedRecorderPtx = ${recorder};
const std::string_view kEmbeddedPtxCompiler = \"nvcc ${version}\";

}  // namespace tilereel
")
