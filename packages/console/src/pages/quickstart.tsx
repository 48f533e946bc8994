import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useAccount } from "../app/session.tsx";
import { Notice } from "../components/badge.tsx";
import { buttonClass } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import { Page, Panel } from "../components/panel.tsx";
import { FirstVideo } from "../features/playground/quickstart/first-video.tsx";

export function QuickstartPage() {
  const { t } = useTranslation("playground");
  const { t: frame } = useTranslation();
  const { account } = useAccount();
  const isViewer = account.role === "viewer";
  const next = [
    ...(isViewer ? [] : [{ to: "/playground", text: t("quickstart.playground") }]),
    { to: "/webhooks", text: t("quickstart.webhooks") },
    { to: "/requests", text: t("quickstart.requests") },
  ];
  return (
    <Page title={frame("pages.quickstart")} about={t("quickstart.about")}>
      <Panel title={t("quickstart.key")}>
        <div className="flex flex-col items-start gap-3">
          <p>{isViewer ? t("quickstart.keyViewer") : t("quickstart.keyAbout")}</p>
          <Notice tone={account.isTest ? "good" : "warn"}>
            {account.isTest ? t("quickstart.keyTest") : t("quickstart.keyLive")}
          </Notice>
          <Link to={"/keys" as never} className={buttonClass("primary")}>
            <Icon name="key" />
            {t("quickstart.keyLink")}
          </Link>
        </div>
      </Panel>
      <FirstVideo isTest={account.isTest} />
      <Panel title={t("quickstart.next")}>
        <ul className="flex flex-col items-start gap-2">
          {next.map(({ to, text }) => (
            <li key={to}>
              <Link to={to as never} className="text-accent-strong underline">
                {text}
              </Link>
            </li>
          ))}
        </ul>
      </Panel>
    </Page>
  );
}
