/** The part of the optional package that the server uses, whether or not it is installed. */
declare module "@zoetrope/signer" {
  export const signer: import("./load-signer.ts").Signer;
}
