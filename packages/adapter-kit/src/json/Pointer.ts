/** Returns the last name of a pointer; "" for the pointer of the root. */
export const lastOf = (pointer: string): string =>
  pointer
    .slice(pointer.lastIndexOf("/") + 1)
    .replaceAll("~1", "/")
    .replaceAll("~0", "~")

export const child = (pointer: string, token: string | number): string =>
  `${pointer}/${typeof token === "number" ? token : token.replaceAll("~", "~0").replaceAll("/", "~1")}`
