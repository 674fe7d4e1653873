import type { Adapter } from "@fiscal-connector/core/adapter"
import { Effect, Stream } from "effect"
import * as ByteSource from "../scan/ByteSource.ts"
import { cellEnd, type Separator } from "../scan/Dialect.ts"
import { byteOrderMark, decode, type Encoding, encodings, isWide } from "../scan/Encoding.ts"
import { EncodingEvidence, type SettledEncoding } from "../scan/EncodingEvidence.ts"
import { Ambiguity, unreadable } from "./Questions.ts"
import type { Settings } from "../columns/Settings.ts"
import { meaningOf } from "../columns/Synonyms.ts"
import { isTable } from "../scan/Table.ts"

const headSize = 1 << 16

export interface FileOpening extends SettledEncoding {
  readonly start: { readonly offset: number; readonly line: number }
  readonly head: Uint8Array
  readonly delimiter: Separator | undefined
}

/**
 * Reads the start of the file. A byte order mark overrides the operator's setting: a file of
 * refused rows always has a mark, even if the source had none.
 */
export const of = (
  file: Adapter.InputFile,
  settings: Settings
): Effect.Effect<FileOpening, Adapter.AdapterError | Ambiguity> =>
  Effect.gen(function* () {
    const head = yield* ByteSource.head(file, headSize)
    if (isTable(file)) {
      const because = "a table's cells are text already"
      return { encoding: "utf-8", because, samples: [], start: { offset: 0, line: 1 }, head, delimiter: cellEnd }
    }
    if (head.length === 0) return yield* unreadable(file.name, "the file is empty", "Export it again")
    const binary = binaries.find(({ begins }) => latin1(head.subarray(0, 16)).startsWith(begins))
    if (binary !== undefined) {
      return yield* unreadable(file.name, `this is ${binary.what}, not CSV`, binary.fix)
    }
    if (settings.encoding !== undefined && !encodings.includes(settings.encoding))
      return yield* unreadable(
        file.name,
        `there is no encoding "${String(settings.encoding)}"`,
        `Known are: ${encodings.join(", ")}`
      )
    const mark = byteOrderMark(head)
    const { because, encoding, samples }: SettledEncoding =
      mark !== undefined
        ? { encoding: mark.encoding, because: "the file begins with its byte order mark", samples: [] }
        : yield* encodingOf(file, settings.encoding)
    const text = ByteSource.scannableHead(head.subarray(mark?.length ?? 0), encoding)
    const line = /^"?sep=(?<delimiter>[,;|\t])"?(?:\r\n|\r|\n)/i.exec(decode(latin1(text.subarray(0, 16)), "utf-8"))
    const length = line?.[0].length ?? 0
    const width = isWide(encoding) ? 2 : 1
    return {
      encoding,
      because,
      samples,
      start: { offset: (mark?.length ?? 0) + length * width, line: line === null ? 1 : 2 },
      head: text.subarray(length),
      delimiter: line?.groups?.["delimiter"] as Separator | undefined
    }
  })

const binaries = [
  {
    begins: "PK\x03\x04",
    what: "a spreadsheet (.xlsx, .ods) or another ZIP archive",
    fix: "Import an .xlsx as xlsx; save anything else as CSV, one row per line"
  },
  {
    begins: "\xd0\xcf\x11\xe0",
    what: "a spreadsheet of the old kind (.xls) or an encrypted one",
    fix: "Save it as an .xlsx without a password and import it as xlsx, or save it as CSV, one row per line"
  },
  { begins: "%PDF-", what: "a PDF", fix: "Export it as CSV, one row per line" }
]

const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes)

/** Answers whose further questions are computed; the others differ in texts only. */
const mostAnswers = 3
const mostReadings = 8

/**
 * Bytes that can be only one encoding overrule the operator, whose answer may be about an earlier
 * file with the same header.
 */
const encodingOf = (
  file: Adapter.InputFile,
  stated: Encoding | undefined
): Effect.Effect<SettledEncoding, Adapter.AdapterError | Ambiguity> =>
  Effect.gen(function* () {
    const evidence = new EncodingEvidence()
    yield* Stream.runForEach(file.bytes, (chunk) => Effect.sync(() => evidence.take(chunk)))
    evidence.finish()
    if (stated !== undefined)
      return evidence.certain() ?? { encoding: stated, because: "as you said", samples: evidence.samples(stated) }
    const found = evidence.found((text) => meaningOf(text) !== undefined)
    if ("encoding" in found) return found
    const readings = found.slice(0, mostReadings)
    const answerOf = (encoding: Encoding) => ({ settings: { encoding } })
    return yield* new Ambiguity({
      question: {
        id: "encoding",
        file: file.name,
        question: "the file does not show its encoding: which of these texts is right?",
        readings: [
          ...readings.map(({ encoding, samples }) => ({
            reading: encoding,
            examples: samples,
            answer: answerOf(encoding)
          })),
          { reading: "another encoding, whose name you type", examples: [], answer: { ask: "encoding" } },
          ...(readings.some(({ encoding }) => encoding === "utf-8")
            ? []
            : [{ reading: "I have saved the file as UTF-8", examples: [], answer: answerOf("utf-8") }])
        ]
      },
      answers: readings.slice(0, mostAnswers).map(({ encoding }) => answerOf(encoding))
    })
  })
