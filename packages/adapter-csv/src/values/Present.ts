type PresentParts<Parts> = { readonly [Name in keyof Parts]?: Exclude<Parts[Name], undefined> }

export const present = <Parts extends object>(parts: Parts): PresentParts<Parts> => {
  const stated: Partial<Record<keyof Parts, unknown>> = {}
  for (const name in parts) if (parts[name] !== undefined) stated[name] = parts[name]
  return stated as PresentParts<Parts>
}
