/** Runs the job until SIGTERM: `node main.ts`. */
import { run } from "./job.ts"

const stop = new AbortController()
for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => stop.abort())
await run(process.env, stop.signal).catch((error: unknown) => {
  if (stop.signal.aborted) return
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
