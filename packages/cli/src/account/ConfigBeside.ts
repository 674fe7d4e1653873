/** Default path at which `connector init` writes the configuration for an export. */
import { Effect, Path } from "effect"

/** Returns the path of `accounts.json` in the export's folder. */
export const ofExport = (file: string) =>
  Effect.map(Path.Path, (path) => path.join(path.dirname(file), "accounts.json"))
