import type { Asset, AssetType, Zoetrope } from "@zoetrope/sdk";
import { useEffect, useRef, useState } from "react";
import { useAccount } from "../../../app/session.tsx";
import { declare } from "../../assets/send-uploads.ts";
import type { Wanted } from "../../assets/uploads.ts";
import type { Media } from "../form/read-forms.ts";
import type { FileRef } from "../form/values.ts";
import { type FileFault, faultOf } from "./check-file.ts";

/** A file, and what is declared about the people that it shows. */
export type Chosen = Pick<Wanted, "file" | "declared">;

export interface Sending extends Chosen {
  id: number;
  /** The share of its bytes that were sent, 0 to 1. */
  share: number;
  state: "sending" | "review" | "failed";
  fault: FileFault | null;
  error: unknown;
}

const types: Record<Media["type"], AssetType> = { image: "IMAGE", video: "VIDEO", audio: "AUDIO" };
let last = 0;

/**
 * The delays between requests: at most one request a minute, and some sooner for reviews that take
 * seconds.
 */
const reviewDelaysMs = [2_000, 8_000, 20_000];
const reviewDelayMsMax = 60_000;

async function reviewed(client: Zoetrope, given: Asset, signal: AbortSignal): Promise<Asset> {
  let asset = given;
  for (let tries = 0; asset.status === "PROCESSING"; tries++) {
    await pause(reviewDelaysMs[tries] ?? reviewDelayMsMax, signal);
    asset = await client.assets.get(asset.assetId, { signal });
  }
  return asset;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** Uploads in chunks. One that fails or is stopped resumes when it is sent again. */
export function useUploads(media: Media, onDone: (file: FileRef) => void) {
  const { client } = useAccount();
  const [sending, setSending] = useState<readonly Sending[]>([]);
  const stops = useRef(new Map<number, AbortController>());
  const done = useRef(onDone);
  done.current = onDone;
  useEffect(() => {
    const all = stops.current;
    return () => {
      for (const stop of all.values()) stop.abort();
    };
  }, []);
  const change = (id: number, to: Partial<Sending>) =>
    setSending((before) => before.map((one) => (one.id === id ? { ...one, ...to } : one)));
  const drop = (id: number) => {
    stops.current.get(id)?.abort();
    stops.current.delete(id);
    setSending((before) => before.filter((one) => one.id !== id));
  };
  const transfer = async (id: number, { file, declared }: Chosen, signal: AbortSignal) => {
    const onProgress = (share: number) => change(id, { share });
    const declaration = await declare(client, declared, signal);
    const given = { type: types[media.type], name: file.name.slice(0, 200), declaration, signal };
    let asset = await client.assets.upload(file, { ...given, onProgress });
    if (media.needsReview && asset.status === "PROCESSING") {
      change(id, { share: 1, state: "review" });
      asset = await reviewed(client, asset, signal);
    }
    if (asset.status === "FAILED") throw new Error(asset.failReason ?? "");
    const previewUrl = media.type === "audio" ? null : URL.createObjectURL(file);
    drop(id);
    done.current({ url: `asset://${asset.upstreamAssetId}`, name: file.name, previewUrl });
  };
  const begin = (id: number, chosen: Chosen) => {
    const stop = new AbortController();
    stops.current.set(id, stop);
    change(id, { state: "sending", error: null });
    transfer(id, chosen, stop.signal).catch((error: unknown) => {
      if (!stop.signal.aborted) change(id, { state: "failed", error });
    });
  };
  const send = (files: readonly Chosen[]) => {
    for (const chosen of files) {
      last += 1;
      const id = last;
      const fault = faultOf(media, chosen.file);
      const state = fault === null ? "sending" : "failed";
      setSending((before) => [...before, { ...chosen, id, share: 0, state, fault, error: null }]);
      if (fault === null) begin(id, chosen);
    }
  };
  const again = (one: Sending) => begin(one.id, one);
  return { sending, send, again, drop };
}
