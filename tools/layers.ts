/**
 * Who may import whom in `packages/server/src`: a folder or file imports from its own line's entry and
 * from lines below. Entries of one line do not import each other.
 */
export const layers: readonly (readonly string[])[] = [
  ["main.ts"],
  ["docs"],
  ["open-shards.ts"],
  ["open-context.ts"],
  ["api", "worker", "operator"],
  ["admin", "mcp"],
  ["history"],
  ["generation"],
  ["upscale"],
  ["assets"],
  ["live"],
  ["tasks"],
  ["webhooks"],
  ["people"],
  ["accounts"],
  ["credits"],
  ["switches"],
  ["audit"],
  ["mail"],
  ["vendor-accounts"],
  ["vendors"],
  ["models"],
  ["context.ts"],
  ["http"],
  ["engine", "media"],
  ["db"],
  ["invalid-parameters.ts", "work-dir.ts"],
  ["config.ts", "environment.ts"],
  ["owner-settings.ts"],
  ["settings.ts"],
  ["metrics", "secret-files.ts", "tracing"],
  [
    "errors.ts",
    "key-ring.ts",
    "language.ts",
    "log.ts",
    "semaphore.ts",
    "setting.ts",
    "signal.ts",
    "storage-config.ts",
    "take-oldest.ts",
    "unfinished.ts",
    "version.ts",
    "within-ms.ts",
  ],
  ["actor.ts"],
  ["ids.ts"],
];

export interface Fence {
  /** Files that the rule is about, tests excepted. */
  files: RegExp;
  /** What none of them imports: a package, or a file named from the root. */
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
    except: /(-(object|service)\.ts$)|(\/src\/(engine|worker)\/)/,
    why: "only *-object.ts, *-service.ts, engine/ and worker/ speak to the engine",
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
    never: /^@zoetrope\/(?!(reviewer|mcp|sdk)$)/,
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
    files: /^packages\/reviewer\/src\//,
    never: /^(@zoetrope\/|packages\/(?!reviewer\/))/,
    why: "the reviewer imports nothing of this repository",
  },
  {
    files: /^packages\/server\/src\/models\//,
    never: /^packages\/server\/src\/(?!models\/|errors\.ts|invalid-parameters\.ts|language\.ts)/,
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
    files: /^(chaos\/src\/check|acceptance)\//,
    never: /^(@zoetrope\/server|packages\/server\/)/,
    why: "the checker imports nothing of the service that it checks",
  },
];
