"""A person at Dagster's user interface: what they wait for, and where they click."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    StaleElementReferenceException,
)
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

SECONDS = 240
"""How long anything is waited for; a busy machine takes minutes to start Dagster."""
IN_GRAPH = "//*[name()='foreignObject']//*[text()='{}']"
"""A label in the drawn graph; such labels are not in the text of the page."""
SWITCH = "//label[.//input[@type='checkbox']]"
"""Switches a sensor or a schedule, on its own page."""
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
IN_THE_WAY = (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    StaleElementReferenceException,
)


class Page:
    """The page that the browser shows. Whatever is asked for is waited for."""

    def __init__(self, chromium: str, driver: str, profile: Path) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = chromium
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        self.chrome = webdriver.Chrome(options=options, service=Service(driver))
        self.size(1500, 900)

    def size(self, width: int, height: int) -> None:
        """Set the size of the window, in pixels."""
        self.chrome.set_window_size(width, height)

    def open(self, url: str, *texts: str) -> None:
        """Go to an address and wait for texts."""
        self.chrome.get(url)
        self.see(*texts)

    def text(self) -> str:
        """What is written on the page."""
        return self.chrome.find_element(By.TAG_NAME, "body").text

    def has(self, path: str) -> bool:
        """Whether there is such an element."""
        return bool(self.chrome.find_elements(By.XPATH, path))

    def see(self, *texts: str) -> None:
        """Wait until all texts are on the page."""
        self.wait(lambda: all(text in self.text() for text in texts), f"not on the page: {texts}")

    def wait(self, condition: Callable[[], bool], message: str) -> None:
        """Wait for a condition. A greeting that covers the page of a new browser is closed meanwhile."""

        def holds(_chrome: webdriver.Chrome) -> bool:
            for button in self.chrome.find_elements(By.XPATH, "//button[contains(., 'Skip')]"):
                button.click()
            return condition()

        waiting = WebDriverWait(self.chrome, SECONDS, ignored_exceptions=IN_THE_WAY)
        waiting.until(holds, message)

    def click(self, path: str) -> None:
        """Click the first such element once it is there and nothing covers it."""

        def clicked() -> bool:
            found = self.chrome.find_elements(By.XPATH, path)
            if found:
                found[0].click()
            return bool(found)

        self.wait(clicked, f"cannot be clicked: {path}")

    def picture(self, name: str) -> None:
        """Keep what is shown as ``$EDGEKEEPER_PICTURES/<name>.png``, if that is set."""
        folder = os.environ.get("EDGEKEEPER_PICTURES")
        if folder:
            time.sleep(2)  # let the page's animations end
            self.chrome.save_screenshot(str(Path(folder) / f"{name}.png"))

    def close(self) -> None:
        """End the browser."""
        self.chrome.quit()
