import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useAccount } from "../app/session.tsx";
import { buttonClass } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import { Page } from "../components/panel.tsx";
import { WithModels } from "../features/playground/with-models.tsx";
import { Workbench } from "../features/playground/workbench.tsx";

export function PlaygroundPage() {
  const { t } = useTranslation("playground");
  const { t: frame } = useTranslation();
  const { account } = useAccount();
  return (
    <Page
      title={frame("pages.playground")}
      about={t("about")}
      actions={
        <Link to={"/compare" as never} className={buttonClass()}>
          <Icon name="compare" />
          {t("compareModels")}
        </Link>
      }
    >
      <WithModels>
        {({ models, upscaler }) => (
          <Workbench key={account.accountId} models={models} upscaler={upscaler} />
        )}
      </WithModels>
    </Page>
  );
}
