import { isLoopback } from "../gateway/contract/Loopback.ts"

/**
 * Returns the URL of the text if its scheme is https, or http on this machine, without user name
 * and password; undefined for any other text.
 */
export const parse = (text: string): URL | undefined => {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const isKeptPrivate = url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname))
  return isKeptPrivate && url.username === "" && url.password === "" ? url : undefined
}
