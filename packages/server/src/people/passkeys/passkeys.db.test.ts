import { afterAll, beforeAll, expect, test } from "vitest";
import { type Authenticator, createAuthenticator } from "../../../test/harness/authenticator.ts";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import { newId, type PersonActor, type PersonId, type SessionId } from "../../ids.ts";
import { addPasskey, beginPasskey, passkeysMax } from "./register-passkey.ts";
import { handleOf } from "./relying-party.ts";
import { assertionBody, registrationBody } from "./schema.ts";
import { signInWithPasskey } from "./sign-in-with-passkey.ts";
import { beginPasskeyUse } from "./use-passkey.ts";

const origin = "https://studio.example";
const refusal = { code: "passkey_refused" };

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed({ PUBLIC_URL: `${origin}/` });
});
afterAll(() => bed[Symbol.asyncDispose]());

async function openPersonRow(): Promise<PersonActor> {
  const personId = newId<PersonId>(0);
  const email = `${personId}@example.com`;
  await bed.database.sql("insert into people (id, email, name) values ($1, $2, 'Ada')", [
    personId,
    email,
  ]);
  return { kind: "person", personId, address: "192.0.2.1", requestId: null };
}

const sessionOf = ({ personId }: PersonActor) => ({ id: newId<SessionId>(0), personId });

type Changes = Parameters<Authenticator["create"]>[1];
const ada = { email: "ada@example.com", name: "Ada" };

async function register(actor: PersonActor, authenticator: Authenticator, changes?: Changes) {
  const { options } = await beginPasskey(bed.ctx, actor, ada);
  const credential = authenticator.create(options, changes);
  // Through the schema of the route, as from a browser.
  return addPasskey(
    bed.ctx,
    sessionOf(actor),
    actor,
    registrationBody.parse({ name: "laptop", credential }),
  );
}

/** Signs in; whom. */
async function use(credential: unknown) {
  const facts = {
    address: "192.0.2.1",
    network: "192.0.2.1",
    userAgent: "test",
    deviceToken: null,
    requestId: crypto.randomUUID(),
  };
  const body = assertionBody.parse({ credential });
  const { id } = await signInWithPasskey(bed.ctx, body, facts);
  const [session] = await bed.database.sql<{ personId: PersonId }>(
    `select person_id as "personId" from sessions where id = $1 and not awaits_factor`,
    [id],
  );
  return { personId: session?.personId };
}

async function signIn(authenticator: Authenticator, changes?: Changes) {
  const { options } = await beginPasskeyUse(bed.ctx, null);
  return use(authenticator.get(options, changes));
}

test("a passkey signs its person in, and asks for discoverable credentials and user verification", async () => {
  const actor = await openPersonRow();
  const authenticator = createAuthenticator(origin);
  const { options } = await beginPasskey(bed.ctx, actor, ada);
  expect(options).toMatchObject({
    rp: { id: "studio.example" },
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    attestation: "none",
    excludeCredentials: [],
  });
  await register(actor, authenticator);
  expect((await signIn(authenticator)).personId).toBe(actor.personId);
  expect((await signIn(authenticator)).personId).toBe(actor.personId);
  const again = await beginPasskey(bed.ctx, actor, ada);
  expect(again.options.excludeCredentials).toHaveLength(1);
});

test("a challenge is answered once, whether the answer was right or wrong", async () => {
  const actor = await openPersonRow();
  const authenticator = createAuthenticator(origin);
  await register(actor, authenticator);
  const { options } = await beginPasskeyUse(bed.ctx, null);
  const answer = authenticator.get(options);
  await use(answer);
  await expect(use(answer)).rejects.toMatchObject(refusal);
  await expect(use(authenticator.get(options))).rejects.toMatchObject(refusal);
  const second = (await beginPasskeyUse(bed.ctx, null)).options;
  const wrong = use(authenticator.get(second, { isSignatureWrong: true }));
  await expect(wrong).rejects.toMatchObject(refusal);
  await expect(use(authenticator.get(second))).rejects.toMatchObject(refusal);
});

test("a challenge that was answered ten times at once is accepted once", async () => {
  const actor = await openPersonRow();
  const authenticator = createAuthenticator(origin, [], { isCounting: false });
  await register(actor, authenticator);
  const { options } = await beginPasskeyUse(bed.ctx, null);
  const answer = authenticator.get(options);
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => use(answer)));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("a challenge that is older than five minutes, of our own making or never given is refused", async () => {
  const actor = await openPersonRow();
  const authenticator = createAuthenticator(origin);
  await register(actor, authenticator);
  const { options } = await beginPasskeyUse(bed.ctx, null);
  const [left] = await bed.database.sql<{ seconds: number }>(
    "select extract(epoch from max(expires_at) - now())::int as seconds from passkey_challenges",
  );
  expect(left?.seconds).toBeGreaterThan(60);
  expect(left?.seconds).toBeLessThanOrEqual(300);
  await bed.database.sql("update passkey_challenges set expires_at = now() - interval '1 second'");
  await expect(use(authenticator.get(options))).rejects.toMatchObject(refusal);
  const forged = Buffer.alloc(32, 7).toString("base64url");
  await expect(signIn(authenticator, { challenge: forged })).rejects.toMatchObject(refusal);
});

test("expired challenges go when new ones come", async () => {
  await bed.database.sql("delete from passkey_challenges");
  for (let index = 0; index < 5; index++) await beginPasskeyUse(bed.ctx, null);
  await bed.database.sql("update passkey_challenges set expires_at = now() - interval '1 second'");
  await beginPasskeyUse(bed.ctx, null);
  expect(await bed.database.sql("select 1 from passkey_challenges")).toHaveLength(1);
});

test("a challenge for a registration is neither for a sign-in nor for another person", async () => {
  const [actor, other] = [await openPersonRow(), await openPersonRow()];
  const authenticator = createAuthenticator(origin);
  await register(actor, authenticator);
  const { options } = await beginPasskey(bed.ctx, actor, ada);
  const asSignIn = authenticator.get({ challenge: options.challenge, rpId: "studio.example" });
  await expect(use(asSignIn)).rejects.toMatchObject(refusal);
  const credential = createAuthenticator(origin).create(options);
  const body = registrationBody.parse({ name: "stolen", credential });
  await expect(addPasskey(bed.ctx, sessionOf(other), other, body)).rejects.toMatchObject(refusal);
});

test("a page at another origin, another host, or without user verification is refused", async () => {
  const actor = await openPersonRow();
  const authenticator = createAuthenticator(origin);
  for (const changes of [
    { origin: "https://evil.example" },
    { origin: "https://studio.example.evil.example" },
    { origin: "http://studio.example" },
    { isUserVerified: false },
  ]) {
    await expect(register(actor, createAuthenticator(origin), changes)).rejects.toMatchObject(
      refusal,
    );
  }
  await register(actor, authenticator);
  for (const changes of [
    { origin: "https://evil.example" },
    { origin: "https://studio.example:8443" },
    { isUserVerified: false },
    { isSignatureWrong: true },
  ])
    await expect(signIn(authenticator, changes)).rejects.toMatchObject(refusal);
  expect((await signIn(authenticator)).personId).toBe(actor.personId);
});

test("a passkey for another host is refused", async () => {
  const actor = await openPersonRow();
  const { options } = await beginPasskey(bed.ctx, actor, ada);
  const elsewhere = { ...options, rp: { id: "evil.example", name: "evil" } };
  const credential = createAuthenticator(origin).create(elsewhere);
  const body = registrationBody.parse({ name: "laptop", credential });
  await expect(addPasskey(bed.ctx, sessionOf(actor), actor, body)).rejects.toMatchObject(refusal);
});

test("a cloned passkey is refused once the original has counted further", async () => {
  const actor = await openPersonRow();
  const authenticator = createAuthenticator(origin);
  await register(actor, authenticator);
  const clone = authenticator.clone();
  await signIn(authenticator);
  await signIn(authenticator);
  await expect(signIn(clone)).rejects.toMatchObject(refusal);
  expect((await signIn(authenticator)).personId).toBe(actor.personId);
});

test("original and clone with the same count at the same moment: one of them is accepted", async () => {
  const actor = await openPersonRow();
  const authenticator = createAuthenticator(origin);
  await register(actor, authenticator);
  const clone = authenticator.clone();
  const results = await Promise.allSettled([signIn(authenticator), signIn(clone)]);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("a synchronised passkey, which counts nothing, signs in again and again", async () => {
  const actor = await openPersonRow();
  const authenticator = createAuthenticator(origin, [], { isCounting: false });
  await register(actor, authenticator);
  await signIn(authenticator);
  expect((await signIn(authenticator)).personId).toBe(actor.personId);
});

test("a passkey that claims to be another person's is refused, and cannot be registered by two people", async () => {
  const [ownerOf, thief] = [await openPersonRow(), await openPersonRow()];
  const authenticator = createAuthenticator(origin);
  await register(ownerOf, authenticator);
  const userHandle = handleOf(thief.personId).toString("base64url");
  await expect(signIn(authenticator, { userHandle })).rejects.toMatchObject(refusal);
  const unknown = createAuthenticator(origin);
  unknown.create({ challenge: "", rp: { id: "studio.example" }, user: { id: userHandle } });
  await expect(signIn(unknown)).rejects.toMatchObject(refusal);
  // The same credential id again, as a hostile authenticator would send it.
  const { options } = await beginPasskey(bed.ctx, thief, ada);
  const copied = createAuthenticator(origin).create(options);
  const known = await bed.database.sql<{ id: Buffer }>(
    "select credential_id as id from passkeys where person_id = $1",
    [ownerOf.personId],
  );
  const id = known[0]?.id ?? Buffer.alloc(0);
  const attestation = Buffer.from(copied.response.attestationObject, "base64url");
  const at = attestation.indexOf(Buffer.from(copied.id, "base64url"));
  id.copy(attestation, at);
  const text = id.toString("base64url");
  const credential = {
    ...copied,
    id: text,
    rawId: text,
    response: { ...copied.response, attestationObject: attestation.toString("base64url") },
  };
  const body = registrationBody.parse({ name: "copy", credential });
  await expect(addPasskey(bed.ctx, sessionOf(thief), thief, body)).rejects.toMatchObject({
    code: "passkey_exists",
  });
});

test("a person has at most 20 passkeys, also when many are added at once", async () => {
  const actor = await openPersonRow();
  const begun = await Promise.all(
    Array.from({ length: passkeysMax + 2 }, () => beginPasskey(bed.ctx, actor, ada)),
  );
  const results = await Promise.allSettled(
    begun.map(({ options }) => {
      const credential = createAuthenticator(origin).create(options);
      return addPasskey(
        bed.ctx,
        sessionOf(actor),
        actor,
        registrationBody.parse({ name: "many", credential }),
      );
    }),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(passkeysMax);
  const another = beginPasskey(bed.ctx, actor, ada);
  await expect(another).rejects.toMatchObject({ code: "passkeys_limit" });
});
