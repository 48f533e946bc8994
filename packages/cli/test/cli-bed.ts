import { issueServiceKey } from "@zoetrope/dev/open-admin.ts";
import { freePort } from "@zoetrope/dev/services/ports.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { openHome, type Person, runCli } from "./start-cli.ts";

/** A whole service, and people with the command line. */
export interface CliBed extends AsyncDisposable {
  readonly stack: Stack;
  /** The folder in which homes are. */
  readonly dir: string;
  openPerson(account?: { credits?: number; openTasksMax?: number }): Promise<Person>;
  /** Somebody with a service key of every scope. */
  openOperator(): Promise<Person>;
}

export async function openCliBed(): Promise<CliBed> {
  const scratch = await makeScratch("cli");
  const port = String(await freePort());
  const links = { API_PORT: port, PUBLIC_URL: `http://localhost:${port}` }; // as dev prints them
  const stack = await startStack({
    dir: scratch.path,
    serverEnv: { POLL_FIRST_MS: "500", REVIEW_IMAGE: "manual", ...links },
    sandboxEnv: { SANDBOX_DRAFT: "true" },
  });
  let people = 0;
  return {
    stack,
    dir: scratch.path,
    async openPerson(account = {}) {
      const name = `person-${++people}`;
      const { key } = await stack.openAccount({ name, credits: 10_000, ...account });
      const env = { ZOETROPE_API_KEY: key, ZOETROPE_BASE_URL: stack.apiUrl };
      return { home: await openHome(scratch.path, name), env };
    },
    async openOperator() {
      const key = await issueServiceKey(stack.databaseOwnerUrl);
      const env = { ZOETROPE_SERVICE_KEY: key, ZOETROPE_BASE_URL: stack.apiUrl };
      return { home: await openHome(scratch.path, `operator-${++people}`), env };
    },
    async [Symbol.asyncDispose]() {
      await stack.stop();
      await scratch.remove();
    },
  };
}

/** Runs commands of `zoetrope admin`; in their words _ stands for a space. */
export function adminOf(operator: Person) {
  return async (args: string, stdin?: string) => {
    const words = args.split(" ").map((word) => word.replaceAll("_", " "));
    const ended = await runCli(operator, ["admin", ...words], stdin);
    return { ...ended, answer: ended.code === 0 ? JSON.parse(ended.stdout) : null };
  };
}
