/** Reads the actions of attention from the terminal output, and executes them as printed. */
import { Effect } from "effect"
import { commandsIn, withReason, words } from "../../packages/cli/test/PrintedCommands.ts"
import { connector, type Ended, lines, type Signaled } from "../../packages/cli/test/RunningConnector.ts"
import { hour, type Shop } from "./FaultScenarios.ts"

/** Item of attention with its printed actions. */
export interface PrintedItem {
  readonly code: string
  readonly cause: string | null
  readonly account: string | null
  readonly lane: string | null
  readonly documents: number
  readonly until: string
  readonly actions: ReadonlyArray<PrintedAction>
}

/** Action with its printed command. */
export interface PrintedAction {
  readonly effect: "settles" | "shows"
  readonly line: string
}

interface Listed extends Omit<PrintedItem, "actions"> {
  readonly actions: ReadonlyArray<{ readonly effect: "settles" | "shows"; readonly step: { readonly do: string } }>
}

/** State of a store, as far as actions may change it. */
export interface Standing {
  readonly items: ReadonlyArray<PrintedItem>
  readonly open: number
  readonly held: number
}

const config = ["--config", "account.json"]

/** Splits the output of `health` into items with their commands. */
const printedFor = (out: string): ReadonlyArray<ReadonlyArray<string>> => {
  const groups: Array<Array<string>> = []
  for (const line of out.split("\n").slice(1)) {
    if (!line.startsWith(" ")) groups.push([])
    else groups.at(-1)?.push(...commandsIn(line))
  }
  return groups
}

/**
 * Reads the state of the store by the command. Throws if an action has no command, or a command of
 * another item.
 */
export const standing = ({ run }: Shop): Effect.Effect<Standing> =>
  Effect.gen(function* () {
    const [health] = lines((yield* run("health", ...config, "--json")).out)
    const { out } = yield* run("health", ...config)
    const concerns = health?.["concerns"] as ReadonlyArray<Listed>
    const counts = health?.["counts"] as Readonly<Record<string, number>>
    const printed = printedFor(out)
    const items = concerns.map((concern, i): PrintedItem => {
      const commands = printed[i] ?? []
      if (commands.length !== concern.actions.length)
        throw new Error(`${concern.code}: ${concern.actions.length} actions, printed ${commands.join("; ")}`)
      return { ...concern, actions: concern.actions.map(({ effect }, n) => ({ effect, line: commands[n]! })) }
    })
    const sum = (states: ReadonlyArray<string>) => states.reduce((all, state) => all + (counts[state] ?? 0), 0)
    const all = Object.values(counts).reduce((total, n) => total + n, 0)
    return { items, open: all - sum(["Fiscalised", "Withdrawn"]), held: sum(["Held"]) }
  })

/** Result of an action. */
export interface Taken {
  /** Commands that were run, with their exit codes. */
  readonly story: ReadonlyArray<string>
  /** True if a refusal named the time from which the action is accepted. */
  readonly waited: boolean
  readonly last: Ended
}

const further = /^(?:To continue|They go on by|Nothing was changed yet\. This does it|If that is intended.*):$/

/** Returns the command that an output prints as the next step of the same action. */
const nextOf = (out: string): string | undefined => {
  const all = out.split("\n")
  const at = all.findIndex((line) => further.test(line))
  return at === -1 ? undefined : commandsIn(all.slice(at + 1).join("\n"))[0]
}

/** Fills in what the portal shows (the request id or failed numbers), the file, and the reason. */
const filled = ({ sandbox }: Shop, line: string) =>
  Effect.map(sandbox.control.accepted, (accepted) => {
    const found = accepted.find(({ number }) => line.includes(` ${number} `))
    const failed = accepted.flatMap(({ number, receipts }) => (receipts === 0 ? [number] : []))
    const shown = line.replace(/'<numbers [^>]*>'/, failed.join(" ")).replace(" csv FILE ", " csv sales.csv ")
    return withReason(shown.replace("REQUEST_ID", found?.requestIds[0] ?? "REQUEST_ID"))
  })

/**
 * Runs a printed line like an operator who pastes it. Ends the command by Ctrl-C if it waits for an
 * outcome that does not arrive.
 */
const pasted = (line: string, cwd: string): Effect.Effect<Ended> =>
  Effect.gen(function* () {
    let timer: NodeJS.Timeout | undefined
    const watch = (_: string, { interrupt }: Signaled) => {
      timer ??= setTimeout(interrupt, 4000)
    }
    const args = yield* words(line)
    return yield* Effect.ensuring(
      connector(args, { cwd, watch }),
      Effect.sync(() => clearTimeout(timer))
    )
  })

/** Runs the command as printed, then each command printed as the next step of the same action. */
export const take = (shop: Shop, line: string): Effect.Effect<Taken> =>
  Effect.gen(function* () {
    const story: Array<string> = []
    let waited = false
    let next: string | undefined = yield* filled(shop, line)
    let last: Ended = { code: null, out: "", err: "" }
    for (let step = 0; next !== undefined && step < 5; step++) {
      last = yield* pasted(next, shop.cwd)
      story.push(`${next} [${last.code}]`)
      if (/ is accepted from \S+ on/.test(last.err + last.out) && !waited) {
        // Ages the store by the time for which the operator must wait.
        waited = true
        shop.age(hour / 6)
        continue
      }
      next = last.code === 0 || last.code === 3 ? nextOf(last.out) : nextOf(`${last.err}\n${last.out}`)
    }
    return { story, waited, last }
  })
