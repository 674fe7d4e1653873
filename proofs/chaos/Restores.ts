/**
 * The store goes back to an older copy under the processes that use it, and the gateway holds requests longer than their clients wait. The newer
 * store is found again after a while, or an operator accepts the older one.
 */
import { Effect } from "effect"
import { existsSync, renameSync, rmSync } from "node:fs"
import { backup, DatabaseSync } from "node:sqlite"
import type { OwnServer } from "../../packages/core/test/postgres/OwnServer.ts"
import type { Random } from "../Random.ts"
import { type ChaosWorld, count } from "./ChaosWorld.ts"
import * as Processes from "./Processes.ts"

/** What can be done to the store of a run. */
export interface Exchange {
  /** Keeps a copy of the store as it is. */
  readonly copy: Effect.Effect<void>
  /** Puts the copy in the store's place. The newer store is put aside. */
  readonly goBack: Effect.Effect<void>
  /** Puts the newer store back. */
  readonly return: Effect.Effect<void>
}

const parts = ["", "-wal", "-shm"] as const

/** Renames files while every process stands still for a moment: none opens the store between two renames. */
const ofFile = (world: ChaosWorld): Exchange => {
  const [kept, aside] = [`${world.store}.kept`, `${world.store}.aside`]
  const move = (from: string, to: string) => {
    for (const part of parts) {
      rmSync(to + part, { force: true })
      if (existsSync(from + part)) renameSync(from + part, to + part)
    }
  }
  const still = (act: () => void) =>
    Effect.sync(() => {
      const running = Processes.pause()
      try {
        act()
      } finally {
        running.proceed()
      }
    })
  return {
    copy: Effect.promise(async () => {
      const database = new DatabaseSync(world.store, { timeout: 5000 })
      try {
        rmSync(kept, { force: true })
        await backup(database, kept)
      } finally {
        database.close()
      }
    }),
    goBack: still(() => {
      move(world.store, aside)
      // a rename needs no space on a full disk, and each restore has a copy of its own
      renameSync(kept, world.store)
    }),
    return: still(() => {
      move(world.store, `${world.store}.older`)
      move(aside, world.store)
    })
  }
}

/** Stops the server at once, and starts it with other data at the same address. */
const ofServer = (server: OwnServer): Exchange => {
  const cut = (act: () => void) =>
    Effect.promise(async () => {
      await server.stop()
      act()
      await server.start()
    })
  return {
    copy: cut(() => server.keep("older")),
    goBack: cut(() => {
      server.keep("newer")
      server.restore("older")
    }),
    return: cut(() => server.restore("newer"))
  }
}

/** Accepts the copy that is in place; tried again while the disk is full. */
const accepted = (world: ChaosWorld) =>
  Effect.gen(function* () {
    const command = ["store", "accept-older", "--config", world.config, "--because", "there is no newer copy"]
    let ended = yield* Processes.run(world, command)
    for (let tries = 1; ended.code !== 0 && tries < 6; tries++) {
      yield* Effect.sleep("5 seconds")
      ended = yield* Processes.run(world, command)
    }
    if (ended.code !== 0) world.violations.push(`an older copy could not be accepted: ${ended.err.trim()}`)
    count(world, "older copy accepted")
    // what was lost before a later acceptance is known to nobody either
    world.acceptedAt ??= Date.now()
  })

/** Once in a while, for a while. `world.standing` says which store is in place. */
export const restores = (world: ChaosWorld, random: Random) =>
  Effect.gen(function* () {
    const { server } = world
    const exchange = server === null ? ofFile(world) : ofServer(server)
    while (true) {
      yield* Effect.sleep(random.between(15_000, 40_000))
      // a disk that is full takes no copy
      const isCopied = yield* Effect.map(Effect.exit(exchange.copy), ({ _tag }) => _tag === "Success")
      if (!isCopied) continue
      if (server !== null) count(world, "server killed")
      // some documents are sent that the copy does not have
      yield* Effect.sleep(random.between(3000, 15_000))
      const isFound = random.chance(0.75)
      const millis = random.between(4000, 15_000)
      const before = (yield* world.sandbox.control.accepted).length
      yield* Effect.acquireUseRelease(
        Effect.gen(function* () {
          world.standing = "older"
          yield* exchange.goBack
          count(world, `restores under ${Processes.runningCount()} running processes`)
        }),
        () => Effect.sleep(millis),
        () =>
          Effect.gen(function* () {
            if (isFound) {
              yield* exchange.return
              count(world, "newer store put back")
            } else yield* accepted(world)
            world.standing = "own"
            count(
              world,
              "documents that arrived while an older copy was in place",
              (yield* world.sandbox.control.accepted).length - before
            )
          })
      )
    }
  })
