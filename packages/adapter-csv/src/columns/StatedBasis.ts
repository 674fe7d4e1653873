import type { Binding } from "./Binding.ts"

const without =
  /(?:^|[^\p{L}])(?:h\.?t\.?|hors[ _-]?(?:taxes?|tva)|(?:excl?|exkl|ex)\.?[ _-]?(?:btw|vat|tax|gst|mwst|ust|tva|iva)?|exclusive|excluding[ _-]tax|w\/o[ _-]tax|without[ _-]tax|before[ _-]tax|netto|nettobetrag|nettopreis|einzelpreisnetto|imponibile|base[ _-]imponible|base[ _-]imponibile|senza[ _-]iva|sin[ _-]iva|sem[ _-]iva|zonder[ _-]btw|ohne[ _-]mwst)(?:$|[^\p{L}])/iu
const within =
  /(?:^|[^\p{L}])(?:t\.?t\.?c\.?|toutes[ _-]taxes|(?:incl|inkl|inc)\.?[ _-]?(?:btw|vat|tax|gst|mwst|ust|tva|iva)?|inclusive|including[ _-]tax|with[ _-]tax|brutto|bruttobetrag|bruttopreis|lordo|ivato|con[ _-]iva|com[ _-]iva|iva[ _-]inclu[a-z]+|met[ _-]btw|mit[ _-]mwst)(?:$|[^\p{L}])/iu

export const basisOf = (name: string): "inclusive" | "exclusive" | undefined => {
  const [net, gross] = [without.test(name), within.test(name)]
  return net === gross ? undefined : net ? "exclusive" : "inclusive"
}

export interface NamedBasis {
  readonly basis: "inclusive" | "exclusive"
  readonly name: string
}

/**
 * Undefined if no name states a basis, or the names differ. `known`: columns of a known layout with
 * a fixed basis.
 */
export const basisNamed = (
  { line }: Pick<Binding, "line">,
  header: ReadonlyArray<string>,
  known: { readonly [name: string]: NamedBasis["basis"] } = {}
): NamedBasis | undefined => {
  const names = [...line.unitPrice, ...line.lineAmount].map((cell) => header[cell] ?? "")
  const stated = names.flatMap((name): ReadonlyArray<NamedBasis> => {
    const basis = known[name] ?? basisOf(name)
    return basis === undefined ? [] : [{ basis, name }]
  })
  const [first] = stated
  return first !== undefined && stated.every(({ basis }) => basis === first.basis) ? first : undefined
}
