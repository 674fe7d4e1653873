/**
 * Program of a store's worker thread. The command's single file replaces this module
 * (scripts/artefact).
 */
import { extname } from "node:path"

export const program = (): URL =>
  new URL(`./SqliteThread${extname(new URL(import.meta.url).pathname)}`, import.meta.url)
