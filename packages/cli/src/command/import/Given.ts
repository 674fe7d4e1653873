/** Converts an optional flag into an optional field: present only if the flag was given. */
import { Option } from "effect"

export const given = <const Name extends string, Value>(
  name: Name,
  option: Option.Option<Value>
): { readonly [N in Name]?: Value } =>
  Option.match(option, {
    onNone: () => ({}),
    onSome: (value) => ({ [name]: value }) as { readonly [N in Name]: Value }
  })

/** Returns the names of the flags on the command line, from their field names. */
export const namesOf = (flags: object): ReadonlyArray<string> =>
  Object.keys(flags).map((field) => field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))
