import { useTranslation } from "react-i18next";

/** Directives of the sandbox: they work in test accounts alone. */
const words = [
  "[sandbox:slow=30]",
  "[sandbox:fail=input_blocked]",
  "[sandbox:fail=output_blocked]",
  "[sandbox:fail=vendor_failed]",
  "[sandbox:refuse=vendor_refused]",
  "[sandbox:throttle=1]",
  "[sandbox:expire]",
] as const;

/** Every outcome on purpose, by a click. */
export function MagicWords({ onAdd }: { onAdd(word: string): void }) {
  const { t } = useTranslation("playground");
  return (
    <details className="text-sm">
      <summary className="min-h-6 cursor-pointer text-muted">{t("magic.title")}</summary>
      <p className="mt-1 text-muted">{t("magic.about")}</p>
      <ul className="mt-2 flex flex-wrap gap-1.5">
        {words.map((word) => (
          <li key={word}>
            <button
              type="button"
              onClick={() => onAdd(word)}
              className="min-h-7 rounded-full border border-line-strong px-2.5 font-mono text-xs hover:bg-sunken"
            >
              {word}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
