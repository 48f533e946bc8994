import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** A passkey authenticator and its browser in software: makes ES256 keys and really signs with them. */
export interface Authenticator {
  /** Answers `navigator.credentials.create`. */
  create(options: unknown, changes?: Changes): CreatedCredential;
  /** Answers `navigator.credentials.get`, with the newest passkey of that host unless told otherwise. */
  get(options: unknown, changes?: Changes): UsedCredential;
  /** A copy with the same keys and counters: what a thief would have. */
  clone(): Authenticator;
}

interface Changes {
  /** The origin that the page claims. */
  origin?: string;
  isUserVerified?: boolean;
  /** The id of the passkey in base64url. */
  credentialId?: string;
  userHandle?: string;
  challenge?: string;
  isSignatureWrong?: boolean;
}

interface Credential {
  id: Buffer;
  rpId: string;
  userHandle: string;
  privateKey: KeyObject;
  counter: number;
}

interface CreatedCredential {
  id: string;
  rawId: string;
  type: "public-key";
  response: { clientDataJSON: string; attestationObject: string; transports: string[] };
  clientExtensionResults: Record<string, never>;
}

interface UsedCredential {
  id: string;
  rawId: string;
  type: "public-key";
  response: {
    clientDataJSON: string;
    authenticatorData: string;
    signature: string;
    userHandle: string;
  };
  clientExtensionResults: Record<string, never>;
}

interface CreationOptions {
  challenge: string;
  rp: { id: string };
  user: { id: string };
}

export function createAuthenticator(
  origin: string,
  credentials: Credential[] = [],
  /** Passkeys that are synchronised between devices count nothing. */
  { isCounting = true } = {},
): Authenticator {
  const counted = (count: number) => (isCounting ? count + 1 : 0);
  return {
    create(given, changes = {}) {
      const { challenge, rp, user } = given as CreationOptions;
      const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const made = {
        id: randomBytes(32),
        rpId: rp.id,
        userHandle: user.id,
        privateKey,
        counter: counted(0),
      };
      credentials.push(made);
      const { x = "", y = "" } = publicKey.export({ format: "jwk" });
      const coseKey = cbor(
        new Map<number, number | Buffer>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, "base64url")],
          [-3, Buffer.from(y, "base64url")],
        ]),
      );
      const idLength = Buffer.alloc(2);
      idLength.writeUInt16BE(made.id.length);
      const attested = Buffer.concat([Buffer.alloc(16), idLength, made.id, coseKey]);
      const authData = authDataOf(made, changes, attested);
      const attestation = cbor(
        new Map<string, string | Buffer | Map<string, never>>([
          ["fmt", "none"],
          ["attStmt", new Map<string, never>()],
          ["authData", authData],
        ]),
      );
      return {
        ...named(made.id),
        response: {
          clientDataJSON: clientData("webauthn.create", challenge, origin, changes),
          attestationObject: attestation.toString("base64url"),
          transports: ["internal"],
        },
      };
    },
    get(given, changes = {}) {
      const { challenge, rpId } = given as { challenge: string; rpId: string };
      const own = credentials.filter((each) => each.rpId === rpId);
      const used = own.findLast(
        ({ id }) => (changes.credentialId ?? id.toString("base64url")) === id.toString("base64url"),
      );
      if (used === undefined) throw new Error(`no passkey for ${rpId}`);
      used.counter = counted(used.counter);
      const authenticatorData = authDataOf(used, changes, Buffer.alloc(0));
      const clientDataJSON = clientData("webauthn.get", challenge, origin, changes);
      const signed = Buffer.concat([
        authenticatorData,
        sha256(Buffer.from(clientDataJSON, "base64url")),
        Buffer.from(changes.isSignatureWrong ? "more" : ""),
      ]);
      return {
        ...named(used.id),
        response: {
          clientDataJSON,
          authenticatorData: authenticatorData.toString("base64url"),
          signature: sign("sha256", signed, used.privateKey).toString("base64url"),
          userHandle: changes.userHandle ?? used.userHandle,
        },
      };
    },
    clone: () =>
      createAuthenticator(
        origin,
        credentials.map((each) => ({ ...each })),
        { isCounting },
      ),
  };
}

function named(id: Buffer) {
  const text = id.toString("base64url");
  return { id: text, rawId: text, type: "public-key" as const, clientExtensionResults: {} };
}

function clientData(type: string, challenge: string, origin: string, changes: Changes): string {
  const data = {
    type,
    challenge: changes.challenge ?? challenge,
    origin: changes.origin ?? origin,
    crossOrigin: false,
  };
  return Buffer.from(JSON.stringify(data)).toString("base64url");
}

const flags = { userPresent: 0x01, userVerified: 0x04, attested: 0x40 };

function authDataOf(credential: Credential, changes: Changes, attested: Buffer): Buffer {
  const bits =
    flags.userPresent |
    (changes.isUserVerified === false ? 0 : flags.userVerified) |
    (attested.length > 0 ? flags.attested : 0);
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(credential.counter);
  return Buffer.concat([
    sha256(Buffer.from(credential.rpId)),
    Buffer.from([bits]),
    counter,
    attested,
  ]);
}

function sha256(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

/** Encodes the part of CBOR (RFC 8949) that an attestation needs: lengths below 65,536. */
function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value >= 0 ? cborHead(0, value) : cborHead(1, -1 - value);
  if (typeof value === "string") {
    const bytes = Buffer.from(value);
    return Buffer.concat([cborHead(3, bytes.length), bytes]);
  }
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value]);
  const members = [...value].flatMap(([key, member]) => [cbor(key), cbor(member)]);
  return Buffer.concat([cborHead(5, value.size), ...members]);
}

function cborHead(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 0xff]);
}
