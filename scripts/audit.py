"""Known weaknesses of the packages that the site runs on, asked of PyPI's advisory service.

Fails where it names one. Where the service does not answer, says 'not audited' and no more: whoever
has no such service can still build.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        locked, found = Path(folder, "requirements.txt"), Path(folder, "found.json")
        export = [".uv/bin/uv", "export", "--frozen", "--no-dev", "--no-hashes", "--quiet"]
        subprocess.run([*export, "--output-file", locked], check=True, stdout=subprocess.DEVNULL)
        audit = subprocess.run(
            [sys.executable, "-m", "pip_audit", "--strict", "--no-deps", "--disable-pip",
             "--progress-spinner", "off", "--requirement", locked, "--format", "json",
             "--output", found],
            capture_output=True,
            text=True,
            check=False,
        )  # fmt: skip
        if not found.exists():
            reason = (audit.stderr.strip() or "no answer").splitlines()[-1]
            print(f"not audited: {reason}")
            return 0
        weak = [d for d in json.loads(found.read_text())["dependencies"] if d.get("vulns")]
    for package in weak:
        names = ", ".join(weakness["id"] for weakness in package["vulns"])
        print(f"{package['name']} {package['version']}: {names}")
    print(f"audited: {len(weak)} packages with known weaknesses")
    return 1 if weak else 0


if __name__ == "__main__":
    sys.exit(main())
