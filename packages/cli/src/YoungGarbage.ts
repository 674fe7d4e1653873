/** How much room V8 gives to what has just been made: 16 MiB, and not the 128 to which it would grow during a start. */
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"

const enough = 16 * 2 ** 20

const room = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? enough

/**
 * V8 doubles that room while much of what is in it is still wanted, and gives it back to nobody. How far it may grow is settled before anything runs;
 * whether it grows is not: so it is filled, a few milliseconds, until it has grown to what an import needs, and told to grow no more.
 */
export const limit = (): void => {
  const kept: Array<ReadonlyArray<number>> = []
  // 64 KiB each: twice the room at most
  for (let n = 0; n < 512 && room() < enough; n++) kept.push(Array<number>(8192).fill(n))
  if (room() >= enough) setFlagsFromString("--semi-space-growth-factor=1")
}
