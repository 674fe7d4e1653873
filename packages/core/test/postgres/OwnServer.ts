/** Separate PostgreSQL of a test, which may be stopped, restarted and restored. */
import type * as Library from "../../../../tools/postgres/index.ts"
import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { appendFileSync, chmodSync, mkdtempSync, rmSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { folderOf, install } from "../../../../scripts/Tools.ts"
import { openCopy } from "./OpenCopy.ts"

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer()
    server.on("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

/** Standby that receives every commit of the primary. */
export interface Standby {
  readonly url: string
  /**
   * Puts the standby in the place of the stopped primary, at the primary's port, ready for
   * promotion.
   */
  readonly takeOver: () => Promise<void>
}

export interface OwnServer {
  readonly url: string
  readonly password: string
  /** Starts the server again, on the same port. */
  readonly start: () => Promise<void>
  /** Stops the server immediately; connections are cut. */
  readonly stop: () => Promise<void>
  /** Keeps a copy of the stopped server's data under the name. */
  readonly keep: (name: string) => void
  /** Restores the copy of the stopped server's data. */
  readonly restore: (name: string) => void
  /**
   * Copies the stopped server as its standby and starts both; the standby takes a moment to join.
   */
  readonly standby: () => Promise<Standby>
  /** Stops the server and removes all its files. */
  readonly close: () => Promise<void>
}

/**
 * Loads the library without its exit hooks: they would end the process with 0 whatever the test
 * results, so that a failed run would pass. The caller of `launch` therefore closes the server.
 */
const libraryIn = async (folder: string): Promise<typeof Library.EmbeddedPostgres> => {
  const ends = ["beforeExit", "exit"] as const
  const before = new Set(ends.flatMap((end) => process.rawListeners(end)))
  const loaded = (await import(pathToFileURL(join(folder, "index.ts")).href)) as typeof Library
  for (const end of ends)
    for (const listener of process.rawListeners(end))
      if (!before.has(listener)) process.off(end, listener as () => void)
  return loaded.EmbeddedPostgres
}

/** Creates and starts a server. `settings` are postgres settings: `max_connections=20`. */
export const launch = async (...settings: ReadonlyArray<string>): Promise<OwnServer> => {
  const isRoot = userInfo().uid === 0
  const folder = mkdtempSync(join(tmpdir(), "fiscal-postgres-"))
  // Under root, the server runs as another user, who needs access to its files.
  chmodSync(folder, 0o755)
  install("postgres")
  const programs = isRoot ? openCopy(folderOf("postgres")) : { folder: folderOf("postgres"), remove: () => {} }
  const port = await freePort()
  const password = randomBytes(12).toString("hex")
  const messages: Array<unknown> = []
  const keep = (message: unknown) => void messages.push(message)
  const data = join(folder, "data")
  const Server = await libraryIn(programs.folder)
  const make = (databaseDir = data, at = port) =>
    new Server({
      databaseDir,
      port: at,
      password,
      persistent: true,
      createPostgresUser: isRoot,
      initdbFlags: ["--no-sync", "--encoding=UTF8", "--locale=C"],
      postgresFlags: ["listen_addresses=127.0.0.1", "unix_socket_directories=", ...settings].flatMap((setting) => [
        "-c",
        setting
      ]),
      onLog: keep,
      onError: keep
    })
  let server: Library.EmbeddedPostgres | undefined = make()
  let second: Library.EmbeddedPostgres | undefined
  const begin = async (ready: Promise<void>) => {
    try {
      await ready
      await server!.start()
    } catch (cause) {
      throw new Error(`PostgreSQL did not start: ${messages.join("\n")}`, { cause })
    }
  }
  await begin(server.initialise())
  const stop = async () => {
    await server?.stop()
    server = undefined
  }
  const copy = (from: string, to: string) => {
    rmSync(to, { recursive: true, force: true })
    // Keeps the owner, which Node's own copy does not.
    execFileSync("cp", ["-a", from, to])
  }
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    password,
    start: () => {
      server = make()
      return begin(Promise.resolve())
    },
    stop,
    keep: (name) => copy(data, join(folder, name)),
    restore: (name) => copy(join(folder, name), data),
    standby: async () => {
      const own = join(folder, "standby")
      copy(data, own)
      const from = `host=127.0.0.1 port=${port} user=postgres password=${password}`
      appendFileSync(join(own, "postgresql.auto.conf"), `primary_conninfo = '${from}'\nhot_standby = on\n`)
      // Keeps the owner of the folder.
      execFileSync("cp", ["-a", join(own, "PG_VERSION"), join(own, "standby.signal")])
      server = make()
      await begin(Promise.resolve())
      const at = await freePort()
      second = make(own, at)
      // The server reports ready after its promotion.
      second.start().catch(keep)
      return {
        url: `postgres://postgres:${password}@127.0.0.1:${at}/postgres`,
        takeOver: async (): Promise<void> => {
          await second?.stop()
          second = undefined
          server = make(own)
          server.start().catch(keep)
        }
      }
    },
    close: async () => {
      await second?.stop()
      await stop()
      rmSync(folder, { recursive: true, force: true })
      programs.remove()
    }
  }
}
