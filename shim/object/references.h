/* references.h - which memory objects, samplers and allocations the application may have let go of. */
#pragma once

/* The application takes another reference to a memory object or sampler, or lets go of one.  Counted per slot
 * of a table, by a hash of the handle: other handles may share the slot, and once one of them was retained
 * each of their releases counts as that of a last reference, which costs a proof at worst. */
void ref_retained(const void *handle);
void ref_released(const void *handle);

/* How often a last reference in the handle's slot was, or may have been, given up.  When that differs from
 * what it was when an argument was set, its object may be gone. */
unsigned ref_gone(const void *handle);

/* How many references in the handle's slot were given up, of all objects together: while that stays the same,
 * the handle is the same object's. */
unsigned ref_releases(const void *handle);
