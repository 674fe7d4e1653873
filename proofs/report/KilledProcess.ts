/** Runs the command as a process, killed (SIGKILL) before or after a commit. */
import { Effect } from "effect"
import { join } from "node:path"
import { connector, connectorProcess, lines } from "../../packages/cli/test/RunningConnector.ts"
import { importing } from "./Hosts.ts"
import { worldOf } from "./OneReport.ts"

const header =
  "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode,Total\n"
const sales = (documents: number): string =>
  Array.from(
    { length: documents },
    (_, i) => `S-${i + 1},2026-03-02,USD,inclusive,Solar lamp,2,9.99,Standard,85131000,19.98\n`
  ).join("")

export interface Struck {
  readonly says: string
  readonly problems: ReadonlyArray<string>
}

/**
 * Kills an import at a point: even points are before a commit, odd points after it. More than 200
 * documents are kept and handed over in two pages.
 */
export const strike = (point: number, documents: number): Effect.Effect<Struck> =>
  Effect.gen(function* () {
    const { folder, sandbox, write } = yield* worldOf("none")
    write("sales.csv", header + sales(documents))
    const place = `COMMIT ${Math.floor(point / 2) + 1} ${point % 2 === 0 ? "before" : "after"}`
    const run = (...args: ReadonlyArray<string>) => connector([...args, "--config", "accounts.json"], { cwd: folder })
    const { code } = yield* connectorProcess(importing, {
      cwd: folder,
      env: {
        KILLED_AT: place,
        NODE_OPTIONS: `--import=${join(import.meta.dirname, "../../packages/cli/test/KilledAt.ts")}`
      }
    })
    const [listed] = lines((yield* run("imports", "--json")).out)
    const standing = listed === undefined ? "no import" : String(listed["standing"])
    const resumed = yield* run("resume")
    const receipts = (yield* sandbox.control.receipts).map(({ documentNumber }) => documentNumber)
    const isAccepted = standing === "accepted" || standing === "whole"
    // A request was in flight: an operator must decide, and later documents wait.
    const isOpen = resumed.code === 3
    return {
      says: `killed ${place}: ${standing}, ${receipts.length} receipts${isOpen ? ", one outcome unknown" : ""}`,
      problems: [
        ...(code === null ? [] : [`${place}: it was not killed`]),
        ...(new Set(receipts).size === receipts.length ? [] : [`${place}: a document has two receipts`]),
        ...(!isAccepted && receipts.length > 0 ? [`${place}: ${standing}, and something was sent`] : []),
        ...(isAccepted && !isOpen && receipts.length !== documents
          ? [`${place}: ${receipts.length} of ${documents} were sent: ${resumed.out}`]
          : [])
      ]
    }
  }).pipe(Effect.scoped, Effect.orDie)
