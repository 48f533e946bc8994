import type { Verification } from "@zoetrope/sdk/answers";
import { useTranslation } from "react-i18next";

/** What a check has found, in a sentence, and the marks in the file. */
export function Finding({ found }: { found: Verification }) {
  const { t, i18n } = useTranslation("verify");
  const { result, madeOn, madeAs, isOpened, marks, sha256 } = found;
  const date =
    madeOn === null
      ? ""
      : new Date(madeOn).toLocaleDateString(i18n.language, { dateStyle: "long", timeZone: "UTC" });
  return (
    <div className="flex flex-col gap-3">
      <div role="status" className="flex flex-col gap-1">
        <p className="text-lg font-semibold">{t(`result.${result}.title`)}</p>
        {madeAs !== null && <p>{t(`madeAs.${madeAs}`, { date })}</p>}
        <p className="text-muted">{t(`result.${result}.about`)}</p>
        {!isOpened && result === "nothing_found" && <p className="text-muted">{t("notOpened")}</p>}
      </div>
      {marks.length > 0 && (
        <>
          <h2 className="font-medium">{t("marks")}</h2>
          <ul className="list-disc pl-5">
            {marks.map((mark) => (
              <li key={mark.kind} className="break-words">
                <Mark mark={mark} />
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="text-sm break-all text-muted">SHA-256 {sha256}</p>
    </div>
  );
}

function Mark({ mark }: { mark: Verification["marks"][number] }) {
  const { t } = useTranslation("verify");
  if (mark.kind === "C2PA") {
    const state = t(mark.isValid ? "valid" : "invalid");
    return <bdi>{t(`c2pa.${mark.signer}`, { name: mark.name ?? t("unnamed"), state })}</bdi>;
  }
  const { producer, propagator } = mark;
  return (
    <bdi>
      {producer === "" ? t("aigcUnnamed") : t("aigc", { producer })}
      {propagator !== null && ` ${t("propagator", { propagator })}`}
    </bdi>
  );
}
