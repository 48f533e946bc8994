import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useAccount } from "../app/session.tsx";
import { buttonClass } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import { Page } from "../components/panel.tsx";
import { Comparison } from "../features/playground/compare/comparison.tsx";
import { WithModels } from "../features/playground/with-models.tsx";

export function ComparePage() {
  const { t } = useTranslation("playground");
  const { t: frame } = useTranslation();
  const { account } = useAccount();
  return (
    <Page
      title={frame("pages.compare")}
      about={t("compare.about")}
      actions={
        <Link to={"/playground" as never} className={buttonClass()}>
          <Icon name="play" />
          {frame("pages.playground")}
        </Link>
      }
    >
      <WithModels>
        {({ models }) => <Comparison key={account.accountId} models={models} />}
      </WithModels>
    </Page>
  );
}
