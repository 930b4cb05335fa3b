/* cores.h - how many cores the process may use. */
#pragma once

/* CPU seconds per second that the control groups of the process allow, as files below `root` ("" for the
 * system's) say: proc/self/cgroup, and sys/fs/cgroup/.../cpu.max or, of older systems, cpu.cfs_quota_us.  The
 * least of its own group and those above; HUGE_VAL if there is no limit or nothing can be read. */
double cores_quota(const char *root);

/* Cores that the process may use, as the first call finds: those that it may run on (sched_getaffinity()), no
 * more than the quota.  Fewer than one where a container gets but a part of one; one if nothing may be asked
 * (util_confined()). */
double cores_allowed(void);
