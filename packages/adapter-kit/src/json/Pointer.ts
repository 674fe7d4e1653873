/** JSON pointers (RFC 6901). */
/** Returns the JSON pointer of a member of the value at `pointer`. */
export const child = (pointer: string, token: string | number): string =>
  `${pointer}/${typeof token === "number" ? token : token.replaceAll("~", "~0").replaceAll("/", "~1")}`
