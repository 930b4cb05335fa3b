/* ASL (Advanced Simulation Library): diffusion between two spheres, 200 steps.  Writes the field to files.
   Build: -std=c++14 -I/usr/include/ASL -laslacl -laslnum -laslcommon -lasl -laslvtk -lOpenCL */
#include <aslDataInc.h>
#include <aslGeomInc.h>
#include <math/aslTemplates.h>
#include <num/aslBasicBC.h>
#include <num/aslFDAdvectionDiffusion.h>
#include <utilities/aslParametersManager.h>
#include <writers/aslVTKFormatWriters.h>

using asl::makeAVec;

int main(int argc, char *argv[])
{
    asl::ApplicationParametersManager parameters("diffusion", "1.0");
    parameters.load(argc, argv);

    asl::Block block(makeAVec(50, 50, 50), 1.);
    const asl::AVec<> middle(.5 * asl::AVec<>(block.getSize()));
    auto inner = normalize(generateDFSphere(10, middle + makeAVec(.2, .1, .3)), 1.);
    auto outer = normalize(-generateDFSphere(24, middle), 1.);
    auto inside = asl::generateDataContainerACL_SP<float>(block, 1, 1u);
    auto outside = asl::generateDataContainerACL_SP<float>(block, 1, 1u);
    auto field = asl::generateDataContainerACL_SP<float>(block, 1, 1u);
    asl::initData(inside, inner);
    asl::initData(outside, outer);
    asl::initData(field, 0.);

    auto step = generateFDAdvectionDiffusion(field, .15, &asl::d3q15());
    step->init();
    std::vector<asl::SPNumMethod> borders{asl::generateBCConstantValue(field, 1, inside),
                                          asl::generateBCConstantValue(field, 0, outside)};
    initAll(borders);

    asl::WriterVTKXML writer("field");
    writer.addScalars("inside", *inside);
    writer.addScalars("field", *field);
    for (unsigned i = 0; i < 200; i++) {
        executeAll(borders);
        step->execute();
        if (i % 50 == 49)
            writer.write();
    }
    return 0;
}
