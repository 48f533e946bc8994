import { useTranslation } from "react-i18next";
import { Badge, type Tone } from "./badge.tsx";

type Mail = "sent" | "waiting" | "refused" | "link" | "off";

const tones: Record<Mail, Tone> = {
  sent: "good",
  waiting: "neutral",
  refused: "bad",
  link: "neutral",
  off: "warn",
};

/** Whether the mail of an invitation was sent. */
export function MailBadge({ mail }: { mail: Mail }) {
  const { t } = useTranslation();
  return <Badge tone={tones[mail]}>{t(`mail.${mail}`)}</Badge>;
}
