import { BigDecimal } from "effect"
import type * as Money from "../document/Money.ts"
import type { Finding } from "../finding/Finding.ts"
import type { SourceDocument, SourceLine } from "../source/SourceDocument.ts"
import { TranslateFinding } from "../translate/TranslateFinding.ts"
import * as AnsweredReading from "./AnsweredReading.ts"
import { type Choice, leaveOut, type OpenQuestion } from "./OpenQuestion.ts"

export const amountsId = "amounts"
export const amountsCode = TranslateFinding.AMOUNTS_UNSTATED.code

const words: { readonly [id: string]: string } = {
  inclusive: "they include it",
  exclusive: "it comes on top",
  "per-document": "each document's totals say it"
}

/**
 * Returns the basis that the rows show: price × quantity, or the amount of the row, is below its
 * amount with tax, or above its amount without tax.
 */
const basisOf = (lines: ReadonlyArray<SourceLine>): "inclusive" | "exclusive" | undefined => {
  const sumOf = (part: (line: SourceLine) => Money.Money | undefined) => {
    const parts = lines.flatMap((line) => part(line) ?? [])
    return parts.length < lines.length ? undefined : BigDecimal.sumAll(parts)
  }
  const own = sumOf(
    ({ lineAmount, quantity, unitPrice }) =>
      lineAmount ?? (quantity && unitPrice && BigDecimal.multiply(quantity, unitPrice))
  )
  const [net, total] = [sumOf(({ totals }) => totals?.net), sumOf(({ totals }) => totals?.total)]
  if (own === undefined || lines.length === 0) return undefined
  if (total !== undefined && BigDecimal.isLessThan(own, total)) return "exclusive"
  return net !== undefined && BigDecimal.isGreaterThan(own, net) ? "inclusive" : undefined
}

const documentsOf = (count: number): string => (count === 1 ? "one document" : `${count} documents`)

export class Amounts {
  private documents = 0
  private readonly examples: Array<string> = []
  private asked: Finding | undefined
  private readonly speaking = { inclusive: 0, exclusive: 0 }

  take(source: SourceDocument, findings: ReadonlyArray<Finding>): void {
    const asked = findings.find(({ code }) => code === amountsCode)
    if (asked === undefined) return
    this.asked ??= asked
    this.documents += 1
    if (this.examples.length < 3) this.examples.push(source.number || source.id)
    const { charges, lines, totals } = source
    const basis = basisOf(lines)
    if (basis !== undefined) {
      this.speaking[basis] += 1
      return
    }
    if (charges.length > 0 || lines.some(({ lineAmount }) => lineAmount === undefined)) return
    const sum = BigDecimal.sumAll(lines.map(({ lineAmount }) => lineAmount!))
    const { total } = totals
    if (total === undefined) return
    const ofLines = lines.flatMap(({ taxes }) => taxes.find(({ amount }) => amount !== undefined)?.amount ?? [])
    const tax = totals.tax ?? (ofLines.length < lines.length ? undefined : BigDecimal.sumAll(ofLines))
    const net = totals.net ?? (tax === undefined ? undefined : BigDecimal.subtract(total, tax))
    if (net !== undefined && BigDecimal.equals(net, total)) return
    if (BigDecimal.equals(sum, total)) this.speaking.inclusive += 1
    // without a stated tax, a total above the sum of the lines means that tax is added
    else if (net === undefined ? BigDecimal.isLessThan(sum, total) : BigDecimal.equals(sum, net))
      this.speaking.exclusive += 1
  }

  question(): OpenQuestion | undefined {
    if (this.asked === undefined) return undefined
    const { exclusive, inclusive } = this.speaking
    const evidence: { readonly [id: string]: ReadonlyArray<string> } = {
      inclusive: inclusive === 0 ? [] : [`in ${documentsOf(inclusive)} the lines add up to the total with tax`],
      exclusive: exclusive === 0 ? [] : [`in ${documentsOf(exclusive)} the lines add up to the total without its tax`]
    }
    const choices = (this.asked.answers ?? []).flatMap((answer): ReadonlyArray<Choice> => {
      const choice = AnsweredReading.choiceOf(answer)
      return choice === undefined
        ? []
        : [{ ...choice, words: words[choice.id] ?? choice.words, evidence: evidence[choice.id] ?? [] }]
    })
    return {
      id: amountsId,
      subject: "amounts",
      file: null,
      question: "The export does not say whether its amounts include tax. Do they?",
      documents: this.documents,
      examples: this.examples,
      choices: [...choices, leaveOut],
      proposal: inclusive > 0 && exclusive === 0 ? "inclusive" : exclusive > 0 && inclusive === 0 ? "exclusive" : null
    }
  }
}
