import type { Command } from "commander";

interface Level {
  /** The words before it, such as `tasks list`. */
  path: string;
  words: { word: string; text: string }[];
}

/** A script that completes the commands and options of this version. */
export function renderCompletions(program: Command, shell: string): string {
  const levels = levelsOf(program, "");
  if (shell === "fish") return renderFish(levels);
  const bash = renderBash(levels);
  return shell === "zsh"
    ? `#compdef zoetrope\nautoload -U +X bashcompinit && bashcompinit\n${bash}`
    : bash;
}

function levelsOf(command: Command, path: string): Level[] {
  const visible = command.commands;
  const own = visible.map((one) => ({ word: one.name(), text: one.description() }));
  const options = command.options.map((one) => ({ word: one.long ?? "", text: one.description }));
  const choices = command.registeredArguments.flatMap((one) => one.argChoices ?? []);
  const words = [...own, ...choices.map((word) => ({ word, text: "" })), ...options];
  const below = visible.flatMap((one) => levelsOf(one, `${path} ${one.name()}`.trim()));
  return [{ path, words: words.filter(({ word }) => word !== "") }, ...below];
}

function renderBash(levels: readonly Level[]): string {
  const paths = levels.flatMap(({ path }) => (path === "" ? [] : `"${path}"`)).join("|");
  const cases = levels.map(
    ({ path, words }) => `    "${path}") words="${words.map(({ word }) => word).join(" ")}" ;;`,
  );
  return `_zoetrope() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" path="" words="" next="" at=1
  while [ "$at" -lt "$COMP_CWORD" ]; do
    next="\${path:+$path }\${COMP_WORDS[$at]}"
    case "$next" in
      ${paths}) path="$next" ;;
    esac
    at=$((at + 1))
  done
  case "$path" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _zoetrope zoetrope
`;
}

function renderFish(levels: readonly Level[]): string {
  const lines = levels.flatMap(({ path, words }) => {
    const above = path.split(" ").map((word) => `__fish_seen_subcommand_from ${word}`);
    const commands = words.filter(({ word }) => !word.startsWith("-")).map(({ word }) => word);
    const not =
      commands.length === 0 ? "" : `; and not __fish_seen_subcommand_from ${commands.join(" ")}`;
    const where = path === "" ? "__fish_use_subcommand" : `${above.join("; and ")}${not}`;
    return words.map(({ word, text }) => {
      const what = word.startsWith("--") ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c zoetrope -n '${where}' ${what} -d '${text.replace(/[\\']/g, "\\$&")}'`;
    });
  });
  return `${lines.join("\n")}\n`;
}
