import { adoptLimit } from "../../src/admin/grant-limit/change-limit.ts";
import { buildApi } from "../../src/api/build-api.ts";
import { withoutUndefined } from "../../src/http/without-undefined.ts";
import { openPerson, type TestPerson } from "./open-person.ts";
import { openTestBed, type TestBed } from "./test-context.ts";

/** The prefix of the operator API. */
export const admin = "/api/admin/v1";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** An API with staff who are signed in. Above 1,000 credits in a day grants need a second person. */
export interface AdminBed extends AsyncDisposable {
  bed: TestBed;
  api: Awaited<ReturnType<typeof buildApi>>;
  operator: TestPerson;
  /** Another operator. */
  other: TestPerson;
  support: TestPerson;
  reviewer: TestPerson;
  call(
    who: { headers: Record<string, string> },
    method: Method,
    url: string,
    payload?: object,
  ): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }>;
}

export async function openAdminBed(): Promise<AdminBed> {
  const bed = await openTestBed();
  await adoptLimit(bed.ctx, 1_000);
  const api = await buildApi(bed.ctx, { rememberKeyMs: 0 });
  await api.ready();
  return {
    bed,
    api,
    operator: await openPerson(bed, { staff: "operator" }),
    other: await openPerson(bed, { staff: "operator" }),
    support: await openPerson(bed, { staff: "support" }),
    reviewer: await openPerson(bed, { staff: "reviewer" }),
    async call(who, method, url, payload) {
      const answer = await api.inject(
        withoutUndefined({
          method,
          url,
          headers: who.headers,
          payload,
        }),
      );
      return { status: answer.statusCode, body: answer.json() };
    },
    async [Symbol.asyncDispose]() {
      await api.close();
      await bed[Symbol.asyncDispose]();
    },
  };
}
