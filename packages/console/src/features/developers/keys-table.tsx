import type { Key } from "@zoetrope/sdk/answers";
import { useTranslation } from "react-i18next";
import { Badge, type Tone } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Code } from "../../components/copy-button.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { formatCredits } from "../../lib/format.ts";

const tones: Record<Key["status"], Tone> = { live: "good", expired: "warn", revoked: "neutral" };

interface Props {
  keys: readonly Key[];
  /** Without it the person may not change keys. */
  onChange?: ((key: Key) => void) | undefined;
  onRevoke?: ((key: Key) => void) | undefined;
}

export function KeysTable({ keys, onChange, onRevoke }: Props) {
  const { t } = useTranslation(["frame", "developers"]);
  return (
    <Table
      label={t("pages.keys")}
      rows={keys}
      keyOf={({ keyId }) => keyId}
      columns={[
        {
          title: t("developers:keys.name"),
          cell: ({ name, hint, mode }) => (
            <div className="flex min-w-40 flex-col">
              <bdi className="font-medium">{name}</bdi>
              <span className="flex items-center gap-2">
                <Code>{`${hint}…`}</Code>
                {mode === "test" && <Badge tone="warn">{t("test")}</Badge>}
              </span>
            </div>
          ),
        },
        {
          title: t("developers:keys.scopes"),
          cell: ({ scopes }) =>
            scopes === null ? t("developers:keys.scopesAll") : <Scopes scopes={scopes} />,
        },
        { title: t("developers:keys.budget"), cell: (key) => <Budget {...key} /> },
        {
          title: t("developers:keys.lastUsed"),
          cell: ({ lastUsedAt }) =>
            lastUsedAt === null ? t("developers:keys.neverUsed") : <Time ms={lastUsedAt} />,
        },
        { title: t("developers:keys.created"), cell: ({ createdAt }) => <Time ms={createdAt} /> },
        {
          title: t("developers:keys.statusTitle"),
          cell: ({ status }) => (
            <Badge tone={tones[status]}>{t(`developers:keys.status.${status}`)}</Badge>
          ),
        },
        {
          title: <span className="sr-only">{t("more")}</span>,
          cell: (key) =>
            key.status === "live" && (
              <div className="flex justify-end gap-2">
                {onChange !== undefined && (
                  <Button isSmall onClick={() => onChange(key)}>
                    {t("developers:keys.change")}
                  </Button>
                )}
                {onRevoke !== undefined && (
                  <Button isSmall variant="danger" onClick={() => onRevoke(key)}>
                    {t("developers:keys.revoke")}
                  </Button>
                )}
              </div>
            ),
        },
      ]}
    />
  );
}

function Scopes({ scopes }: { scopes: NonNullable<Key["scopes"]> }) {
  const { t } = useTranslation("developers");
  return (
    <ul>
      {scopes.map((scope) => (
        <li key={scope}>{t(`keys.scope.${scope}`)}</li>
      ))}
    </ul>
  );
}

function Budget({ creditsMax, creditsLeft }: Pick<Key, "creditsMax" | "creditsLeft">) {
  const { t } = useTranslation("developers");
  if (creditsMax === null || creditsLeft === null) return t("keys.noBudget");
  const left = formatCredits(Math.max(0, creditsLeft));
  const text = t("keys.budgetLeft", { left, max: formatCredits(creditsMax) });
  return (
    <div className="min-w-36">
      <meter
        className="block h-2 w-full"
        aria-label={text}
        min={0}
        max={creditsMax}
        low={creditsMax * 0.1}
        value={Math.max(0, creditsLeft)}
      />
      <span className="text-sm">{text}</span>
    </div>
  );
}
