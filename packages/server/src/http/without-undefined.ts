/** An object whose members that may be undefined are optional instead. */
type WithoutUndefined<Values> = {
  [Name in keyof Values as undefined extends Values[Name] ? never : Name]: Values[Name];
} & {
  [Name in keyof Values as undefined extends Values[Name] ? Name : never]?: Exclude<
    Values[Name],
    undefined
  >;
};

/** Returns the members that are not undefined, for what treats an undefined member unlike a missing one. */
export function withoutUndefined<Values extends object>(values: Values): WithoutUndefined<Values> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as WithoutUndefined<Values>;
}
