/**
 * Limits V8's space for new objects to 16 MiB, instead of the 128 MiB to which it would grow during
 * a start.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"

/** Bytes of the new space after its growth (docs/decisions/014-speed.md). */
const enough = 16 * 2 ** 20

const room = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? enough

/**
 * V8 doubles the space while much of it is in use and never shrinks it. The maximum can only be set
 * before anything runs, the growth factor at any time. Filling the space takes a few milliseconds
 * and gives an import the room it needs.
 */
export const limit = (): void => {
  const kept: Array<ReadonlyArray<number>> = []
  // 64 KiB each: at most twice the target size
  for (let n = 0; n < 512 && room() < enough; n++) kept.push(Array<number>(8192).fill(n))
  if (room() >= enough) setFlagsFromString("--semi-space-growth-factor=1")
}
