/**
 * One process can run several programs at once, each with different values: code reads environment
 * and folders here, never from Node.
 */
import { Context, Effect } from "effect"
import { tmpdir } from "node:os"
import { isAbsolute, join } from "node:path"

export interface HostProcessShape {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly temporary: string
}

/** Reference to the host process. Defaults to the running process. */
export class HostProcess extends Context.Reference<HostProcessShape>("fiscal-connector/file/HostProcess", {
  defaultValue: () => ({
    env: process.env,
    cwd: ".",
    get temporary() {
      return tmpdir()
    }
  })
}) {}

/**
 * A path within the process's own folder stays relative: this user may lack access to the folders
 * above.
 */
export const pathIn = (cwd: string, file: string): string =>
  cwd === "." || file === "" || isAbsolute(file) ? file : join(cwd, file)

/** Returns the path for a system call; messages keep the path as the user wrote it. */
export const located = (file: string): Effect.Effect<string> => Effect.map(HostProcess, ({ cwd }) => pathIn(cwd, file))

export const temporary: Effect.Effect<string> = Effect.map(HostProcess, (host) => host.temporary)
