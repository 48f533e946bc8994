import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ListTasksAnswer } from "@zoetrope/sdk/answers";
import { useTranslation } from "react-i18next";
import { buttonClass } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Loaded } from "../operations/loaded.tsx";
import { Step } from "./step.tsx";

interface Props {
  /** The account in which the video is made: the test account where there is one. */
  accountId: string | null;
  isTest: boolean;
  tasks: UseQueryResult<ListTasksAnswer> | null;
}

export function VideoStep({ accountId, isTest, tasks }: Props) {
  const { t } = useTranslation("start");
  const isDone =
    tasks === null ? false : tasks.data === undefined ? null : tasks.data.items.length > 0;
  return (
    <Step title={t("video.title")} about={t("video.about")} isDone={isDone}>
      {accountId === null || tasks === null ? (
        <p className="text-muted">{t("needsAccount")}</p>
      ) : (
        <Loaded query={tasks} className="h-9">
          {() => (
            <div className="flex flex-wrap items-center gap-3">
              <Link
                to="/playground"
                search={{ account: accountId } as never}
                className={buttonClass(isDone === true ? "plain" : "primary")}
              >
                <Icon name="play" />
                {t("video.open")}
              </Link>
              {isDone === true && (
                <Link
                  to="/gallery"
                  search={{ account: accountId } as never}
                  className={buttonClass("primary")}
                >
                  {t("video.gallery")}
                </Link>
              )}
              {!isTest && (
                <Link
                  to="/operations/grants"
                  search={{ of: accountId } as never}
                  className={buttonClass()}
                >
                  {t("video.grant")}
                </Link>
              )}
            </div>
          )}
        </Loaded>
      )}
    </Step>
  );
}
