/** Builds objects without undefined parts. */

type Present<Parts> = { readonly [Name in keyof Parts]?: Exclude<Parts[Name], undefined> }

/** Returns the parts that are not undefined. */
export const present = <Parts extends object>(parts: Parts): Present<Parts> => {
  const stated: Partial<Record<keyof Parts, unknown>> = {}
  for (const name in parts) if (parts[name] !== undefined) stated[name] = parts[name]
  return stated as Present<Parts>
}
