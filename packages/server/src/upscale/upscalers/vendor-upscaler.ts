import type { FailureCode } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { SafeFetch } from "../../media/fetch/safe-fetch.ts";
import { vendorUrl } from "../../media/storage/signed-link.ts";
import type { Metrics } from "../../metrics/create-metrics.ts";
import type { Fal } from "../../vendors/fal/fal.ts";
import { upscalerAccount } from "../validate-source.ts";
import { shownMsOf } from "./check-result.ts";
import { takeResult } from "./take-result.ts";
import type { SegmentRequest, SegmentResult, SegmentRun, VendorUpscaler } from "./upscaler.ts";

interface UpscalerContext {
  fal: Fal;
  signer: Parameters<typeof vendorUrl>[0];
  safeFetch: SafeFetch;
  log: Log;
  metrics: Metrics;
}

/** The name of the upscaler among the vendor accounts. */
const account = { vendor_account: upscalerAccount };

const pollMsMin = 1_000;
const pollMsMax = 15_000;
/** The time until a submit is repeated after a refusal without a Retry-After. */
const refusedMs = 10_000;
const refusedMsMax = 60_000;
/** A job that is unknown this soon after it was accepted may still appear. */
const unknownMsMax = 60_000;

/**
 * Upscales videos with a vendor, each as a whole. The vendor gets a signed link to the source. It is
 * called once: the intent is in the row before, the job after it. The vendor cannot list jobs, so a
 * submit whose response was lost cannot be reconciled: the video is given up and not charged.
 */
export function createVendorUpscaler(ctx: UpscalerContext): VendorUpscaler {
  return {
    cut: ({ firstAt, endsAt }, frames) => [{ from: firstAt, to: endsAt, frames: frames.length }],
    async work(request, run) {
      const { vendorJobId, submittedMsAgo } = request;
      if (vendorJobId !== null) return poll(ctx, request, vendorJobId, run);
      if (submittedMsAgo === null) return submit(ctx, request, run);
      return unconfirmed("its worker died before the response was recorded");
    },
    forget: (vendorJobId) => ctx.fal.cancel(vendorJobId),
  };
}

async function submit(
  ctx: UpscalerContext,
  request: SegmentRequest,
  run: SegmentRun,
): Promise<SegmentResult> {
  const { fal } = ctx;
  if (!(await run.claimSubmit())) return waiting(pollMsMin); // another worker has taken the segment
  const { target } = request.video;
  const sourceUrl = linkOf(ctx, request);
  const asked = await fal.submit({ sourceUrl, target, framesPerSecond: rateOf(request) });
  ctx.metrics.vendorSubmits.add({ ...account, outcome: asked.kind });
  note(ctx, request, "submit upscale", asked);
  switch (asked.kind) {
    case "accepted":
      if (!(await run.recordSubmit(asked.jobId))) await fal.cancel(asked.jobId);
      return waiting(pollMsMin);
    case "unknown":
      return unconfirmed(asked.detail);
    case "refused":
      await run.recordSubmit(null);
      return failed(asked.code, withoutLink(asked.detail, sourceUrl));
    case "throttled":
    case "unavailable": {
      await run.recordSubmit(null);
      const requestedMs = asked.kind === "throttled" ? asked.retryAfterMs : null;
      return waiting(Math.min(Math.max(requestedMs ?? refusedMs, pollMsMin), refusedMsMax));
    }
  }
}

async function poll(
  ctx: UpscalerContext,
  request: SegmentRequest,
  vendorJobId: string,
  run: SegmentRun,
): Promise<SegmentResult> {
  const seen = await ctx.fal.poll(vendorJobId);
  ctx.metrics.vendorPolls.add({ ...account, outcome: seen.kind });
  if (seen.kind !== "waiting") note(ctx, request, "poll upscale", seen);
  const submittedMsAgo = request.submittedMsAgo ?? 0;
  const again = waiting(Math.min(Math.max(submittedMsAgo / 4, pollMsMin), pollMsMax));
  switch (seen.kind) {
    case "waiting":
    case "unavailable":
      return again;
    case "missing":
      if (submittedMsAgo < unknownMsMax) return again;
      return failed("vendor_failed", `the vendor no longer knows job ${vendorJobId}`);
    case "failed":
      return failed(seen.code, withoutLink(seen.detail, linkOf(ctx, request)));
    case "succeeded": {
      const taken = await takeResult(ctx.safeFetch, seen.mediaUrl, request.video, run);
      if (taken.kind === "fault") return failed("output_unusable", taken.fault);
      return { ...taken, kind: "done" };
    }
  }
}

function waiting(againMs: number): SegmentResult {
  return { kind: "waiting", againMs, framesDone: 0 }; // the vendor reports no progress
}

function failed(code: FailureCode, reason: string): SegmentResult {
  return { kind: "failed", code, reason };
}

function unconfirmed(detail: string): SegmentResult {
  const reason = `the vendor may have accepted the job, which is not submitted again: ${detail}`;
  return failed("vendor_unconfirmed", reason);
}

function linkOf({ signer }: UpscalerContext, { sourceKey }: SegmentRequest): string {
  return vendorUrl(signer, sourceKey);
}

/** The link grants access to the source, so it is removed from details. */
function withoutLink(detail: string, link: string): string {
  const [address = link] = link.split("?");
  const [before = "", ...after] = detail.split(address);
  return [before, ...after.map((text) => text.replace(/^\?[^\s"']*/, ""))].join("the source");
}

/** Returns the average frame rate: there are videos whose frames come irregularly. */
function rateOf({ video, segment }: SegmentRequest): number {
  return (segment.frames * 1000) / shownMsOf(video);
}

function note(
  ctx: UpscalerContext,
  request: SegmentRequest,
  call: "submit upscale" | "poll upscale",
  outcome: { kind: string; detail?: string },
): void {
  const detail = withoutLink(outcome.detail ?? "", linkOf(ctx, request));
  const isGood = outcome.kind === "accepted" || outcome.kind === "succeeded";
  ctx.log[isGood ? "info" : "warn"]({
    event: "vendor.called",
    vendor: "fal",
    call,
    taskId: request.taskId,
    outcome: outcome.kind,
    detail,
  });
}
