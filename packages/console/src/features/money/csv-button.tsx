import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../app/session.tsx";
import { Button } from "../../components/button.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Icon } from "../../components/icon.tsx";
import { formatNumber } from "../../lib/format.ts";
import { saveFile } from "../../lib/save-file.ts";
import { writeStatement } from "./csv.ts";

export function CsvButton() {
  const { t } = useTranslation("money");
  const { account, client } = useAccount();
  const stop = useRef<AbortController | null>(null);
  const [lines, setLines] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const download = async () => {
    const controller = new AbortController();
    stop.current = controller;
    setError(null);
    setLines(0);
    try {
      const blob = await writeStatement(client, controller.signal, setLines);
      saveFile(`statement-${account.accountId}.csv`, blob);
    } catch (fault) {
      if (!controller.signal.aborted) setError(fault);
    } finally {
      setLines(null);
    }
  };
  return (
    <>
      {lines !== null && (
        <>
          <span role="status" className="self-center text-muted">
            {t("csvProgress", { count: formatNumber(lines) as never })}
          </span>
          <Button onClick={() => stop.current?.abort()}>{t("csvStop")}</Button>
        </>
      )}
      <Button isBusy={lines !== null} onClick={() => void download()}>
        <Icon name="download" />
        {t("csv")}
      </Button>
      {error !== null && <ErrorPanel error={error} />}
    </>
  );
}
