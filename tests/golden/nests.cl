// In which kernels may work-items leave a loop around another one in different rounds, or part behind a loop on one way
// of a branch that all take alike?
#define K(name) __kernel void name(__global float *o, __global const float *x, __global const int *p, int m)
#define INNER for (int j = 0; j < 8; j++) v += x[i]
#define BEGIN int i = get_global_id(0); float v = x[i + 1000]
#define END   o[i] = v
K(break_behind) { BEGIN; for (int k = 0; k < 3; k++) { INNER; if (v > 1) break; } END; }
K(return_behind) { BEGIN; for (int k = 0; k < m; k++) { INNER; o[i] = v; if (p[i] > k) return; } }
K(break_two_out) { BEGIN; for (int k = 0; k < m; k++) for (int q = 0; q < m; q++) { INNER; if (v > 1) break; } END; }
K(test_at_end) { BEGIN; int n = p[i]; do { INNER; v *= 0.5f; } while (--n > 0); END; }
K(flag) { BEGIN; int more = 1; for (int k = 0; k < 5 && more; k++) { INNER; if (v > 1) more = 0; } END; }
K(counts_by_choice) { BEGIN; for (int k = 0; k < 30;) { for (int j = 0; j < m; j++, k++) v += x[i]; if (v > 1) k += 3; } END; }
K(counter_of_before) { BEGIN; int n = 0; while (v > 1) { v *= 0.5f; n++; } for (int k = 0; k != n; k++) { INNER; if (k + n > m) break; } END; }
K(memory_in_common) { BEGIN; for (int k = 0; k < 5; k++) { INNER; if (o[0] > k) break; } END; }
K(converges) { BEGIN; while (fabs(v) > 1e-3f) { for (int j = 0; j < 3; j++) v *= 0.5f; } END; }
K(from_an_id) { BEGIN; for (int k = i & 3; k < m; k++) { INNER; } END; }
K(way) { BEGIN; if (m > 3) { INNER; if (v > 1) v -= 1; } o[i + 9] = v; if (v > 2) v = exp(v); END; }
K(way_back) { BEGIN; if (m > 3) { INNER; if (v > 1) return; } END; }
// A loop of which a test may come first: who makes no round goes on as is known of him, past the branch behind it
K(flag_behind) { BEGIN; int f = 0; float w = 0; for (int k = 0; k < m; k++) if (v < k) { w = sin(v); f = 1; } if (f) v += w; END; }
K(flag_without) { BEGIN; int f = 0; for (int k = 0; k < m; k++) if (x[i + k] < 1) f = 1; if (f) v += 5; END; }
K(flag_and_more) { BEGIN; int f = 0; for (int k = 0; k < m; k++) if (x[i + k] < 1) f = 1; if (f && x[i] > v) v = exp(v); END; }
K(index_behind) { BEGIN; int w = -1; for (int k = 0; k < m; k++) if (x[i + k] > 1) w = k; o[i] = w < 0 ? v : exp(x[i + w]); }
K(passed_by) { BEGIN; int f = 0; if (m > 3) { for (int k = 0; k < m; k++) f |= x[i + k] < 1; if (p[0] > 2) o[i + 9] = v; } if (f) v = exp(v); END; }
// All leave together, or the first test of one of the loops shows it
K(first_test) { BEGIN; for (int k = 0; k < p[i]; k++) { INNER; v *= 0.5f; } END; }
K(rows) { BEGIN; for (int k = p[i]; k < p[i + 1]; k++) { INNER; if (v > 1) break; } END; }
K(window) { BEGIN; for (int k = max(i - 2, 0); k < min(i + 3, m); k++) for (int j = max(i - 2, 0); j < min(i + 3, m); j++) v += x[j]; END; }
K(same_for_all) { BEGIN; if (i >= m) return; for (int k = 0; k < m; k++) { INNER; if (k * k > m) break; v *= 2; } END; }
K(guard_inside) { BEGIN; for (int k = 0; k < m; k++) { if (x[i + k] > 1) v += 1; INNER; if (v > 1) v -= 1; } END; }
K(under_choice) { BEGIN; if (v > 1) { for (int k = 0; k < m; k++) { INNER; v *= 2; } } else v = 1; END; }
K(counter_behind) { BEGIN; int k = 0; do { INNER; } while (++k < m); END; }
K(inner_break) { BEGIN; for (int k = 0; k < m; k++) { for (int j = 0; j < 8; j++) { v += x[i]; if (v > 1) break; } v *= 2; } END; }
K(meet_on_the_way) { BEGIN; if (m > 3) { INNER; if (v > 1) v = exp(v); o[i + 9] = v; } if (v > 2) v = exp(v); END; }
K(before_the_loop) { BEGIN; if (m > 3) { if (v > 1) v = exp(v); INNER; } if (v > 2) v = exp(v); END; }
K(always_a_round) { BEGIN; int f = 0; for (int k = 0; k < 40; k++) if (x[i + k] < 1) f = 1; if (f) v = exp(v); END; }
K(limit_behind) { BEGIN; for (int k = 0; k < m; k++) v += x[i + k]; o[i] = v > 2 ? 2 : v; }
K(unknown_behind) { BEGIN; float s = 0; for (int k = 0; k < m; k++) s += x[i + k]; if (s > v) v = exp(v); END; }
K(rounds_of_each) { BEGIN; int f = 0; for (int k = 0; k < p[i]; k++) if (x[i + k] < 1) f = 1; if (f) v = exp(v); END; }
K(least_of_rows) { BEGIN; float best = 3; for (int r = 0; r < 9; r++) { float s = v; for (int k = 0; k < m; k++) s += x[r + k]; if (s < best) best = s; } o[i] = best; }
K(way_of_each) { BEGIN; if (p[i] > 3) { INNER; if (v > 1) v -= 1; } if (v > 2) v = exp(v); END; }
K(one_loop) { BEGIN; for (int k = 0; k < 300; k++) { v += x[i]; if (v > 1) break; } END; }
// Not all come to the inner loop, or ids end it, and no compiler can think otherwise
#define NEST for (int k = 0; k < 3; k++) { INNER; if (v > 1) break; }
K(guard) { BEGIN; if (i >= m || m > 99) return; NEST END; }
K(guard_of_two) { BEGIN; if (v > 0 && i < 1000) { NEST } END; }
K(guard_of_flag) { BEGIN; int f = 0; if (i < m) { for (int k = 0; k < m; k++) if (x[i + k] < 1) f = 1; if (f) v = exp(v); } END; }
K(rows_from_id) { BEGIN; for (uint k = i; k < m; k += get_global_size(0)) { INNER; if (v > 1) break; } END; }
K(rows_around) { BEGIN; for (int r = i + 1; r < m; r += 9) NEST END; }
K(triangle) { BEGIN; for (int k = 0; k <= i; k++) { INNER; } END; }
K(as_many_as_more) { BEGIN; for (int k = 0; k < 3; k++) { for (int j = 0; j < i + m; j++) v += x[i]; if (v > 1) break; } END; }
// It is known that all do, or may be known, or they come by another way
K(always_one) { BEGIN; for (int k = 0; k < (i & 7) + 1; k++) { INNER; } END; }
K(always_none) { BEGIN; for (size_t k = 0; k <= get_global_id(0); k++) { INNER; } END; }
K(small_ids) { BEGIN; for (int k = (short)i; k < 40000; k += m) { INNER; } END; }
K(small_counts) { BEGIN; for (int k = 0; k <= ((__global const uchar *)p)[i]; k++) { INNER; } END; }
K(guard_of_bits) { BEGIN; if ((i & 3) < (m & 3) + 4) { NEST } END; }
K(guard_of_limit) { BEGIN; if (i <= m) { NEST } END; } // all, if m is told to a compiler and large
K(guard_of_stored) { BEGIN; __global int *q = (__global int *)o; q[i] = 3; if (q[i + m] < 9) { NEST } END; }
K(guard_of_others) { BEGIN; if (m < 9 && i > 3) return; NEST END; }
K(guard_before) { BEGIN; if (i < m) o[i + 9] = 1; NEST END; }
K(guard_in_loop) { BEGIN; for (int r = 0;; r++) { o[i + r] = 1; if (i < r) break; } NEST END; }
K(guard_assumed) { BEGIN; __builtin_assume(i < m); if (i < m) { NEST } END; }
K(start_chosen) { BEGIN; for (int r = i < m ? i : m - 1; r < m; r += 9) NEST END; }
K(as_many_as_local) { BEGIN; for (int k = 0; k < 3; k++) { for (int j = 0; j < get_local_id(2) + 8; j++) v += x[i]; if (v > 1) break; } END; }
K(as_many_as_rest) { BEGIN; for (int k = 0; k < 3; k++) { for (int j = 0; j < i % m + 8; j++) v += x[i]; if (v > 1) break; } END; } // m of 1 may be told
K(as_many_as_bits) { BEGIN; for (int k = 0; k < 3; k++) { for (int j = 0; j < popcount(i) / 64 + 8; j++) v += x[i]; if (v > 1) break; } END; }
// >>> kernel break_behind
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel return_behind
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes, read
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*3 store.global.4
// >>>   cost: fadd
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel break_two_out
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel test_at_end
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes, read
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*3 store.global.4
// >>>   cost: fadd fmul
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel flag
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel counts_by_choice
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel counter_of_before
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd*2 fmul
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel memory_in_common
// >>>   arg o: float*, buffer, global, 8 bytes, read, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*3 store.global.4
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 A
// >>>   not I: reads-what-it-writes
// >>>   not U: data-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel converges
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fadd*2 fmul
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel from_an_id
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: position-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel way
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4*2
// >>>   cost: fadd*4 special
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel way_back
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel flag_behind
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fadd*2 special
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel flag_without
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 I A U
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel flag_and_more
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*3 store.global.4
// >>>   cost: fadd*2 special
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel index_behind
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*3 store.global.4
// >>>   cost: fadd special
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel passed_by
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes, read
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*3 store.global.4*2
// >>>   cost: fadd special
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel first_test
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes, read
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*3 store.global.4
// >>>   cost: fadd fmul
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   ids below: 2^31
// >>> kernel rows
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes, read
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*4 store.global.4
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   ids below: 2^31
// >>> kernel window
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: position-dependent-work
// >>>   ids below: 2^31
// >>> kernel same_for_all
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd fmul
// >>>   proved: S O0 O1 O2 I A U
// >>>   ids below: 2^31
// >>> kernel guard_inside
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*3 store.global.4
// >>>   cost: fadd*5
// >>>   proved: S O0 O1 O2 I A U
// >>>   ids below: 2^31
// >>> kernel under_choice
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd*2 fmul
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   ids below: 2^31
// >>> kernel counter_behind
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd
// >>>   proved: S O0 O1 O2 I A U
// >>>   ids below: 2^31
// >>> kernel inner_break
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd*2 fmul
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   ids below: 2^31
// >>> kernel meet_on_the_way
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4*2
// >>>   cost: fadd*3 special*2
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   ids below: 2^31
// >>> kernel before_the_loop
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd*3 special*2
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   ids below: 2^31
// >>> kernel always_a_round
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd special
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   ids below: 2^31
// >>> kernel limit_behind
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 I A U
// >>>   ids below: 2^31
// >>> kernel unknown_behind
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd*2 special
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   ids below: 2^31
// >>> kernel rounds_of_each
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes, read
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*3 store.global.4
// >>>   cost: fadd special
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   ids below: 2^31
// >>> kernel least_of_rows
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 I A U
// >>>   ids below: 2^31
// >>> kernel way_of_each
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes, read
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*3 store.global.4
// >>>   cost: fadd*4 special
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   ids below: 2^31
// >>> kernel one_loop
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   ids below: 2^31
// >>> kernel guard
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   ids below: 2^31
// >>> kernel guard_of_two
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd*3
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   ids below: 2^31
// >>> kernel guard_of_flag
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd special
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   ids below: 2^31
// >>> kernel rows_from_id
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0) global_size(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd*2
// >>>   proved: S O1 O2 I A
// >>>   not O0: global-size-observed
// >>>   not U: position-dependent-work
// >>>   ids below: 2^31
// >>> kernel rows_around
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: position-dependent-work
// >>>   ids below: 2^31
// >>> kernel triangle
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: position-dependent-work
// >>>   ids below: 2^31
// >>> kernel as_many_as_more
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: position-dependent-work
// >>>   ids below: 2^31
// >>> kernel always_one
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: position-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel always_none
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: position-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel small_ids
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: position-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel small_counts
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes, read
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.1 load.global.4*2 store.global.4
// >>>   cost: fadd
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel guard_of_bits
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel guard_of_limit
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel guard_of_stored
// >>>   arg o: float*, buffer, global, 8 bytes, read, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*3 store.global.4*2
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 A
// >>>   not I: reads-what-it-writes
// >>>   not U: data-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel guard_of_others
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel guard_before
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4*2
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel guard_in_loop
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4*2
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: position-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel guard_assumed
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: fence load.global.4*2 store.global.4
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel start_chosen
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: position-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel as_many_as_local
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0) local_id(2)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd*2
// >>>   proved: O0 O1 O2 I A
// >>>   not S: local-id-observed
// >>>   not U: position-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel as_many_as_rest
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: position-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
// >>> kernel as_many_as_bits
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg x: float*, buffer, global, 8 bytes, read
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg m: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: position-dependent-work
// >>>   work-items part around or behind a loop
// >>>   ids below: 2^31
