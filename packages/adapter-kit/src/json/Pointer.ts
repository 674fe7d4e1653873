/** JSON pointers (RFC 6901). */
/** Returns the last name of a pointer; "" for the pointer of the root. */
export const lastOf = (pointer: string): string =>
  pointer
    .slice(pointer.lastIndexOf("/") + 1)
    .replaceAll("~1", "/")
    .replaceAll("~0", "~")

/** Returns the JSON pointer of a member of the value at `pointer`. */
export const child = (pointer: string, token: string | number): string =>
  `${pointer}/${typeof token === "number" ? token : token.replaceAll("~", "~0").replaceAll("/", "~1")}`
