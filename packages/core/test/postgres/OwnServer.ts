/** A PostgreSQL of a test's own, which may be stopped, started again and put back to what it was. */
import type { EmbeddedPostgres } from "../../../../tools/postgres/index.ts"
import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { appendFileSync, chmodSync, mkdtempSync, rmSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { install } from "../../../../scripts/Tools.ts"

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer()
    server.on("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

/** Receives everything from the primary as it is committed. */
export interface Standby {
  readonly url: string
  /** Puts it in the place of the stopped primary, at its port, where it is to be promoted. */
  readonly takeOver: () => Promise<void>
}

export interface OwnServer {
  readonly url: string
  readonly password: string
  /** Starts it again, on the same port. */
  readonly start: () => Promise<void>
  /** Ends it at once; connections are cut. */
  readonly stop: () => Promise<void>
  /** While it is stopped: keeps a copy of its data under that name. */
  readonly keep: (name: string) => void
  /** While it is stopped: puts the copy back. */
  readonly restore: (name: string) => void
  /** Copies the stopped server as its standby and starts both; the standby takes a moment to join. */
  readonly standby: () => Promise<Standby>
  /** Stops it and leaves nothing behind. */
  readonly close: () => Promise<void>
}

/**
 * The library hooks the end of the process and ends it with 0, whatever the tests came to: a run with failures passed. Whoever launches a server
 * closes it.
 */
const library = async (): Promise<typeof EmbeddedPostgres> => {
  const ends = ["beforeExit", "exit"] as const
  const before = new Set(ends.flatMap((end) => process.rawListeners(end)))
  install("postgres")
  const loaded = await import("../../../../tools/postgres/index.ts")
  for (const end of ends)
    for (const listener of process.rawListeners(end))
      if (!before.has(listener)) process.off(end, listener as () => void)
  return loaded.EmbeddedPostgres
}

/** Makes and starts one; as root it runs as another user. `settings` as postgres takes them: `max_connections=20`. */
export const launch = async (...settings: ReadonlyArray<string>): Promise<OwnServer> => {
  const folder = mkdtempSync(join(tmpdir(), "fiscal-postgres-"))
  // as root it runs as another user, who has to get there
  chmodSync(folder, 0o755)
  const port = await freePort()
  const password = randomBytes(12).toString("hex")
  const messages: Array<unknown> = []
  const keep = (message: unknown) => void messages.push(message)
  const data = join(folder, "data")
  const Library = await library()
  const make = (databaseDir = data, at = port) =>
    new Library({
      databaseDir,
      port: at,
      password,
      persistent: true,
      createPostgresUser: userInfo().uid === 0,
      initdbFlags: ["--no-sync", "--encoding=UTF8", "--locale=C"],
      postgresFlags: ["listen_addresses=127.0.0.1", "unix_socket_directories=", ...settings].flatMap((setting) => [
        "-c",
        setting
      ]),
      onLog: keep,
      onError: keep
    })
  let server: EmbeddedPostgres | undefined = make()
  let second: EmbeddedPostgres | undefined
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
    // with its owner, which Node's own copy forgets
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
      // with the owner of the folder
      execFileSync("cp", ["-a", join(own, "PG_VERSION"), join(own, "standby.signal")])
      server = make()
      await begin(Promise.resolve())
      const at = await freePort()
      second = make(own, at)
      // it says that it is ready once it is promoted
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
    }
  }
}
