/**
 * Faults scripted by directives in a prompt, `[sandbox:name]` or `[sandbox:name=value]`,
 * or by the control endpoint for the next creates.
 */
export interface Script {
  /** The create is refused with this outcome: a neutral name or a vendor's own code. */
  refuse?: string;
  /** 429 for every create, or for the first n with the same prompt. */
  throttle?: number;
  /** The response to create in place of the id. All but `lost` leave an accepted job. */
  answer?: "reset" | "timeout" | "500" | "garbage" | "lost";
  /** The job fails with this outcome: a neutral name or a vendor's own code. */
  fail?: string;
  /** The job expires at the moment it would have ended. */
  expire?: true;
  /** The job never leaves `running` by itself. */
  hang?: true;
  runningMs?: number;
  callbacks?: "duplicate" | "late" | "silent";
  video?: "badvideo" | "deadlink" | "brokenlink" | "wrong-length";
  /** An image comes with the one that was thought of before it. */
  thought?: true;
}

/** The bad ends of a call or a job, by names that every vendor's folder maps to its own code. */
export const neutralOutcomes = [
  "input_blocked",
  "output_blocked",
  "copyright_blocked",
  "real_person_blocked",
  "input_unusable",
  "input_unreachable",
  "vendor_refused",
  "vendor_failed",
  "vendor_unavailable",
] as const;

export type NeutralOutcome = (typeof neutralOutcomes)[number];

export function isNeutral(outcome: string): outcome is NeutralOutcome {
  return neutralOutcomes.some((name) => name === outcome);
}

/** A vendor's own code, or a neutral name. */
export const outcomePattern = /^[A-Za-z][A-Za-z0-9._-]{0,79}$/;

const directivePattern = /\[sandbox:([^\]]{0,80})\]/g;
const slowSecondsMax = 3_600;
const throttleMax = 1_000;

/** Each directive with what it needs after `=` and what it does to the script. */
const directives: Record<string, (value: string | undefined) => Script | undefined> = {
  refuse: (value) => (value && outcomePattern.test(value) ? { refuse: value } : undefined),
  throttle: (value) => {
    if (value === undefined) return { throttle: Number.POSITIVE_INFINITY };
    const times = wholeNumber(value, throttleMax);
    return times === undefined ? undefined : { throttle: times };
  },
  reset: plain({ answer: "reset" }),
  timeout: plain({ answer: "timeout" }),
  "500": plain({ answer: "500" }),
  garbage: plain({ answer: "garbage" }),
  lost: plain({ answer: "lost" }),
  fail: (value) => {
    if (value === undefined) return { fail: "vendor_failed" };
    return outcomePattern.test(value) ? { fail: value } : undefined;
  },
  expire: plain({ expire: true }),
  hang: plain({ hang: true }),
  slow: (value) => {
    const seconds = value === undefined ? undefined : wholeNumber(value, slowSecondsMax);
    return seconds === undefined ? undefined : { runningMs: seconds * 1_000 };
  },
  duplicate: plain({ callbacks: "duplicate" }),
  late: plain({ callbacks: "late" }),
  silent: plain({ callbacks: "silent" }),
  badvideo: plain({ video: "badvideo" }),
  deadlink: plain({ video: "deadlink" }),
  brokenlink: plain({ video: "brokenlink" }),
  "wrong-length": plain({ video: "wrong-length" }),
  thought: plain({ thought: true }),
};

export const knownDirectives: readonly string[] = Object.keys(directives);

/** An unknown directive: a misspelt script must not pass for a normal run. */
export class UnknownDirectiveError extends Error {
  constructor(directive: string) {
    super(
      `[sandbox:${directive}] is not a directive. Known directives: ${knownDirectives.join(", ")}.`,
    );
  }
}

/** All directives of a prompt as one script. Throws UnknownDirectiveError. */
export function readScript(prompt: string): Script {
  const script: Script = {};
  for (const [, directive = ""] of prompt.matchAll(directivePattern))
    Object.assign(script, readDirective(directive));
  return script;
}

/** One directive without its brackets, such as `fail` or `slow=30`. Throws UnknownDirectiveError. */
export function readDirective(directive: string): Script {
  const split = directive.indexOf("=");
  const name = split < 0 ? directive : directive.slice(0, split);
  const value = split < 0 ? undefined : directive.slice(split + 1);
  const script = Object.hasOwn(directives, name) ? directives[name]?.(value) : undefined;
  if (!script) throw new UnknownDirectiveError(directive);
  return script;
}

export function withoutDirectives(prompt: string): string {
  return prompt.replace(directivePattern, " ");
}

function plain(script: Script) {
  return (value: string | undefined) => (value === undefined ? script : undefined);
}

function wholeNumber(value: string, max: number): number | undefined {
  const number = /^[0-9]{1,6}$/.test(value) ? Number(value) : Number.NaN;
  return number <= max ? number : undefined;
}
