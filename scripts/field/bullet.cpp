/* bullet.cpp - boxes and balls that fall on one another, with Bullet 3's pipeline: other kernels per way to find pairs.
 * Build: -I/usr/include/bullet -lBullet3OpenCL_clew -lBullet3Dynamics -lBullet3Collision -lBullet3Geometry -lBullet3Common -lOpenCL */
#include <cstdio>
#include "Bullet3Collision/BroadPhaseCollision/b3DynamicBvhBroadphase.h"
#include "Bullet3Collision/NarrowPhaseCollision/b3Config.h"
#include "Bullet3Collision/NarrowPhaseCollision/shared/b3RigidBodyData.h"
#include "Bullet3OpenCL/BroadphaseCollision/b3GpuGridBroadphase.h"
#include "Bullet3OpenCL/BroadphaseCollision/b3GpuParallelLinearBvhBroadphase.h"
#include "Bullet3OpenCL/BroadphaseCollision/b3GpuSapBroadphase.h"
#include "Bullet3OpenCL/RigidBody/b3GpuNarrowPhase.h"
#include "Bullet3OpenCL/RigidBody/b3GpuRigidBodyPipeline.h"

#define SIDE  8
#define STEPS 60

extern bool useBullet2CpuSolver, gUseJacobi;
int b3OpenCLUtils_clewInit();

static unsigned sum(const void *from, size_t n)
{
    unsigned h = 2166136261u;

    for (const unsigned char *c = (const unsigned char *)from; n--; c++)
        h = (h ^ *c) * 16777619u;
    return h;
}

static void fall(cl_context c, cl_device_id d, cl_command_queue q, b3GpuBroadphaseInterface *pairs)
{
    b3Config most;
    b3GpuNarrowPhase *narrow = new b3GpuNarrowPhase(c, d, q, most);
    b3GpuRigidBodyPipeline *all = new b3GpuRigidBodyPipeline(
        c, d, q, narrow, pairs, new b3DynamicBvhBroadphase(most.m_maxConvexBodies), most);
    const float one[4] = {1, 1, 1, 1}, wide[4] = {100, 1, 100, 1}, upright[4] = {0, 0, 0, 1}, below[4] = {0, -1, 0, 0};
    float cube[8][4];
    int n = 0;

    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 4; k++)
            cube[i][k] = k == 3 ? 0 : i >> k & 1 ? 1 : -1;
    const int box = narrow->registerConvexHullShape(cube[0], 16, 8, one), ball = narrow->registerSphereShape(1),
              ground = narrow->registerConvexHullShape(cube[0], 16, 8, wide);
    all->registerPhysicsInstance(0, below, upright, ground, n++, false);
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        const int x = i % SIDE, y = i / SIDE % SIDE, z = i / SIDE / SIDE;
        const float at[4] = {2.1f * x + 0.013f * (i % 7), 2.3f * y + 1, 2.1f * z + 0.017f * (i % 5), 0};
        all->registerPhysicsInstance(1, at, upright, (x + y + z) % 5 ? box : ball, n++, false);
    }
    all->writeAllInstancesToGpu();
    narrow->writeAllBodiesToGpu();
    pairs->writeAabbsToGpu();
    for (int s = 0; s < STEPS; s++) {
        all->stepSimulation(1 / 60.f);
        narrow->readbackAllBodiesToCpu();
        const b3RigidBodyData *b = narrow->getBodiesCpu();
        printf("%d %08x %.9g\n", s, sum(b, n * sizeof *b), b[n / 2].m_pos.y);
    }
}

int main(void)
{
    cl_platform_id p;
    cl_device_id d;

    b3OpenCLUtils_clewInit();
    if (clGetPlatformIDs(1, &p, NULL) || clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 1, &d, NULL))
        return 1;
    cl_context c = clCreateContext(NULL, 1, &d, NULL, NULL, NULL);
    cl_command_queue q = clCreateCommandQueue(c, d, 0, NULL);

    useBullet2CpuSolver = false;
    fall(c, d, q, new b3GpuGridBroadphase(c, d, q));
    fall(c, d, q, new b3GpuSapBroadphase(c, d, q));
    gUseJacobi = true;
    fall(c, d, q, new b3GpuGridBroadphase(c, d, q));
    return 0;
}
