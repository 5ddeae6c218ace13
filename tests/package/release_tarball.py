"""packaging/release.sh makes the same bytes in whatever surroundings, and all that git has is in them.

    release_tarball.py REPOSITORY"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

SURROUNDINGS = [
    {"TZ": "Asia/Tokyo", "LC_ALL": "C"},
    {"TZ": "America/St_Johns", "LC_ALL": "de_DE.UTF-8"},
]
UMASKS = [0o022, 0o077]


def git(repository, *arguments):
    return subprocess.run(["git", "-C", repository, *arguments], capture_output=True, text=True)


def make(repository, folder, surroundings, umask, home):
    """With settings of a user's that would change the files' modes and line ends."""
    home.mkdir()
    (home / ".gitconfig").write_text(f"[tar]\n\tumask = {umask:04o}\n[core]\n\tautocrlf = true\n"
                                     "[safe]\n\tdirectory = *\n")
    environment = {**os.environ, **surroundings, "HOME": str(home)}
    subprocess.run([repository / "packaging/release.sh", folder], check=True, env=environment, umask=umask,
                   stdout=subprocess.DEVNULL)
    return next(folder.glob("*.tar.gz"))


def faults(repository, tarballs):
    if tarballs[0].read_bytes() != tarballs[1].read_bytes():
        yield f"{' and '.join(map(str, tarballs))} differ"
    name = tarballs[0].name.removesuffix(".tar.gz")
    version = re.search(r"version: '(.*)'", git(repository, "show", "HEAD:meson.build").stdout)[1]
    if name != f"kiln-{version}":
        yield f"the tarball is {name}, and the version {version}"
    time = int(git(repository, "show", "-s", "--format=%ct", "HEAD").stdout)
    modes = {"100644": 0o644, "100755": 0o755, "120000": 0o777}
    entries = [line.split(None, 3) for line in git(repository, "ls-tree", "-rz", "HEAD").stdout.split("\0") if line]
    wanted = {f"{name}/{path}": modes[mode] for mode, _, _, path in entries}
    with tarfile.open(tarballs[0]) as tar:
        files = [member for member in tar if not member.isdir()]
    found = {member.name: member.mode for member in files}
    yield from (f"{path} is missing, or of another mode" for path in wanted if found.get(path) != wanted[path])
    yield from (f"{path} is not git's" for path in found.keys() - wanted.keys())
    if {(member.uid, member.gid, member.mtime) for member in files} != {(0, 0, time)}:
        yield "owners or times are not root's and the commit's"


def main(repository):
    if not shutil.which("git") or git(repository, "rev-parse", "HEAD").returncode != 0:
        print("skipped: needs git, and a repository")
        return 77
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        # The second one in another place, of a checkout that has no more than the script.
        copy = scratch / "a copy"
        subprocess.run(["git", "clone", "--quiet", "--shared", "--no-checkout", repository, copy], check=True)
        subprocess.run(["git", "-C", copy, "checkout", "--quiet", "HEAD", "packaging/release.sh"], check=True)
        tarballs = [make(place, scratch / f"out {number}", SURROUNDINGS[number], UMASKS[number],
                         scratch / f"home {number}") for number, place in enumerate([repository, copy])]
        found = list(faults(repository, tarballs))
        print("\n".join(found) or f"{tarballs[0].name}, {tarballs[0].stat().st_size} bytes, twice the same")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
