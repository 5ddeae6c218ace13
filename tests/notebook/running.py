"""How a notebook is executed: by an interpreter that has Jupyter, with nothing of the user's folders."""
import json
import os
import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77
NEEDED = ["nbclient", "nbformat", "ipykernel", "numpy"]
PACKAGE = pathlib.Path(__file__).resolve().parents[2] / "python"
KERNEL = "kiln-test"


def can_run_notebooks(python):
    command = [python, "-c", f"import {', '.join(NEEDED)}"]
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def become_python_with_jupyter():
    """The python3 on the PATH may be one that does not see Debian's packages: then the system's own goes on."""
    candidates = [sys.executable, shutil.which("python3"), "/usr/bin/python3"]
    found = next((each for each in candidates if each and os.path.exists(each) and can_run_notebooks(each)), None)
    if found is None:
        print(f"skipped: no Python that has {', '.join(NEEDED)}: install python3-nbclient, python3-ipykernel and "
              "python3-numpy")
        sys.exit(SKIPPED)
    if found != sys.executable:
        os.execv(found, [found, *sys.argv])


def use_folder(folder):
    """Jupyter's and IPython's own folders are in this one from here on, and so is the kernel that notebooks run in.
    HOME stays, as a `python3` that is chosen by files there would be another one without them."""
    for variable in ["IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"]:
        os.environ[variable] = str(folder / variable.lower())
        pathlib.Path(os.environ[variable]).mkdir(mode=0o700)
    os.environ["JUPYTER_PATH"] = str(folder)
    kernel = folder / "kernels" / KERNEL
    kernel.mkdir(parents=True)
    spec = {
        "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": "Kiln's tests",
        "language": "python",
        "env": {"PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": "1",
                "PYDEVD_DISABLE_FILE_VALIDATION": "1"},
    }
    (kernel / "kernel.json").write_text(json.dumps(spec))


def execute(notebook, folder):
    """Runs the cells in `folder`, also behind one that fails, and puts their outputs into the notebook."""
    from nbclient import NotebookClient
    from traitlets.config import Config

    # Sockets of files: no port of the machine is used. Their paths begin with `ip`.
    config = Config({"KernelManager": {"transport": "ipc", "ip": f"{os.environ['JUPYTER_RUNTIME_DIR']}/ipc"}})
    NotebookClient(notebook, kernel_name=KERNEL, timeout=300, allow_errors=True, config=config,
                   resources={"metadata": {"path": str(folder)}}).execute()
