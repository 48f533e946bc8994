import type { ReadCreditsAnswer } from "@zoetrope/sdk/answers";
import { useTranslation } from "react-i18next";
import type { Missing } from "./form/values.ts";
import type { RunBlocker } from "./run-bar.tsx";

interface Facts {
  missing: Missing | null;
  uploads: number;
  /** Why the price, or what the account can pay, is not known. */
  error: unknown;
  /** All prices together; null while they are not known. */
  price: number | null;
  tasks: number;
  allowance: ReadCreditsAnswer | null;
}

/** The first reason why the service would not accept now. */
export function useRunBlocker({
  missing,
  uploads,
  error,
  price,
  tasks,
  allowance,
}: Facts): RunBlocker | null {
  const { t } = useTranslation("playground");
  if (uploads > 0) return { kind: "text", text: t("blocked.uploads") };
  if (missing !== null) return { kind: "text", text: missingText(missing) };
  if (error !== null) return { kind: "error", error };
  if (price === null || allowance === null) return { kind: "text", text: t("blocked.checking") };
  if (tasks > allowance.openTasksLeft) return { kind: "openTasks", max: allowance.openTasksMax };
  if (price > allowance.availableCredits)
    return { kind: "credits", price, available: allowance.availableCredits };
  return null;

  function missingText(lack: Missing): string {
    switch (lack.kind) {
      case "input":
        return t("blocked.missing", { field: lack.field.title });
      case "files":
        return t("blocked.files", {
          field: lack.field.title,
          count: lack.field.media?.countMin ?? 1,
        });
      case "any":
        return t("blocked.any", { fields: lack.fields.map(({ title }) => title).join(", ") });
      case "tooMany":
        return t("blocked.tooMany", { max: lack.max });
    }
  }
}
