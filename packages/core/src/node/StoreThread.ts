/** The program of a store's own thread. The command's one file puts itself in this module's place (scripts/artefact). */
import { extname } from "node:path"

/** The thread's module, which is beside this one, as source or as built. */
export const program = (): URL =>
  new URL(`./SqliteThread${extname(new URL(import.meta.url).pathname)}`, import.meta.url)
