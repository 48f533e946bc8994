import type { Grant } from "@zoetrope/sdk/admin";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "../../app/session.tsx";
import { Badge, type Tone } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { formatCredits } from "../../lib/format.ts";
import { DecideGrant } from "./decide-grant.tsx";
import { AccountLink } from "./facts.tsx";
import { useIsOperator } from "./for-staff.tsx";

const tones: Record<Grant["status"], Tone> = {
  pending: "warn",
  posted: "neutral",
  rejected: "neutral",
  expired: "neutral",
};

/** Formats credits with their sign. */
export function signed(credits: number): string {
  return credits > 0 ? `+${formatCredits(credits)}` : formatCredits(credits);
}

export function GrantsTable({ grants }: { grants: readonly Grant[] }) {
  const { t } = useTranslation(["operations", "frame"]);
  return (
    <Table
      label={t("frame:pages.grants")}
      rows={grants}
      keyOf={({ grantId }) => grantId}
      columns={[
        {
          title: t("operations:credits"),
          isNumber: true,
          cell: ({ credits }) => <span className="font-medium">{signed(credits)}</span>,
        },
        {
          title: t("operations:state"),
          cell: ({ status }) => (
            <Badge tone={tones[status]}>{t(`operations:grants.${status}`)}</Badge>
          ),
        },
        {
          title: t("frame:account"),
          cell: ({ accountId }) => <AccountLink accountId={accountId} />,
        },
        {
          title: t("operations:grants.kind"),
          cell: ({ kind }) => t(`operations:grants.kinds.${kind}`),
        },
        {
          title: t("operations:reason"),
          cell: ({ reason }) => (
            <span dir="auto" className="block max-w-80 min-w-32 break-words">
              {reason}
            </span>
          ),
        },
        { title: t("operations:grants.who"), cell: (grant) => <Who grant={grant} /> },
        { title: t("operations:grants.decide"), cell: (grant) => <Decide grant={grant} /> },
      ]}
    />
  );
}

function Who({ grant }: { grant: Grant }) {
  const { t } = useTranslation("operations");
  const { askedBy, decidedBy, createdAt, decidedAt, creditsExpireAt } = grant;
  return (
    <ul className="text-sm">
      <li>
        {t("grants.asked")} <bdi>{askedBy.name ?? askedBy.id}</bdi> · <Time ms={createdAt} />
      </li>
      {decidedBy !== null && decidedAt !== null && (
        <li>
          {t("grants.decided")} <bdi>{decidedBy.name ?? decidedBy.id}</bdi> ·{" "}
          <Time ms={decidedAt} />
        </li>
      )}
      {creditsExpireAt !== null && (
        <li>
          {t("grants.creditsExpire")} <Time ms={creditsExpireAt} />
        </li>
      )}
    </ul>
  );
}

/** Nobody approves what they asked for themselves: they can withdraw it. */
function Decide({ grant }: { grant: Grant }) {
  const { t } = useTranslation("operations");
  const { me } = useSession();
  const isOperator = useIsOperator();
  const [verb, setVerb] = useState<"approve" | "reject" | null>(null);
  if (grant.status !== "pending" || !isOperator) return "–";
  const isOwn = grant.askedBy.kind === "person" && grant.askedBy.id === me.personId;
  return (
    <div className="flex min-w-32 flex-wrap gap-2">
      {isOwn ? (
        <span className="text-sm text-muted">{t("grants.own")}</span>
      ) : (
        <Button isSmall onClick={() => setVerb("approve")}>
          {t("grants.approve")}
        </Button>
      )}
      <Button isSmall onClick={() => setVerb("reject")}>
        {t(isOwn ? "grants.withdraw" : "grants.reject")}
      </Button>
      {verb !== null && (
        <DecideGrant grant={grant} verb={verb} isOwn={isOwn} onClose={() => setVerb(null)} />
      )}
    </div>
  );
}
