import type { Page } from "playwright-core";

const mark = "misplaced focus: ";

/** Every dialog that opens must take what is typed next in its first field, if it has one, else hold the focus. */
export function noteMisplacedFocus(page: Page, faults: string[]): void {
  page.on("console", (message) => {
    if (message.text().startsWith(mark)) faults.push(message.text());
  });
  void page.addInitScript((prefix) => {
    const fields = "textarea, select, input:not([type=checkbox]):not([type=radio])";
    const noteOpened = ({ target }: MutationRecord) => {
      if (!(target instanceof HTMLDialogElement) || !target.open) return;
      const wanted = target.querySelector(fields);
      const { activeElement } = document;
      const isRight = wanted === null ? target.contains(activeElement) : wanted === activeElement;
      if (isRight) return;
      // biome-ignore lint/suspicious/noConsole: how the page tells the test
      console.warn(`${prefix}${target.textContent} has it on ${activeElement?.outerHTML}`);
    };
    // It runs when the script that opened the dialog has ended.
    const observer = new MutationObserver((records) => records.forEach(noteOpened));
    observer.observe(document, { subtree: true, attributeFilter: ["open"] });
  }, mark);
}
