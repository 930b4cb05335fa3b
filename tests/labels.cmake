# label_tests(): give each test of this directory the label that its name begins with, for ctest -L; those that need no
# OpenCL program to run, and so are quick, get `quick` as well.
function(label_tests)
  get_property(tests DIRECTORY PROPERTY TESTS)
  foreach(test ${tests})
    string(REGEX MATCH "^[a-z0-9_]+" label ${test})
    set(labels ${label})
    if(label MATCHES "^(unit|golden|static|corpus|analyze|drivers_script|launcher|manual|predict)$")
      list(APPEND labels quick)
    endif()
    set_property(TEST ${test} PROPERTY LABELS ${labels})
  endforeach()
endfunction()
