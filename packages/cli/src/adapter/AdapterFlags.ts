/**
 * Turns the options of a custom adapter into flags. Each flag begins with the adapter's name, so
 * that the flag cannot hide one of ours.
 */
import { Effect, Option, Schema, SchemaIssue } from "effect"
import { Flag } from "effect/cli"
import { ExitError } from "../output/ExitError.ts"
import type { OwnAdapter } from "./AdapterModule.ts"

type Given = Option.Option<string | boolean>

export interface OptionFlag {
  /** Option name in the adapter. */
  readonly option: string
  /** Flag name without the leading hyphens. */
  readonly name: string
  readonly flag: Flag.Flag<Given>
  readonly value: (text: string | boolean) => unknown
}

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-")

const fieldsOf = ({ options }: OwnAdapter): ReadonlyArray<readonly [string, Schema.Top]> =>
  Object.entries((options as unknown as { readonly fields?: { readonly [name: string]: Schema.Top } }).fields ?? {})

const flagOf = (adapter: string, prefix: string, option: string, { ast }: Schema.Top): OptionFlag => {
  const name = `${prefix}${kebab(option)}`
  const description = ast.annotations?.["description"]
  const described = typeof description === "string" ? description : `${option} of the adapter ${adapter}`
  const isBoolean = ast._tag === "Boolean"
  const flag: Flag.Flag<Given> = isBoolean
    ? Flag.Boolean(name).pipe(Flag.withDescription(described), Flag.optional)
    : Flag.String(name).pipe(Flag.withDescription(described), Flag.optional)
  const value = (given: string | boolean) => (ast._tag === "Number" ? Number(given) : given)
  return { option, name, flag, value }
}

/**
 * Returns the flags of an adapter. Adapters that come with the command use their option names
 * without a prefix.
 */
export const named = (adapter: OwnAdapter, prefix: string): ReadonlyArray<OptionFlag> =>
  fieldsOf(adapter).map(([option, schema]) => flagOf(adapter.name, prefix, option, schema))

/** Returns the adapter's flags. Fails if a flag has the name of one of the command's flags. */
export const of = (
  adapter: OwnAdapter,
  taken: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<OptionFlag>, ExitError> => {
  const flags = named(adapter, `${adapter.name}-`)
  const shadowing = flags.find(({ name }) => taken.some((other) => name === other || name === `no-${other}`))
  if (shadowing === undefined) return Effect.succeed(flags)
  const text = `The option ${shadowing.option} of the adapter ${adapter.name} would be --${shadowing.name}, which is a flag of this command. Nothing was read. Give the adapter or its option another name.`
  return Effect.fail(new ExitError({ code: 1, text }))
}

const standard = SchemaIssue.makeFormatterStandardSchemaV1()

/** Decodes the options from the flags. Fails with every missing or wrong option. */
export const optionsOf = (
  adapter: OwnAdapter,
  flags: ReadonlyArray<OptionFlag>,
  given: Readonly<Record<string, Given>>
): Effect.Effect<{ readonly [option: string]: unknown }, ExitError> => {
  const entries = flags.flatMap(({ name, option, value }) =>
    Option.match(given[name] ?? Option.none(), { onNone: () => [], onSome: (text) => [[option, value(text)] as const] })
  )
  return Schema.decodeEffect(adapter.options, { errors: "all" })(Object.fromEntries(entries)).pipe(
    Effect.mapError(({ issue }) => {
      const problems = standard(issue).issues.map(({ message, path }) => {
        const flag = flags.find(({ option }) => option === String(path?.[0]))
        return `--${flag?.name ?? adapter.name}: ${message}`
      })
      return new ExitError({ code: 1, text: problems.join("\n") })
    })
  )
}
