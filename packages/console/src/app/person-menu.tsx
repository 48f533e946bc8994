import { Link } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonClass } from "../components/button.tsx";
import { SelectField } from "../components/field.tsx";
import { Icon } from "../components/icon.tsx";
import { currentLanguage, type Language, languages, setLanguage } from "../i18n/language.ts";
import { client } from "../lib/client.ts";
import { applyTheme, readTheme, type Theme, themes } from "../lib/theme.ts";
import { useSession } from "./session.tsx";

async function signOut(): Promise<void> {
  await client.request({ method: "DELETE", path: "/api/v1/session" });
  location.assign("/console/sign-in"); // forgets everything that was read
}

export function PersonMenu() {
  const { t } = useTranslation();
  const { me } = useSession();
  const popup = useRef<HTMLDivElement>(null);
  return (
    <>
      <button
        type="button"
        popoverTarget="person-menu"
        className="m-3 flex h-10 items-center gap-2 rounded-md px-2 text-left hover:bg-sunken"
      >
        <Icon name="person" />
        <span className="min-w-0 flex-1 truncate">{me.name}</span>
        <Icon name="more" />
      </button>
      <div
        id="person-menu"
        ref={popup}
        popover="auto"
        className="inset-auto bottom-16 left-3 m-0 w-54 flex-col gap-3 rounded-md border border-line bg-raised p-3 text-ink shadow-lg [&:popover-open]:flex"
      >
        <p className="text-sm text-muted">{me.email}</p>
        <Link
          to={"/profile" as never}
          className={buttonClass()}
          onClick={() => popup.current?.hidePopover()}
        >
          {t("pages.profile")}
        </Link>
        <Preferences />
        <Button onClick={() => void signOut()}>{t("signOut")}</Button>
      </div>
    </>
  );
}

function Preferences() {
  const { t } = useTranslation();
  const [theme, setTheme] = useState<Theme>(readTheme);
  const choose = (chosen: Theme) => {
    applyTheme(chosen);
    setTheme(chosen);
  };
  return (
    <>
      <SelectField
        label={t("language")}
        value={currentLanguage()}
        onChange={(event) => void setLanguage(event.target.value as Language)}
      >
        {Object.entries(languages).map(([language, name]) => (
          <option key={language} value={language}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t("theme")}
        value={theme}
        onChange={(event) => choose(event.target.value as Theme)}
      >
        {themes.map((one) => (
          <option key={one} value={one}>
            {t(`themes.${one}`)}
          </option>
        ))}
      </SelectField>
    </>
  );
}
