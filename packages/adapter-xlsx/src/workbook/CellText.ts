/**
 * Texts of cells as the format stores them: characters by number (`_x000D_`), and one text split
 * into differently formatted runs.
 */
import { damaged } from "../Refusal.ts"

/**
 * Maximum characters of a cell. Stored text may be seven times longer, with `_x000D_` for a
 * character.
 */
const longest = 32_767
const longestWritten = longest * 7

/** Replaces escapes; `_x005F_x000D_` is the text `_x000D_`. */
export const unescaped = (text: string): string =>
  text.includes("_x")
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

/** Collects `<si>` or `<is>`: joins the texts of all runs, without phonetic guides. */
export class RichText {
  private collected = ""
  private guides = 0
  private taking = false

  begin(): void {
    this.collected = ""
    this.guides = 0
    this.taking = false
  }

  open(name: string): void {
    if (name === "rPh") this.guides++
    else if (name === "t") this.taking = this.guides === 0
  }

  close(name: string): void {
    if (name === "rPh") this.guides--
    else if (name === "t") this.taking = false
  }

  text(text: string): void {
    if (!this.taking) return
    this.collected += text
    if (this.collected.length > longestWritten) throw tooLong()
  }

  /** Returns the whole text. Throws a `Refusal` if longer than a cell allows. */
  end(): string {
    const text = unescaped(this.collected)
    if (text.length > longest) throw tooLong()
    return text
  }
}

const tooLong = () => damaged(`a cell holds more than ${longest} characters`)

export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
    .replaceAll(
      /[[\p{Cc}--[\t\n]]\ufffe\uffff]/gv,
      (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`
    )
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
