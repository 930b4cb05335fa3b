/* closed.h - how many times as fast a candidate would be, by the closed form: for CPUs, and where warps stay
 * as they are.  0: not known. */
#pragma once

#include "select/advise/subject.h"

/* If each group did the work of `times`, in the case `e`. */
double closed_occupied(const struct subject *s, const struct est_case *e, double times);

/* If the buffer that the access `insn` goes to were stored transposed: its rows are as long as neighbours
 * along dimension 0, who make the access, lie apart. */
double closed_transposed(const struct subject *s, uint32_t insn);
