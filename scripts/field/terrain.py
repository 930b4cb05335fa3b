"""QGIS's analysis of a terrain on OpenCL: slope, aspect, hillshade, ruggedness, curvature.  Prints checksums."""
import ctypes
import glob

import numpy as np
from made import show
from osgeo import gdal
from qgis import analysis
from qgis.core import QgsApplication, QgsSettings

ROWS, COLUMNS, NOTHING = 100, 2057, -9999

QgsApplication.setPrefixPath("/usr", True)
application = QgsApplication([], False)
application.initQgis()
QgsSettings().setValue("core/OpenClEnabled", True)

# Where the kernels are, which only QGIS's window says; Python cannot.
text, path = ctypes.c_void_p(), b"/usr/share/qgis/resources/opencl_programs"
ctypes.CDLL("libQt5Core.so.5")._ZN7QString15fromUtf8_helperEPKci(ctypes.byref(text), path, len(path))
core = ctypes.CDLL(glob.glob("/usr/lib/libqgis_core.so.3.*")[0])
core._ZN14QgsOpenClUtils13setSourcePathERK7QString(ctypes.byref(text))

y, x = np.mgrid[0:ROWS, 0:COLUMNS].astype(np.float32)
heights = 100 * np.sin(x / 37) * np.cos(y / 23) + 20 * np.sin(x * y / 5000)
heights[5:9, 5:9] = NOTHING
terrain = gdal.GetDriverByName("GTiff").Create("terrain.tif", COLUMNS, ROWS, 1, gdal.GDT_Float32)
terrain.SetGeoTransform((0, 10, 0, 0, 0, -10))
terrain.GetRasterBand(1).SetNoDataValue(NOTHING)
terrain.GetRasterBand(1).WriteArray(heights)
terrain = None

for name in "Slope", "Aspect", "Hillshade", "Ruggedness", "TotalCurvature":
    for _ in range(3):
        light = [300.0, 40.0] if name == "Hillshade" else []
        kind = getattr(analysis, f"Qgs{name}Filter")
        status = kind("terrain.tif", name + ".tif", "GTiff", *light).processRaster(None)
    show(name, status, gdal.Open(name + ".tif").ReadAsArray())
application.exitQgis()
