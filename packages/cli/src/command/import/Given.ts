/** An optional flag as an optional field: there when it was given, absent when it was not. */
import { Option } from "effect"

export const given = <const Name extends string, Value>(
  name: Name,
  option: Option.Option<Value>
): { readonly [N in Name]?: Value } =>
  Option.match(option, {
    onNone: () => ({}),
    onSome: (value) => ({ [name]: value }) as { readonly [N in Name]: Value }
  })

/** The names that flags have on the command line, by their fields here. */
export const namesOf = (flags: object): ReadonlyArray<string> =>
  Object.keys(flags).map((field) => field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))
