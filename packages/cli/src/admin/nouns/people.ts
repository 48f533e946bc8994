import { Option } from "commander";
import { usageError } from "../../cli-error.ts";
import { type AdminNoun, type Answer, option, part, pick, required } from "../admin-command.ts";

const rowsOf = (answer: Answer, field: string, state: string): Answer[] =>
  ((answer[field] ?? []) as Answer[]).map((one) => ({ ...one, state }));

export const people: AdminNoun = {
  name: "people",
  about: "people of accounts and of the staff",
  commands: [
    {
      usage: "list",
      does: "list the staff, or the people of an account, with open invitations",
      options: [option("--account <accountId>", "of an account")],
      request: (_args, options) => ({
        method: "GET",
        path:
          typeof options["account"] === "string"
            ? `/accounts/${part(options["account"])}`
            : "/staff",
      }),
      rows: (answer) => [
        ...rowsOf(answer, "staff", "member"),
        ...rowsOf(answer, "members", "member"),
        ...rowsOf(answer, "invitations", "invited"),
      ],
      columns: ["email", "name", "role", "state", "personId"],
    },
    {
      usage: "invite <email>",
      does: "invite a person to an account by mail",
      options: [
        required("--account <accountId>", "the account"),
        new Option("--role <role>", "what the person may do there")
          .choices(["owner", "developer", "viewer"])
          .makeOptionMandatory(),
        option("--link", "print a link to hand over, where no mail server is set"),
      ],
      request: ([email], options) => ({
        method: "POST",
        path: "/accounts/invitations",
        body: { email, ...pick(options, { accountId: "account", role: "role", asLink: "link" }) },
        accountId: options["account"] as string,
      }),
    },
    {
      usage: "remove <email>",
      does: "remove a person from an account; keys that they created stay valid",
      options: [required("--account <accountId>", "the account")],
      request: async ([email = ""], options, call) => {
        const path = `/accounts/${part(options["account"] as string)}`;
        const { members } = await call({ method: "GET", path });
        const member = (members as { email: string; personId: string }[]).find(
          (one) => one.email.toLowerCase() === email.toLowerCase(),
        );
        if (member === undefined) throw usageError(`${email} is not of this account.`);
        return { method: "DELETE", path: `${path}/members/${part(member.personId)}` };
      },
      next: (_answer, _args) => "revoke keys that this person knows: zoetrope admin keys list",
    },
    {
      usage: "sign-out <email>",
      does: "end all sessions of a person and list their sign-in methods",
      options: [
        option(
          "--remove-ways",
          "remove password, passkeys, company sign-ins and authenticator app: a mailed link sets a new password",
        ),
      ],
      request: ([email], options) => ({
        method: "POST",
        path: "/people/sign-out",
        body: { email, ...pick(options, { removesWays: "removeWays" }) },
      }),
    },
    {
      usage: "remove-authenticator <email>",
      does: "remove a lost authenticator app; verify the person's identity first",
      request: ([email]) => ({
        method: "POST",
        path: "/people/remove-authenticator",
        body: { email },
      }),
    },
  ],
};
