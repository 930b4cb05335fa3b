# cmake -DOUT=FILE.c -DDEVS=a.dev;b.dev -P embed.cmake: turns device descriptions into C.  What follows the kind of
# provenance stays in the sources: the library carries this text into every process.
set(arrays "")
set(table "")
set(i 0)

# The value of a key that holds a name, as a C string: "" when absent.
function(name_of key text out)
  string(REGEX MATCH "\n${key} = [^#\n]*" line "\n${text}")
  string(REGEX REPLACE "^\n${key} = " "" value "${line}")
  string(STRIP "${value}" value)
  set(${out} "\"${value}\"" PARENT_SCOPE)
endfunction()

foreach(dev ${DEVS})
  get_filename_component(file ${dev} NAME_WE)
  file(READ ${dev} text)
  string(REGEX REPLACE "\n#[^\n]*" "\n" text "\n${text}")
  string(REGEX REPLACE " *# *(datasheet|measured|assumed)[^\n]*" " # \\1" text "${text}")
  name_of(name "${text}" name)
  name_of(driver_name "${text}" driver_name)
  string(HEX "${text}" hex)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "((0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,))" "\\1\n" bytes "${bytes}")
  string(APPEND arrays "static const unsigned char text${i}[] = {\n${bytes}\n};\n")
  string(APPEND table "    {\"${file}\", ${name}, ${driver_name}, (const char *)text${i}, sizeof text${i}},\n")
  math(EXPR i "${i} + 1")
endforeach()
file(WRITE ${OUT} "/* Made by devices/embed.cmake; do not edit. */\n#include \"devices/embedded.h\"\n\n${arrays}
const struct dev_text dev_texts[] = {\n${table}};\nconst unsigned dev_text_count = ${i};\n")
