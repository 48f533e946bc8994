import type { ReviewItem } from "@zoetrope/sdk/admin";
import { useTranslation } from "react-i18next";
import { classNames } from "../../components/class-names.ts";
import { CheckField } from "../../components/field.tsx";
import { KeyCap } from "./key-cap.tsx";

const always = [
  [["A"], "approve"],
  [["1", "0"], "refuse"],
  [["Shift"], "withText"],
  [["S"], "skip"],
  [["U"], "undo"],
] as const;

const ofMedia = [
  [["Space"], "play"],
  [["←", "→"], "seconds"],
  [[",", "."], "frames"],
  [["[", "]"], "speed"],
  [["Home"], "toStart"],
  [["M"], "mute"],
] as const;

const zoom = [[["F"], "zoom"]] as const;

interface Props {
  type: ReviewItem["type"] | undefined;
  isOn: boolean;
  /** Somebody has just written something: keys decide nothing yet. */
  isQuiet: boolean;
  onChange(isOn: boolean): void;
}

/** The keys of what is on screen. They can be turned off by people whose tools send keys. */
export function HelpLine({ type, isOn, isQuiet, onChange }: Props) {
  const { t } = useTranslation("review");
  const keys = [
    ...always,
    ...(type === "VIDEO" || type === "AUDIO" ? ofMedia : []),
    ...(type === "IMAGE" || type === "VIDEO" ? zoom : []),
  ];
  return (
    <div
      data-quiet={isQuiet}
      className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted"
    >
      <CheckField
        label={t("keysOn")}
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
      />
      {isOn &&
        keys.map(([caps, name]) => (
          <span
            key={name}
            className={classNames("inline-flex items-center gap-1", isQuiet && "invisible")}
          >
            {caps.map((cap) => (
              <KeyCap key={cap}>{cap}</KeyCap>
            ))}
            {t(`key.${name}`)}
          </span>
        ))}
    </div>
  );
}
