/**
 * Program of a store's worker thread. The command's single file replaces this module
 * (scripts/artefact).
 */
import { extname } from "node:path"

/** Returns the URL of the thread's module, next to this one, as source or as built. */
export const program = (): URL =>
  new URL(`./SqliteThread${extname(new URL(import.meta.url).pathname)}`, import.meta.url)
