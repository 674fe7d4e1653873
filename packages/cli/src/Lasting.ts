/** Commands that run until they are stopped. SIGTERM is their normal end, also during start-up. */
const lasting: ReadonlySet<string> = new Set(["work", "serve", "ui"])

// Flags with a value that may come before the command.
const withValue: ReadonlySet<string> = new Set(["--log-level"])

// Commands that read their configuration again on SIGHUP.
const reloading: ReadonlySet<string> = new Set(["work", "serve"])

const commandIn = (args: ReadonlyArray<string>): string =>
  args.find((arg, at) => !arg.startsWith("-") && !withValue.has(args[at - 1] ?? "")) ?? ""

export const isLasting = (args: ReadonlyArray<string>): boolean => lasting.has(commandIn(args))

export const isReloading = (args: ReadonlyArray<string>): boolean => reloading.has(commandIn(args))
