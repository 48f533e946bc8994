import { context, createContextKey } from "@opentelemetry/api";
import { afterAll, expect, vi } from "vitest";
import { confinementState } from "../../src/media/probe/confine.ts";
import { models } from "../../src/models/catalogue.ts";

const probe = createContextKey("probe");

/**
 * Test files share a process and its modules. One that leaves them changed fails itself, rather than a
 * later one: it restores what it changes, or is named in vitest.config.ts as one that runs alone.
 */
const [before, partsBefore, envBefore] = [processState(), modelParts(), environment()];
afterAll(() => {
  expect(processState(), "left behind for other test files").toEqual(before);
  const isChanged = modelParts().some((part, index) => part !== partsBefore[index]);
  expect(isChanged, "the models are changed for other test files").toBe(false);
  expect(changedNames(envBefore, environment())).toEqual([]);
});

function processState() {
  return {
    dir: process.cwd(),
    hasFakeTimers: vi.isFakeTimers(),
    mocked: [performance.now, Date.now, fetch].filter((one) => vi.isMockFunction(one)),
    isTracing: context.with(context.active().setValue(probe, 1), hasProbe),
    isConfined: confinementState().isConfined,
  };
}

/** Only a global context manager, which traces need, keeps a context. */
function hasProbe(): boolean {
  return context.active().getValue(probe) === 1;
}

function modelParts(): unknown[] {
  const shapes = models.flatMap(({ modes }) => modes.map(({ inputs }) => inputs.shape));
  return [...models, ...shapes].flatMap((part) => Object.entries(part).flat());
}

function environment(): NodeJS.ProcessEnv {
  // biome-ignore lint/style/noProcessEnv: compared, not read
  const { VIPSHOME: _, ...env } = process.env; // set by sharp when it is loaded
  return env;
}

/** Values may be secrets. */
function changedNames(one: NodeJS.ProcessEnv, other: NodeJS.ProcessEnv): string[] {
  return Object.keys({ ...one, ...other }).filter((name) => one[name] !== other[name]);
}
