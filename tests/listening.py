"""What a person who listens hears of a page: the sentences of its live region and its alerts, in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

LISTEN = """() => {
    window.heard = [];
    const region = document.getElementById("live");
    const hear = () => { if (region.textContent) window.heard.push(region.textContent); };
    new MutationObserver(hear).observe(region, { childList: true });
    const alerts = (node) => [node, ...node.querySelectorAll?.("*") ?? []].filter((one) => one.role === "alert");
    const come = ({ addedNodes }) => {
        for (const one of [...addedNodes].flatMap(alerts)) window.heard.push(one.textContent);
    };
    new MutationObserver((changes) => changes.forEach(come)).observe(document.body, { childList: true, subtree: true });
}"""


def listen(page: Page) -> None:
    """Note from now on what is said."""
    page.evaluate(LISTEN)


def await_sentence(page: Page, start: str, *, seconds: float = 180) -> str:
    """Wait until a sentence that begins so is the last one said, and return it."""
    expect(page.locator("#live")).to_contain_text(start, timeout=1000 * seconds)
    said = page.locator("#live").text_content() or ""
    assert said.startswith(start)
    return said


def heard(page: Page) -> list[str]:
    """All sentences since `listen`, or since this was asked last."""
    return cast("list[str]", page.evaluate("() => window.heard.splice(0)"))


def focused(page: Page) -> str:
    """The name of what has the focus, as it is read out: its label, or its text."""
    asked = """() => {
        const one = document.activeElement;
        return one.getAttribute("aria-label") ?? one.textContent;
    }"""
    return cast("str", page.evaluate(asked))
