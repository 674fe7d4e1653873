/** The one place that words a call of this command: what is printed can be pasted, from the folder it was printed in, whatever files are called. */
import { Context } from "effect"

export type Shell = "posix" | "powershell"

const ownShell: Shell = process.platform === "win32" ? "powershell" : "posix"

const plain: Readonly<Record<Shell, RegExp>> = { posix: /^[\w./:@%+,=-]+$/, powershell: /^[\w./:\\+-]+$/ }

/** One word of the shell. */
export const quoted = (text: string, shell: Shell = ownShell): string => {
  if (plain[shell].test(text)) return text
  return `'${text.replaceAll("'", shell === "posix" ? "'\\''" : "''")}'`
}

/** The arguments as a person types them. */
export const line = (args: ReadonlyArray<string>, shell: Shell = ownShell): string =>
  ["connector", ...args].map((arg) => quoted(arg, shell)).join(" ")

/** A variable of the environment, for the calls that follow in this shell. */
export const exported = (name: string, value: string, shell: Shell = ownShell): string =>
  shell === "posix" ? `export ${name}=${quoted(value, shell)}` : `$env:${name} = '${value.replaceAll("'", "''")}'`

export interface Next {
  readonly command: ReadonlyArray<string>
  /** What the command is about; one that begins with a hyphen is kept apart from the flags. */
  readonly operands?: ReadonlyArray<string>
  /** Flags with a value that are said as in this call, if it has them: `config`, `account`, `store`. */
  readonly as?: ReadonlyArray<string>
  readonly flags?: ReadonlyArray<string>
}

export interface CallShape {
  /** Whether what this call is about is there afterwards: not in the store where it only plans, nowhere where the gateway is one of its own. */
  readonly place: "kept" | "planned" | "gone"
  /** Another call, for the same configuration, account and store. */
  next(next: Next): string
  /** This call again, with this said in addition, or instead. */
  again(...flags: ReadonlyArray<string>): string
}

/** What follows each flag, as often as it is said. */
const valuesIn = (args: ReadonlyArray<string>): ReadonlyMap<string, ReadonlyArray<string>> => {
  const said = new Map<string, Array<string>>()
  args.forEach((arg, i) => {
    const [flag = "", value] = arg.split(/=(.*)/s)
    const name = flag === "-c" ? "config" : flag.startsWith("--") ? flag.slice(2) : undefined
    const given = value ?? args[i + 1]
    if (name !== undefined && given !== undefined) said.set(name, [...(said.get(name) ?? []), given])
  })
  return said
}

/** `args`: those of this call, without the program's own. */
export const make = (args: ReadonlyArray<string>): CallShape => {
  const end = args.indexOf("--")
  const [before, after] = end === -1 ? [args, []] : [args.slice(0, end), args.slice(end)]
  const said = valuesIn(before)
  return {
    place: "kept",
    next: ({ as = [], command, flags = [], operands = [] }) => {
      const told = as.flatMap((name) => (said.get(name) ?? []).flatMap((value) => [`--${name}`, value]))
      const rest = [...told, ...flags]
      const isPlain = operands.every((operand) => !operand.startsWith("-"))
      return line([...command, ...(isPlain ? operands : []), ...rest, ...(isPlain ? [] : ["--", ...operands])])
    },
    again: (...flags) => {
      const [first = ""] = flags
      const at = first === "" ? -1 : before.indexOf(first)
      const isRepeated = at !== -1 && flags.length === 2
      const kept = isRepeated ? [...before.slice(0, at), ...before.slice(at + 2)] : before
      return line([...kept, ...(at !== -1 && !isRepeated ? [] : flags), ...after])
    }
  }
}

/** How this run was called. */
export class Call extends Context.Reference<CallShape>("fiscal-connector/output/Call", {
  defaultValue: () => make([])
}) {}
