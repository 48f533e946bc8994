import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { type Account, accountsOf, useAccount, useSession } from "./session.tsx";

/** Changes the account, live or test, and stays on the page. */
export function AccountSwitcher() {
  const { t } = useTranslation();
  const { me } = useSession();
  const { account } = useAccount();
  const navigate = useNavigate();
  const nameOf = ({ name, isTest }: Account) => `${name} · ${isTest ? t("test") : t("live")}`;
  return (
    <select
      aria-label={t("account")}
      value={account.accountId}
      onChange={(event) =>
        void navigate({ to: ".", search: { account: event.target.value } as never })
      }
      className="mx-3 h-10 rounded-md border border-line-strong bg-panel px-2 font-medium"
    >
      {accountsOf(me).map((one) => (
        <option key={one.accountId} value={one.accountId}>
          {nameOf(one)}
        </option>
      ))}
    </select>
  );
}
