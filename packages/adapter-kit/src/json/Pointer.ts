/** JSON pointers (RFC 6901). */
export const child = (pointer: string, token: string | number): string =>
  `${pointer}/${typeof token === "number" ? token : token.replaceAll("~", "~0").replaceAll("/", "~1")}`
