# cmake -DOUTPUT=... -DCOMPILER=... -DRECORDERS=75:a.ptx,90:b.ptx -DLADDER=75:c.ptx,80:d.ptx -P embed_ptx.cmake
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

# Rows of EmbeddedPtx, and how many there are: "75:a.ptx,80:b.ptx".
function(table list rows count)
    set(text "")
    set(number 0)
    string(REPLACE "," ";" list "${list}")
    foreach(each IN LISTS list)
        string(REGEX MATCH "^([0-9]+)a?:(.*)$" ignored "${each}")
        set(capability ${CMAKE_MATCH_1})
        literal("${CMAKE_MATCH_2}" ptx)
        string(APPEND text "    {${capability},${ptx}},\n")
        math(EXPR number "${number} + 1")
    endforeach()
    if(number EQUAL 0)
        set(text "    {0, \"\"},\n")
    endif()
    set(${rows} "${text}" PARENT_SCOPE)
    set(${count} ${number} PARENT_SCOPE)
endfunction()

table("${LADDER}" rows count)
table("${RECORDERS}" recorders recorder_count)
string(REGEX MATCH "^[0-9]+\\.[0-9]+" version "${COMPILER}")
file(WRITE "${OUTPUT}" "#include \"app/ladder/ladder_ptx.h\"

namespace tilereel {

const EmbeddedPtx kEmbeddedPtx[] = {\n${rows}};
const unsigned kEmbeddedPtxCount = ${count};
const EmbeddedPtx kEmbeddedRecorders[] = {\n${recorders}};
const unsigned kEmbeddedRecorderCount = ${recorder_count};
const std::string_view kEmbeddedPtxCompiler = \"nvcc ${version}\";

}  // namespace tilereel
")
