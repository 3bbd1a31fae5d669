// Imports every module of a wheel in Pyodide's Python; fails where one misses anything but a library.
import { readFileSync } from "node:fs";
import { loadPyodide } from "pyodide";

const python = await loadPyodide();
python.FS.writeFile("/tmp/entropeg.whl", readFileSync(process.argv[2]));
process.exitCode = python.runPython(`
import importlib, sys, zipfile

LIBRARIES = {"numpy", "click", "rich", "numba", "matplotlib", "fastapi", "starlette", "uvicorn", "h11", "pydantic", "cryptography",
    "platformdirs", "ortools", "polars", "dask", "distributed", "psutil"}
wheel = zipfile.ZipFile("/tmp/entropeg.whl")
wheel.extractall("/tmp/site")
sys.path.insert(0, "/tmp/site")
modules = sorted(
    name[:-3].replace("/", ".").removesuffix(".__init__")
    for name in wheel.namelist() if name.startswith("entropeg/") and name.endswith(".py")
)
lacking, wrong = {}, {}
for name in modules:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        library = str(error.name).partition(".")[0]
        (lacking if library in LIBRARIES else wrong).setdefault(str(error), []).append(name)
    except BaseException as error:
        wrong.setdefault(f"{type(error).__name__}: {error}", []).append(name)
imported = len(modules) - sum(map(len, [*lacking.values(), *wrong.values()]))
print(f"pyodide: Python {sys.version.split()[0]} ({sys.platform}) imports {imported} of {len(modules)} modules")
for reason, names in [*lacking.items(), *wrong.items()]:
    print(f"pyodide: {reason}: {len(names)} modules, as {names[0]}")
int(bool(wrong) or imported < 50)
`);
