"""Run a page in a headless browser, driven by a script, and read the script's log."""

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest

__all__ = ["BROWSER", "driven", "needs_browser"]

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
needs_browser = pytest.mark.skipif(BROWSER is None, reason="Chromium, which runs the page, is not installed")
DRIVER = """
const log = [];
function press(...keys) {
  for (const key of keys) {
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  }
}
function tell() {
  const answer = document.createElement("pre");
  answer.textContent = JSON.stringify(log);
  document.body.replaceChildren(answer);
}
"""
REPLAY = """
const all = (query) => [...document.querySelectorAll(query)];
const words = (query) => all(query).map((each) => each.textContent);
function note() {
  log.push({
    count: words("#count")[0], sentence: words("#sentence")[0], rows: words("#tree .node"), cuts: words("#tree li.cut"),
    struck: words("#tree s"), path: words("#path")[0], board: words("#board")[0], facts: words("#facts dd"),
    current: words("[aria-current] > .node"), selected: words("[aria-selected=true] > .node"),
  });
}
"""


def driven(page: str, script: str, folder: Path, address: str = "", noting: str = REPLAY) -> Any:
    """Run a script on the page in a headless browser and return its log; `noting` is code that writes to the log."""
    file = folder / "page.html"
    driving = f"<script>{{{DRIVER}{noting}{script};tell()}}</script></body>"
    file.write_text(page.replace("</body>", driving), encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", f"--user-data-dir={folder / 'profile'}"]
    command = [str(BROWSER), *options, file.as_uri() + address]
    shown = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120, check=True).stdout
    return json.loads(unescape(re.findall("<pre>(.*)</pre>", shown, re.DOTALL)[0]))
