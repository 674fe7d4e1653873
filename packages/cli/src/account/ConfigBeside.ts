/** Where `connector init` writes the configuration of an export, unless another place is said. */
import { Effect, Path } from "effect"

/** `accounts.json` beside it. */
export const ofExport = (file: string) =>
  Effect.map(Path.Path, (path) => path.join(path.dirname(file), "accounts.json"))
