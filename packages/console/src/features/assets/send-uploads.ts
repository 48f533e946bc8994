import type { Zoetrope } from "@zoetrope/sdk";
import { forgetUpload, keepUpload } from "./kept-uploads.ts";
import type { Declared, Sending, Uploads, Wanted } from "./uploads.ts";

/** Files at a time; each sends several chunks at once. */
const filesAtOnce = 2;
const nameMax = 64;

export function addUploads(uploads: Uploads, wanted: readonly Wanted[]): void {
  const isResumed = ({ uploadId }: Sending) =>
    uploadId !== null && wanted.some((one) => one.uploadId === uploadId);
  const added = wanted.map((one) => ({
    id: uploads.newId(),
    name: one.file.name,
    type: one.type,
    size: one.file.size,
    status: "waiting" as const,
    share: 0,
    uploadId: one.uploadId,
    error: null,
    wanted: one,
    hasDeclaration: one.declared !== null,
  }));
  uploads.set([...uploads.getState().filter((one) => !isResumed(one)), ...added]);
  sendNext(uploads);
}

export function pauseUpload(uploads: Uploads, id: number): void {
  change(uploads, id, { status: "paused" });
  uploads.controllers.get(id)?.abort();
}

export function resumeUpload(uploads: Uploads, id: number): void {
  change(uploads, id, { status: "waiting" });
  sendNext(uploads);
}

/** Ends it; what has arrived is removed by the service within a day. */
export function removeUpload(uploads: Uploads, id: number): void {
  const state = uploads.getState();
  forgetUpload(uploads.accountId, state.find((one) => one.id === id)?.uploadId ?? null);
  uploads.set(state.filter((one) => one.id !== id));
  uploads.controllers.get(id)?.abort();
}

function change(uploads: Uploads, id: number, changed: Partial<Sending>): void {
  uploads.set(uploads.getState().map((one) => (one.id === id ? { ...one, ...changed } : one)));
}

function sendNext(uploads: Uploads): void {
  const state = uploads.getState();
  const next = state.find(({ status }) => status === "waiting");
  if (uploads.controllers.size >= filesAtOnce || next?.wanted == null) return;
  const controller = new AbortController();
  uploads.controllers.set(next.id, controller);
  change(uploads, next.id, { status: "sending", error: null });
  void send(uploads, next, next.wanted, controller.signal).finally(() => {
    uploads.controllers.delete(next.id);
    sendNext(uploads);
  });
  sendNext(uploads);
}

async function send(uploads: Uploads, one: Sending, wanted: Wanted, signal: AbortSignal) {
  const { accountId, client } = uploads;
  const { id, name, type, size, hasDeclaration } = one;
  const { lastModified } = wanted.file;
  let { uploadId } = one;
  try {
    const declaration = await declare(client, wanted.declared, signal);
    const asset = await client.assets.upload(wanted.file, {
      type,
      signal,
      declaration,
      name: name.slice(0, nameMax),
      uploadId: uploadId ?? undefined,
      onProgress: (share) => change(uploads, id, { share }),
      onOpen: (opened) => {
        uploadId = opened;
        const kept = { name, type, size, hasDeclaration, lastModified, uploadId };
        if (!signal.aborted) keepUpload(accountId, kept);
        change(uploads, id, { uploadId });
      },
    });
    forgetUpload(accountId, uploadId);
    change(uploads, id, { status: "done", share: 1 });
    uploads.onDone(asset);
  } catch (error) {
    if (!signal.aborted) change(uploads, id, { status: "failed", error });
  }
}

/** The signed form is sent first: the service wants it with the file. */
export async function declare(client: Zoetrope, declared: Declared | null, signal: AbortSignal) {
  if (declared === null) return undefined;
  const { people, purpose, form } = declared;
  if (form === null) return { people, purpose };
  return { people, purpose, formUploadId: await client.assets.uploadForm(form, { signal }) };
}
