/** The switches written as `--name value` at the end of a prompt, by their JSON names. */
export interface Switches {
  /** The prompt without them. */
  text: string;
  values: Map<string, string>;
}

const names: Record<string, string> = {
  rs: "resolution",
  resolution: "resolution",
  rt: "ratio",
  ratio: "ratio",
  dur: "duration",
  duration: "duration",
  seed: "seed",
  wm: "watermark",
  watermark: "watermark",
};

/**
 * Every Seedance model reads switches at the end of a prompt as parameters. Unknown ones are
 * dropped silently. Read from the end, in time linear to the prompt.
 */
export function readSwitches(prompt: string): Switches {
  const words = [...prompt.matchAll(/\S+/g)];
  const values = new Map<string, string>();
  let end = words.length;
  while (end >= 2) {
    const name = words[end - 2]?.[0].match(/^--([a-z_]{1,30})$/)?.[1];
    const value = words[end - 1]?.[0];
    if (name === undefined || value === undefined) break;
    const parameter = Object.hasOwn(names, name) ? names[name] : undefined;
    if (parameter && !values.has(parameter)) values.set(parameter, value);
    end -= 2;
  }
  if (end === words.length) return { text: prompt, values };
  return { text: prompt.slice(0, words[end]?.index).trimEnd(), values };
}
