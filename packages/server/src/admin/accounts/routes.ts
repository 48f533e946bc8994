import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { staffRefusals } from "../../http/error-answers.ts";
import type { AdminContext } from "../context.ts";
import { accountParams, done, readAccountId, readers, reasonBody, writers } from "../schema.ts";
import { addNote } from "./add-note.ts";
import { changeAccount } from "./change-account.ts";
import { createCustomerAccount } from "./create-customer-account.ts";
import {
  accountAnswer,
  accountsPage,
  accountsQuery,
  changeAccountBody,
  createAccountAnswer,
  createAccountBody,
  noteAnswer,
  noteBody,
} from "./schema.ts";
import { searchAccounts } from "./search-accounts.ts";
import { showAccount, viewAccount } from "./show-account.ts";
import { resumeAccount, suspendAccount } from "./suspend-account.ts";

const url = "/api/admin/v1/accounts";
const tags = ["accounts"];

export function staffAccountRoutes(ctx: AdminContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      url,
      {
        config: readers("accounts"),
        schema: {
          operationId: "searchAccounts",
          summary: "Search accounts",
          tags,
          querystring: accountsQuery,
          response: { 200: accountsPage, ...staffRefusals(400) },
        },
      },
      async ({ query: { suspended, ...search } }) => {
        const found = await searchAccounts(ctx.db, {
          ...search,
          isSuspended: suspended === "true",
        });
        return { items: found.items.map(viewAccount), nextCursor: found.nextCursor };
      },
    );

    app.post(
      url,
      {
        config: writers("accounts"),
        schema: {
          operationId: "createAccount",
          summary: "Create an account",
          tags,
          body: createAccountBody,
          response: { 200: createAccountAnswer, ...staffRefusals(400, 413, 415) },
        },
      },
      ({ actor, body }) => {
        const { name, priceBook, openTasksMax, asOwner } = body;
        return createCustomerAccount(ctx, actor, {
          name,
          asOwner,
          priceBook,
          openTasksMax,
        });
      },
    );

    app.get(
      `${url}/:accountId`,
      {
        config: readers("accounts"),
        schema: {
          operationId: "readAccount",
          summary: "Read an account",
          tags,
          params: accountParams,
          response: { 200: accountAnswer, ...staffRefusals(404) },
        },
      },
      ({ params }) => showAccount(ctx, readAccountId(params)),
    );
    changes(app, ctx);
  };
}

const changes = (app: Parameters<FastifyPluginAsyncZod>[0], ctx: AdminContext): void => {
  const refused = staffRefusals(400, 404, 409, 413, 415);

  app.patch(
    `${url}/:accountId`,
    {
      config: writers("accounts"),
      schema: {
        operationId: "changeAccount",
        tags,
        summary: "Change name, prices and limits",
        params: accountParams,
        body: changeAccountBody,
        response: { 200: done, ...refused },
      },
    },
    async ({ actor, params, body }) => {
      await changeAccount(ctx, actor, readAccountId(params), body);
      return {};
    },
  );

  app.post(
    `${url}/:accountId/suspend`,
    {
      config: writers("accounts"),
      schema: {
        operationId: "suspendAccount",
        tags,
        summary: "Accept nothing new from an account",
        params: accountParams,
        body: reasonBody,
        response: { 200: done, ...refused },
      },
    },
    async ({ actor, params, body }) => {
      await suspendAccount(ctx, actor, readAccountId(params), body.reason);
      return {};
    },
  );

  app.post(
    `${url}/:accountId/resume`,
    {
      config: writers("accounts"),
      schema: {
        operationId: "resumeAccount",
        summary: "End a suspension",
        tags,
        params: accountParams,
        body: reasonBody,
        response: { 200: done, ...refused },
      },
    },
    async ({ actor, params, body }) => {
      await resumeAccount(ctx, actor, readAccountId(params), body.reason);
      return {};
    },
  );

  app.post(
    `${url}/:accountId/notes`,
    {
      config: writers("accounts"),
      schema: {
        operationId: "addAccountNote",
        tags,
        summary: "Add a note that only staff can read",
        params: accountParams,
        body: noteBody,
        response: { 200: noteAnswer, ...refused },
      },
    },
    async ({ actor, params, body }) => ({
      noteId: await addNote(ctx, actor, readAccountId(params), body.note),
    }),
  );
};
