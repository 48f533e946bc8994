import type { Command, Option } from "commander";
import { exitCodeMeanings } from "../exit-codes.ts";

export const environment: Readonly<Record<string, string>> = {
  ZOETROPE_API_KEY: "the API key, in place of a login; needs ZOETROPE_BASE_URL",
  ZOETROPE_BASE_URL: "the service",
  ZOETROPE_SERVICE_KEY:
    "the service key of 'admin', in place of its login; needs ZOETROPE_BASE_URL",
  ZOETROPE_KEYCHAIN: "off: the key is stored in a file, not in the system's keychain",
  ZOETROPE_IMAGES: "kitty, iterm, chafa or none: how posters are shown",
  ZOETROPE_WEBHOOK_SECRET:
    "the secret that signs what 'webhooks listen' forwards (default: a new one)",
  NO_COLOR: "no colours",
  XDG_CONFIG_HOME: "where the login is stored (default: ~/.config)",
  XDG_CACHE_HOME: "where models and uploads are cached (default: ~/.cache)",
};

interface DescribedCommand {
  name: string;
  description: string;
  arguments: { name: string; description: string; required: boolean; variadic: boolean }[];
  options: { flags: string; description: string; choices: string[] | undefined }[];
  commands: DescribedCommand[];
}

/** The surface of the program, for programs. */
export function describeProgram(program: Command) {
  return {
    version: program.version(),
    ...describeCommand(program),
    modelInputs:
      "generate and quote take every input of the model in --model as a flag; see 'models'",
    exitCodes: exitCodeMeanings,
    environment,
  };
}

function describeCommand(command: Command): DescribedCommand {
  return {
    name: command.name(),
    description: command.description(),
    arguments: command.registeredArguments.map((one) => ({
      name: one.name(),
      description: one.description,
      required: one.required,
      variadic: one.variadic,
    })),
    options: command.options.map(describeOption),
    commands: command.commands.map(describeCommand),
  };
}

function describeOption({ flags, description, argChoices }: Option) {
  return { flags, description, choices: argChoices };
}
