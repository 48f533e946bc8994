/** A key, as it is written on the keyboard. */
export function KeyCap({ children }: { children: string }) {
  return (
    <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded border border-line-strong bg-page px-1 font-mono text-xs text-ink">
      {children}
    </kbd>
  );
}
