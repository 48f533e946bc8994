import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import type { CreateKeyAnswer, CreateKeyBody, Key, ListKeysAnswer } from "@zoetrope/sdk/answers";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { meQuery, useAccount } from "../app/session.tsx";
import { Button } from "../components/button.tsx";
import { Confirm } from "../components/confirm.tsx";
import { Secret } from "../components/copy-button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { ErrorPanel } from "../components/error-panel.tsx";
import { Icon } from "../components/icon.tsx";
import { Empty, Page, Skeleton } from "../components/panel.tsx";
import { toast } from "../components/toasts.tsx";
import { KeyForm } from "../features/developers/key-form.tsx";
import { KeysTable } from "../features/developers/keys-table.tsx";
import { get, post } from "../lib/client.ts";
import { useAction } from "../lib/use-action.ts";

const path = "/api/v1/account/keys";

export function KeysPage() {
  const { t } = useTranslation(["frame", "developers"]);
  const { account, client } = useAccount();
  const cache = useQueryClient();
  const queryKey = [account.accountId, "keys"];
  const keys = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      get<ListKeysAnswer>(client, path, { cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const [isCreating, setCreating] = useState(false);
  const [changed, setChanged] = useState<Key | null>(null);
  const [revoked, setRevoked] = useState<Key | null>(null);
  const isOwner = account.role === "owner";
  const reload = () => cache.invalidateQueries({ queryKey });
  const rows = keys.data?.pages.flatMap(({ items }) => items);
  const create = isOwner && (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Icon name="plus" />
      {t("developers:keys.create")}
    </Button>
  );
  return (
    <Page title={t("pages.keys")} about={t("developers:keys.about")} actions={create}>
      {keys.error !== null && <ErrorPanel error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.isPending && <Skeleton className="h-64" />}
      {rows?.length === 0 && (
        <Empty title={t("developers:keys.empty")}>{t("developers:keys.emptyAbout")}</Empty>
      )}
      {rows !== undefined && rows.length > 0 && (
        <KeysTable
          keys={rows}
          onChange={isOwner ? setChanged : undefined}
          onRevoke={isOwner ? setRevoked : undefined}
        />
      )}
      {keys.hasNextPage && (
        <Button isBusy={keys.isFetchingNextPage} onClick={() => void keys.fetchNextPage()}>
          {t("showMore")}
        </Button>
      )}
      {isCreating && <CreateDialog onClose={() => setCreating(false)} onCreated={reload} />}
      {changed !== null && (
        <ChangeDialog keyBefore={changed} onClose={() => setChanged(null)} onChanged={reload} />
      )}
      <Confirm
        title={t("developers:keys.revokeTitle", { name: revoked?.name ?? "" })}
        effect={t("developers:keys.revokeEffect")}
        action={t("developers:keys.revoke")}
        isOpen={revoked !== null}
        onClose={() => setRevoked(null)}
        onConfirm={async () => {
          await client.request({ method: "DELETE", path, query: { keyId: revoked?.keyId } });
          toast(t("developers:keys.revoked"));
          await reload();
        }}
      />
    </Page>
  );
}

function CreateDialog({ onClose, onCreated }: { onClose(): void; onCreated(): Promise<void> }) {
  const { t } = useTranslation("developers");
  const { client } = useAccount();
  const cache = useQueryClient();
  const [key, setKey] = useState<string | null>(null);
  const { run, isBusy, error } = useAction(async (body: CreateKeyBody) => {
    setKey((await post<CreateKeyAnswer>(client, path, body)).key);
    // The first test key makes the test account.
    if (body.mode === "test") await cache.invalidateQueries(meQuery);
    await onCreated();
  });
  return (
    <Dialog title={t("keys.create")} isOpen onClose={onClose}>
      {key === null ? (
        <KeyForm action={t("keys.create")} isBusy={isBusy} error={error} onSubmit={run} />
      ) : (
        <>
          <Secret value={key} about={t("keys.secret")} />
          <Button variant="primary" onClick={onClose}>
            {t("keys.done")}
          </Button>
        </>
      )}
    </Dialog>
  );
}

interface ChangeProps {
  keyBefore: Key;
  onClose(): void;
  onChanged(): Promise<void>;
}

function ChangeDialog({ keyBefore, onClose, onChanged }: ChangeProps) {
  const { t } = useTranslation(["frame", "developers"]);
  const { client } = useAccount();
  const { keyId, name } = keyBefore;
  const { run, isBusy, error } = useAction(async (body: CreateKeyBody) => {
    await client.request({ method: "PATCH", path, query: { keyId }, body });
    toast(t("saved"));
    onClose();
    await onChanged();
  });
  return (
    <Dialog title={t("developers:keys.changeTitle", { name })} isOpen onClose={onClose}>
      <KeyForm before={keyBefore} action={t("save")} isBusy={isBusy} error={error} onSubmit={run} />
    </Dialog>
  );
}
