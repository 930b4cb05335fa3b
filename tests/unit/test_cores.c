/* test_cores.c - how many cores the process may use (shim/guest/cores.c). */
#include "run_suite.h"
#include "shim/guest/cores.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static char root[] = "/tmp/clsizer-cores-XXXXXX";

/* Write a file below the root, with the directories above it. */
static void write_file(const char *name, const char *text)
{
    char path[256];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *slash = strchr(path + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
}

static void make_root(void)
{
    ck_assert_ptr_nonnull(mkdtemp(root));
}

static void remove_root(void)
{
    char command[64];

    snprintf(command, sizeof command, "rm -rf %s", root);
    ck_assert_int_eq(system(command), 0);
}

TEST_WITH(make_root, remove_root, no_files_are_no_quota)
{
    ck_assert_double_eq(cores_quota(root), HUGE_VAL);
    write_file("proc/self/cgroup", "0::/user.slice\n");
    ck_assert_double_eq(cores_quota(root), HUGE_VAL);
    write_file("proc/self/cgroup", "0\n:\n::\nno list at all\n7:cpu\n");
    ck_assert_double_eq(cores_quota(root), HUGE_VAL);
}

/* As where somebody has mounted one there: it is not waited for. */
TEST_WITH(make_root, remove_root, a_pipe_is_no_quota)
{
    char path[256];

    write_file("proc/self/stat", "");
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert_double_eq(cores_quota(root), HUGE_VAL);
}

TEST_WITH(make_root, remove_root, the_least_of_all_groups_above_counts)
{
    write_file("proc/self/cgroup", "0::/a.slice/b.service\n");
    write_file("sys/fs/cgroup/a.slice/b.service/cpu.max", "max 100000\n");
    ck_assert_double_eq(cores_quota(root), HUGE_VAL);
    write_file("sys/fs/cgroup/a.slice/cpu.max", "150000 100000\n");
    ck_assert_double_eq(cores_quota(root), 1.5);
    write_file("sys/fs/cgroup/a.slice/b.service/cpu.max", "25000 50000\n");
    ck_assert_double_eq(cores_quota(root), 0.5);
}

TEST_WITH(make_root, remove_root, a_container_sees_its_own_group_on_top)
{
    write_file("sys/fs/cgroup/cpu.max", "200000 100000\n");
    write_file("proc/self/cgroup", "0::/\n");
    ck_assert_double_eq(cores_quota(root), 2);
    write_file("proc/self/cgroup", "0::/../outside/0123\n");
    ck_assert_double_eq(cores_quota(root), 2);
}

TEST_WITH(make_root, remove_root, older_systems_have_other_files)
{
    write_file("proc/self/cgroup", "9:cpuset:/x\n4:cpuacct,cpu:/docker/12\n1:name=systemd:/y\n");
    write_file("sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "10000\n"); /* of cpuset's path, not of cpu's */
    write_file("sys/fs/cgroup/cpu/x/cpu.cfs_period_us", "100000\n");
    write_file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    write_file("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    ck_assert_double_eq(cores_quota(root), HUGE_VAL);
    write_file("sys/fs/cgroup/cpu/docker/12/cpu.cfs_quota_us", "300000\n");
    write_file("sys/fs/cgroup/cpu/docker/12/cpu.cfs_period_us", "100000\n");
    ck_assert_double_eq(cores_quota(root), 3);
}

TEST(at_least_a_part_of_a_core_is_allowed)
{
    ck_assert_double_gt(cores_allowed(), 0);
    ck_assert_double_lt(cores_allowed(), HUGE_VAL);
}

int main(void)
{
    return run_tests("cores", NULL, NULL);
}
