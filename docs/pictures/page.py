"""Draw docs/pictures/page.png: the page of an exported search at a cutoff, in Chromium."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from gamesearch.cli import run

TREE = "[[3,12,8],[2,4,6],[14,5,2]]"
CUTOFF = 17  # the number of the step
SIZE = "1000,700"


def main() -> None:
    """Export a search, open its page at the first cutoff, and take a screenshot."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))))
    with tempfile.TemporaryDirectory() as folder:
        trace, page = Path(folder) / "lecture.trace", Path(folder) / "lecture.html"
        run(["analyze", TREE, "--trace", str(trace)])
        run(["export", str(trace), "--to", str(page)])
        picture = Path(__file__).with_name("page.png")
        options = ["--headless", "--no-sandbox", "--hide-scrollbars", f"--window-size={SIZE}"]
        options.append(f"--screenshot={picture}")
        subprocess.run([browser, *options, f"{page.as_uri()}#step={CUTOFF}"], check=True, capture_output=True)


if __name__ == "__main__":
    main()
