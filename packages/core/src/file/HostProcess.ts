/**
 * The environment and the folders of the process that runs the connector. Several programs can run in one process at the same time, each with its own:
 * code that needs one of them asks here, never Node.
 */
import { Context, Effect } from "effect"
import { tmpdir } from "node:os"
import { isAbsolute, join } from "node:path"

export interface HostProcessShape {
  /** Variables by name, as in `process.env`. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder that relative paths start from; `.` is the working folder of the process. */
  readonly cwd: string
  /** The folder for temporary files. */
  readonly temporary: string
}

/** Defaults to the process itself. */
export class HostProcess extends Context.Reference<HostProcessShape>("fiscal-connector/file/HostProcess", {
  defaultValue: () => ({
    env: process.env,
    cwd: ".",
    get temporary() {
      return tmpdir()
    }
  })
}) {}

/** Returns the path that the system has to be asked for. A path within the process's own folder stays relative: the folders above may be closed to this user. */
export const pathIn = (cwd: string, file: string): string =>
  cwd === "." || file === "" || isAbsolute(file) ? file : join(cwd, file)

/** Returns the path that the system has to be asked for; messages keep the path as the user wrote it. */
export const located = (file: string): Effect.Effect<string> => Effect.map(HostProcess, ({ cwd }) => pathIn(cwd, file))

/** Returns the folder for temporary files. */
export const temporary: Effect.Effect<string> = Effect.map(HostProcess, (host) => host.temporary)
