/**
 * Process started by `Measured.apart`: runs one side of a module over one file, and prints the
 * sample as JSON.
 */
import { here } from "./Measured.ts"

const [module, side, file, small] = process.argv.slice(2) as [string, string, string, string]
const { sides } = (await import(module)) as { readonly sides: Record<string, (path: string) => Promise<number>> }
const run = sides[side]!
await run(small)
const sample = await here(() => run(file))
process.stdout.write(JSON.stringify({ ...sample, peak: process.resourceUsage().maxRSS / 1024 }))
