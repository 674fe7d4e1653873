/** JSON pointers (RFC 6901). */
/** The JSON pointer of a member of what the pointer leads to. */
export const child = (pointer: string, token: string | number): string =>
  `${pointer}/${typeof token === "number" ? token : token.replaceAll("~", "~0").replaceAll("/", "~1")}`
