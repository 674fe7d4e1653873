/**
 * Restores the store to an older copy under its running processes, while the gateway holds requests
 * longer than their clients wait. After a while the newer store is put back, or an operator accepts
 * the older one.
 */
import { Effect } from "effect"
import { existsSync, renameSync, rmSync } from "node:fs"
import { backup, DatabaseSync } from "node:sqlite"
import type { OwnServer } from "../../packages/core/test/postgres/OwnServer.ts"
import type { Random } from "../Random.ts"
import { type ChaosWorld, count } from "./ChaosWorld.ts"
import * as Processes from "./Processes.ts"

/** Operations on the store of a run. */
export interface StoreCopies {
  /** Keeps a copy of the current store. */
  readonly copy: Effect.Effect<void>
  /** Replaces the store by the copy. The newer store is put aside. */
  readonly goBack: Effect.Effect<void>
  /** Puts the newer store back. */
  readonly return: Effect.Effect<void>
}

const parts = ["", "-wal", "-shm"] as const

/** Renames files while every process is stopped: no process opens the store between two renames. */
const ofFile = (world: ChaosWorld): StoreCopies => {
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
      // A rename needs no space on a full disk, and each restore has a separate copy.
      renameSync(kept, world.store)
    }),
    return: still(() => {
      move(world.store, `${world.store}.older`)
      move(aside, world.store)
    })
  }
}

/** Stops the server immediately, and starts it with other data at the same address. */
const ofServer = (server: OwnServer): StoreCopies => {
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

/** Runs the command that accepts the store in place as the true one. */
export const acceptOnce = (world: ChaosWorld) =>
  Effect.gen(function* () {
    const why = ["--because", "there is no newer copy"]
    const ended = yield* Processes.run(world, ["store", "accept-older", "--config", world.config, ...why])
    // Data lost before a later acceptance is unknown as well.
    if (ended.code === 0) world.acceptedAt ??= Date.now()
    return ended
  })

/** Accepts the copy that is in place; retries while the disk is full. */
const accepted = (world: ChaosWorld) =>
  Effect.gen(function* () {
    let ended = yield* acceptOnce(world)
    for (let tries = 1; ended.code !== 0 && tries < 6; tries++) {
      yield* Effect.sleep("5 seconds")
      ended = yield* acceptOnce(world)
    }
    if (ended.code !== 0) world.violations.push(`an older copy could not be accepted: ${ended.err.trim()}`)
    count(world, "older copy accepted")
  })

/** Restores the store from time to time. `world.standing` states which store is in place. */
export const restores = (world: ChaosWorld, random: Random) =>
  Effect.gen(function* () {
    const { server } = world
    const exchange = server === null ? ofFile(world) : ofServer(server)
    while (true) {
      yield* Effect.sleep(random.between(15_000, 40_000))
      // A full disk has no room for a copy.
      const isCopied = yield* Effect.map(Effect.exit(exchange.copy), ({ _tag }) => _tag === "Success")
      if (!isCopied) continue
      if (server !== null) count(world, "server killed")
      // Meanwhile documents are sent that the copy does not contain.
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
