import { join } from "node:path";
import { pattern, renderFile } from "@zoetrope/testkit/make-media.ts";
import { quickUpscale } from "@zoetrope/testkit/quick-upscale.ts";
import { serveFiles } from "@zoetrope/testkit/serve-files.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { startCollector } from "@zoetrope/testkit/start-collector.ts";
import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { expect, test } from "vitest";
import { openTestBed } from "../../../test/harness/test-context.ts";
import { workAllSegments } from "../../../test/harness/work-all-segments.ts";
import { startTracing } from "../../tracing/start-tracing.ts";
import { continueTrace } from "../../tracing/trace-context.ts";
import { createUpscale } from "../create-upscale.ts";
import { validateSource } from "../validate-source.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";

test("the segments of an upscale, whoever works on them, and its wake-ups belong to its trace", async () => {
  await using scratch = await makeScratch("trace");
  await using videos = await serveFiles({ dir: scratch.path });
  const shape = { size: "320x180", rate: 5, seconds: 1 };
  const video = await renderFile(join(scratch.path, "video.mp4"), pattern(shape));
  await using engine = await startReceiver(() => 202); // stands where the engine's ingress would
  await using collector = await startCollector();
  await using bed = await openTestBed({
    RESTATE_INGRESS_URL: engine.url,
    OTLP_ENDPOINT: collector.url,
    ...quickUpscale,
  });
  const tracing = startTracing(collector.url, "test", bed.ctx.log);

  const account = await bed.openAccount();
  const source = { type: "url", url: videos.urlOf(video) } as const;
  const body = { source, targetResolution: "1080p" } as const;
  const { taskId } = await continueTrace(`00-${traceId}-b7ad6b7169203331-01`, () =>
    createUpscale(bed.ctx, account, body, null),
  );
  expect(await validateSource(bed.ctx, taskId)).toEqual({ kind: "settled" });
  await workAllSegments(bed.openAnother(), taskId);
  const wakeUps = await engine.arrived(2);
  await tracing.close();

  expect(wakeUps.map(({ path }) => path)).toEqual([
    `/upscale/${taskId}/submit/send`,
    `/upscale/${taskId}/poll/send`,
  ]);
  for (const { headers } of wakeUps)
    expect(headers["traceparent"]).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
  const spans = collector.spans();
  expect(spans.map(({ name }) => name)).toEqual([
    "wake upscale.submit",
    "work segment",
    "wake upscale.poll",
  ]);
  for (const span of spans)
    expect(span).toMatchObject({ traceId, attributes: { "zoetrope.task.id": taskId } });
});
