# The helper executable clsizer-analyze: the only part that needs LLVM.
#
# Any LLVM from 15 to 22 with its clang will do; set CLSIZER_LLVM to choose among several.
set(CLSIZER_LLVM "" CACHE STRING "LLVM major version for clsizer-analyze (15 to 22); empty: the first found")
set(CLSIZER_CLANG_AT "" CACHE STRING "Where clang will be when clsizer-analyze runs; empty: where it is now")
set(versions 15 16 17 18 19 20 21 22)
if(CLSIZER_LLVM)
  set(versions ${CLSIZER_LLVM})
endif()
foreach(version ${versions})
  # From 18 on the first release of LLVM n is n.1, and a request for n does not match it.
  foreach(release ${version} ${version}.1)
    if(NOT LLVM_FOUND)
      find_package(LLVM ${release} QUIET CONFIG HINTS /usr/lib/llvm-${version} /usr/lib64/llvm${version})
    endif()
  endforeach()
  if(NOT LLVM_FOUND)
    continue()
  endif()
  # The front end must write the bitcode version that the library reads.
  unset(CLSIZER_CLANG CACHE)
  find_program(CLSIZER_CLANG NAMES clang clang-${version} HINTS ${LLVM_TOOLS_BINARY_DIR} NO_DEFAULT_PATH)
  if(NOT CLSIZER_CLANG)
    find_program(CLSIZER_CLANG NAMES clang-${version})
  endif()
  if(CLSIZER_CLANG AND TARGET LLVM)
    break()
  endif()
  unset(LLVM_FOUND)
  unset(LLVM_DIR CACHE)
endforeach()
if(NOT LLVM_FOUND OR NOT CLSIZER_CLANG)
  message(FATAL_ERROR "clsizer-analyze needs LLVM 15 to 22 and its clang (Debian: llvm-15-dev clang-15)")
endif()
message(STATUS "clsizer-analyze: LLVM ${LLVM_PACKAGE_VERSION}, ${CLSIZER_CLANG}")

# Linked into the helper, LLVM costs little at its start; as a shared library 15 ms or so, of the processors that the
# application's kernels run on.
option(CLSIZER_LLVM_ARCHIVES "Link LLVM's archives into clsizer-analyze, where they are installed" ON)
set(llvm LLVM)
set(archives)
if(CLSIZER_LLVM_ARCHIVES AND TARGET LLVMCore)
  llvm_map_components_to_libnames(archives core irreader linker passes)
  # LLVM names its own libraries as targets, also those that are not installed here (zstd::libzstd_shared): CMake stops at
  # such a name, where it would only try whether a missing file links.
  foreach(archive ${archives} LLVMSupport)
    get_target_property(needed ${archive} INTERFACE_LINK_LIBRARIES)
    string(REGEX MATCHALL "[A-Za-z0-9_]+::[A-Za-z0-9_]+" needed "${needed}")
    foreach(library ${needed})
      if(NOT TARGET ${library})
        message(STATUS "clsizer-analyze: no archives of LLVM, as they need ${library}")
        set(archives)
      endif()
    endforeach()
  endforeach()
endif()
if(archives)
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_INCLUDES ${LLVM_INCLUDE_DIRS})
  set(CMAKE_REQUIRED_LIBRARIES ${archives} stdc++ m)
  set(checked CLSIZER_LLVM_${LLVM_VERSION_MAJOR}_ARCHIVES_LINK) # remembered; another LLVM is asked anew
  check_c_source_compiles("#include <llvm-c/Core.h>\nint main(void) { LLVMDisposeMessage(0); return 0; }" ${checked})
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
  if(${checked})
    set(llvm ${archives} stdc++)
  endif()
endif()

# Programs from SPIR-V are analysed where the translator of the same LLVM is there (Debian: llvm-spirv-15).
string(REGEX MATCH "^[0-9]+" llvm_major ${LLVM_PACKAGE_VERSION})
find_program(CLSIZER_SPIRV NAMES llvm-spirv-${llvm_major} HINTS ${LLVM_TOOLS_BINARY_DIR})
if(CLSIZER_SPIRV)
  message(STATUS "clsizer-analyze: SPIR-V by ${CLSIZER_SPIRV}")
endif()

add_executable(clsizer-analyze
  # the program
  emit.c main.c verdict.c
  # from a request to bitcode
  source/buildopts.c source/c_words.c source/child.c source/clang_args.c source/frontend.c source/from_c.c source/headers.c source/included.c
  source/link.c source/macros.c source/region.c source/spirv.c
  # from bitcode to other OpenCL C
  rewrite/agree.c rewrite/arguments.c rewrite/calls.c rewrite/contract.c rewrite/expression.c rewrite/flow.c rewrite/graph.c rewrite/ids.c rewrite/lines.c rewrite/masks.c
  rewrite/heads.c rewrite/interleaved.c rewrite/memory.c rewrite/parting.c rewrite/pointee.c rewrite/pointer.c rewrite/rewrite.c rewrite/rows.c rewrite/shape.c rewrite/sign.c rewrite/spelling.c
  rewrite/tables.c rewrite/variables.c rewrite/vectors.c
  # from bitcode to summaries
  lower/builtins.c lower/calls.c lower/emit.c lower/expand.c lower/fold.c lower/flags.c lower/ir.c lower/liveness.c lower/lower.c lower/lower_arith.c
  lower/lower_call.c lower/lower_insn.c lower/lower_quotient.c lower/lower_range.c lower/lower_nan.c lower/lower_alias.c lower/lower_signature.c
  lower/lower_undef.c lower/lower_value.c lower/prepare.c lower/stack.c lower/table.c lower/unset.c)
target_include_directories(clsizer-analyze SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
target_compile_definitions(clsizer-analyze PRIVATE CLSIZER_CLANG="$<IF:$<BOOL:${CLSIZER_CLANG_AT}>,${CLSIZER_CLANG_AT},${CLSIZER_CLANG}>")
if(CLSIZER_SPIRV)
  target_compile_definitions(clsizer-analyze PRIVATE CLSIZER_SPIRV="${CLSIZER_SPIRV}")
endif()
target_link_libraries(clsizer-analyze PRIVATE clsizer_facts clsizer_select ${llvm} m)
install(TARGETS clsizer-analyze RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/clsizer)
