/**
 * Kinds and states as products write them in English and six other languages; a word inside a
 * sentence does not count.
 */
import { kindOf, stateOf, subjectOf } from "../../src/source/StatedWords.ts"
import { assert, describe, it } from "@effect/vitest"

const states = {
  issued:
    "Bezahlt|Unbezahlt|Überfällig|Payé|Payée|Non payé|Impayée|Betaald|Onbetaald|Verlopen|Pago|Não Pago|Vencido|Pagado|Pagada|Impagado|Vencida|Pagata|Non pagata|Scaduto",
  skip: "Entwurf|Storniert|Brouillon|Annulé|Annulée|Abandonnée|Concept|Geannuleerd|Rascunho|Cancelado|Borrador|Cancelada|Bozza|Annullato|Annullata",
  refunded: "Erstattet|Remboursé|Terugbetaald|Gecrediteerd|Reembolsado|Rimborsato"
} as const

const kinds = {
  "credit-note":
    "Gutschrift|Stornorechnung|Avoir|Facture avoir|Creditnota|Creditfactuur|Nota de Crédito|Nota di Credito|Kredietnota",
  skip: "Angebot|Devis|Facture Proforma|Offerte|Orçamento|Presupuesto|Preventivo|Pro forma",
  invoice: "Rechnung|Facture|Factuur|Fatura|Factura|Fattura|faktuur"
} as const

describe("words in exports of other languages", () => {
  it("are recognized as states of documents", () => {
    for (const [state, words] of Object.entries(states))
      for (const word of words.split("|")) assert.strictEqual(stateOf(word), state, word)
  })

  it("are recognized as kinds of documents", () => {
    for (const [kind, words] of Object.entries(kinds))
      for (const word of words.split("|")) assert.strictEqual(kindOf(word), kind, word)
  })

  it("are recognized as field names", () => {
    for (const name of ["Rechnungsart", "Type de facture", "Tipo di documento", "Soort"])
      assert.strictEqual(subjectOf(name), "kind", name)
    for (const name of ["Rechnungsstatus", "Statut", "Estado", "Situação", "Stato fattura"])
      assert.strictEqual(subjectOf(name), "status", name)
  })

  it("match whole values only, and a word with two meanings is unknown", () => {
    for (const text of ["Gutschrift zur Rechnung 7", "facture annulée hier", "Pendiente"]) {
      assert.isUndefined(kindOf(text), text)
      assert.isUndefined(stateOf(text), text)
    }
  })
})
