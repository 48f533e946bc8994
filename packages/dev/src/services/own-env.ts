/** A variable of our own environment, for what only it knows: where programs and homes are. */
export function ownEnv(name: string): string | undefined {
  // biome-ignore lint/style/noProcessEnv: not configuration; the one place in this package.
  return process.env[name];
}
