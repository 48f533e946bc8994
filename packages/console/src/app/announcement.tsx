import { useQuery } from "@tanstack/react-query";
import type { ReadBannerAnswer } from "@zoetrope/sdk/answers";
import { classNames } from "../components/class-names.ts";
import { currentLanguage } from "../i18n/language.ts";
import { client, get } from "../lib/client.ts";

const tones = {
  info: "bg-accent-soft text-accent-strong",
  warning: "bg-warn-soft text-warn",
  critical: "bg-bad-soft text-bad",
} as const;

/** The operator's announcement, read once per visit. */
export function Announcement() {
  const { data } = useQuery({
    queryKey: ["banner"],
    queryFn: ({ signal }) => get<ReadBannerAnswer>(client, "/api/v1/banner", {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const banner = data?.banner ?? null;
  if (banner === null || (banner.until !== null && banner.until < Date.now())) return null;
  return (
    <p role="status" className={classNames("px-4 py-2", tones[banner.severity])}>
      {banner.text[currentLanguage()]}
    </p>
  );
}
