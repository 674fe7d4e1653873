/** Names the commands that run until they are stopped. SIGTERM is their normal end, also during start-up. */
const lasting: ReadonlySet<string> = new Set(["work", "serve", "ui"])

// flags with a value that may come before the command
const withValue: ReadonlySet<string> = new Set(["--log-level"])

/** Returns true if the arguments name one of these commands. */
export const isLasting = (args: ReadonlyArray<string>): boolean => {
  const named = args.find((arg, at) => !arg.startsWith("-") && !withValue.has(args[at - 1] ?? ""))
  return named !== undefined && lasting.has(named)
}
