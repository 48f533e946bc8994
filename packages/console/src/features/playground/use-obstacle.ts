import type { ReadCreditsAnswer } from "@zoetrope/sdk/answers";
import { useTranslation } from "react-i18next";
import type { Missing } from "./form/values.ts";
import type { Obstacle } from "./run-bar.tsx";

interface Facts {
  missing: Missing | null;
  uploads: number;
  /** Why the price, or what the account can pay, is not known. */
  error: unknown;
  /** All prices together; null while they are not known. */
  price: number | null;
  tasks: number;
  room: ReadCreditsAnswer | null;
}

/** The first reason why the service would not accept now. */
export function useObstacle({
  missing,
  uploads,
  error,
  price,
  tasks,
  room,
}: Facts): Obstacle | null {
  const { t } = useTranslation("playground");
  if (uploads > 0) return { kind: "text", text: t("obstacle.uploads") };
  if (missing !== null) return { kind: "text", text: missingText(missing) };
  if (error !== null) return { kind: "error", error };
  if (price === null || room === null) return { kind: "text", text: t("obstacle.checking") };
  if (tasks > room.openTasksLeft) return { kind: "openTasks", max: room.openTasksMax };
  if (price > room.availableCredits)
    return { kind: "credits", price, available: room.availableCredits };
  return null;

  function missingText(lack: Missing): string {
    switch (lack.kind) {
      case "input":
        return t("obstacle.missing", { field: lack.field.title });
      case "files":
        return t("obstacle.files", {
          ...{ field: lack.field.title, count: lack.field.media?.countMin ?? 1 },
        });
      case "any":
        return t("obstacle.any", { fields: lack.fields.map(({ title }) => title).join(", ") });
      case "tooMany":
        return t("obstacle.tooMany", { max: lack.max });
    }
  }
}
