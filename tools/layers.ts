/**
 * The layers of `packages/server/src`, from top to bottom: a folder or file imports from its own
 * line's entry and from lines below. Entries of one line do not import each other.
 */
export const layers: readonly (readonly string[])[] = [
  ["main.ts", "docs"],
  ["open-context.ts"],
  ["api", "worker", "operator"],
  ["admin", "mcp"],
  ["verify"],
  ["history"],
  ["generation"],
  ["upscale"],
  ["assets", "ledger-checks", "live"],
  ["tasks"],
  ["labels"],
  ["webhooks", "people", "routing", "prices"],
  ["accounts", "switches", "vendors"],
  ["credits", "audit", "mail", "models"],
  ["context.ts", "http"],
  ["engine", "media"],
  ["settings"],
  ["batches", "secrets"],
  ["flow"],
  ["db", "metrics", "tracing"],
  ["errors.ts", "ids.ts", "log.ts", "without-undefined.ts"],
];

export interface Fence {
  /** Files that the rule is about, tests excepted. */
  files: RegExp;
  /** The imports that none of them may have: a package, or a file named from the root. */
  never: RegExp;
  /** Files that may. */
  except?: RegExp;
  why: string;
}

const server = /^packages\/server\/src\//;

export const fences: readonly Fence[] = [
  {
    files: server,
    never: /^nodemailer$/,
    except: /\/src\/mail\/transport\.ts$/,
    why: "only mail/transport.ts speaks SMTP: everybody else queues a mail",
  },
  {
    files: server,
    never: /^@restatedev\//,
    except: /(-object\.ts$)|(\/src\/(engine|worker)\/)/,
    why: "only *-object.ts, engine/ and worker/ speak to the engine",
  },
  {
    files: server,
    never: /^@opentelemetry\/(?!api$|sdk-metrics$)|^@restatedev\/restate-sdk-opentelemetry$/,
    except: /\/src\/(tracing\/start-tracing|engine\/trace-hook)\.ts$/,
    why: "what records traces is loaded only where they are on",
  },
  {
    files: server,
    never: /^(fastify|@fastify\/.*|fastify-type-provider-zod)$/,
    except: /(\/routes\.ts$)|(\/src\/(api|http)\/)/,
    why: "only routes.ts, api/ and http/ know HTTP",
  },
  {
    files: server,
    never: /^undici$/,
    except: /\/src\/(media\/fetch\/safe-fetch|vendors\/call|engine\/waker|worker\/.*)\.ts$/,
    why: "a URL that came from outside is fetched only by media/fetch/safe-fetch.ts",
  },
  {
    files: server,
    never: /^packages\/server\/src\/media\/mp4\//,
    except: /\/src\/(media\/mp4\/|generation\/collect-media\.ts$)/,
    why: "only a vendor's video is parsed in the process: files of strangers are opened confined",
  },
  {
    files: server,
    never: /^sharp$/,
    except: /\/src\/media\/image\/decoder\//,
    why: "images are decoded by media/image/decoder/ alone, a program that runs confined",
  },
  {
    files: server,
    never: /^packages\/server\/src\/media\/image\/decoder\/(?!protocol\.ts$)/,
    except: /\/src\/media\/image\/decoder\//,
    why: "the decoder is started, not imported: its process has no secrets",
  },
  {
    files: server,
    never: /^@zoetrope\/(?!(reviewer|signer|mcp|sdk)$)/,
    why: "the server imports no other package of this repository: real or emulated is only a base URL",
  },
  {
    files: server,
    never: /^@zoetrope\/(mcp|sdk)$/,
    except: /\/src\/mcp\//,
    why: "only mcp/ serves the tools, which call the server like any other client",
  },
  {
    files: server,
    never: /^@zoetrope\/reviewer$/,
    except: /\/src\/assets\/review\/automatic\/load-reviewer\.ts$/,
    why: "only load-reviewer.ts loads the optional package",
  },
  {
    files: server,
    never: /^@zoetrope\/signer$/,
    except: /\/src\/labels\/load-signer\.ts$/,
    why: "only load-signer.ts loads the optional package",
  },
  {
    files: /^packages\/signer\/src\//,
    never: /^(@zoetrope\/|packages\/(?!signer\/))/,
    why: "the signer imports nothing of this repository",
  },
  {
    files: /^packages\/reviewer\/src\//,
    never: /^(@zoetrope\/|packages\/(?!reviewer\/))/,
    why: "the reviewer imports nothing of this repository",
  },
  {
    files: /^packages\/server\/src\/models\//,
    never: /^packages\/server\/src\/(?!models\/|errors\.ts|http\/invalid-parameters\.ts)/,
    why: "models are pure",
  },
  {
    files: /^packages\/server\/src\/vendors\//,
    never: /^packages\/server\/src\/db\//,
    why: "a vendor adapter knows no database",
  },
  {
    files: /^packages\/(sandbox\/src\/|dev\/src\/services\/)/,
    never: /^@zoetrope\//,
    why: "this stands alone",
  },
  {
    files: /^packages\/(dev|testkit)\/src\//,
    never: /^(@zoetrope\/|packages\/)(server|sandbox)\//,
    why: "the service is started as processes, not imported",
  },
  {
    files: /^suites\/(chaos\/src\/check|acceptance)\//,
    never: /^(@zoetrope\/server|packages\/server\/)/,
    why: "the checker imports nothing of the service that it checks",
  },
];
