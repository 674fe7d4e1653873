import { Data, Effect, FileSystem, Stream } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Multipart from "effect/http/Multipart"
import type { Html } from "../html/Html.ts"
import { headers } from "../guard/Entrance.ts"
import type { PrivateFolder } from "../guard/PrivateFolder.ts"
import type { UploadLimit } from "../page/FilePage.ts"
import * as Texts from "../text/Texts.ts"
import type { Upload } from "../work/PageImport.ts"

export class NotDone extends Data.TaggedError("NotDone")<{
  readonly status: 400 | 403 | 404 | 409 | 413
  readonly text: string
}> {}

export type Response = HttpServerResponse.HttpServerResponse

export const page = ({ text }: Html, status = 200): Response =>
  HttpServerResponse.text(text, { status, headers, contentType: "text/html; charset=utf-8" })

/** Redirects after a change, so that reloading the page repeats nothing. */
export const seeOther = (address: string): Response =>
  HttpServerResponse.empty({ status: 303, headers: { ...headers, location: address } })

export const plain = (text: string, contentType: string): Response =>
  HttpServerResponse.text(text, { headers, contentType })

/** Streams texts to a page that listens. */
export const eventStream = (texts: Stream.Stream<string, unknown>): Response => {
  const events = Stream.map(texts, (text) => `data: ${text}\n\n`)
  return HttpServerResponse.stream(Stream.orDie(Stream.encodeText(events)), {
    headers,
    contentType: "text/event-stream"
  })
}

const nameWithout = (unsafe: RegExp, name: string): string =>
  name
    .replaceAll(unsafe, "-")
    .replace(/^[.\s-]+/, "")
    .slice(-80) || "file"

/** Paths, control characters and direction marks. Browsers support letters of all scripts. */
const improper = /[\p{Cc}\p{Cf}\p{Cs}/\\:*?"<>|]+/gu

const named = (name: string): string => {
  const proper = encodeURIComponent(nameWithout(improper, name).toWellFormed()).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`
  )
  return `attachment; filename="${nameWithout(/[^\w.-]+/g, name)}"; filename*=UTF-8''${proper}`
}

/** Returns a file to download. Browsers never show the file as a page of ours. */
export const download = (body: Stream.Stream<Uint8Array, unknown>, name: string, contentType: string): Response =>
  HttpServerResponse.stream(Stream.orDie(body), {
    contentType,
    headers: {
      ...headers,
      "content-security-policy": "sandbox; default-src 'none'",
      "content-disposition": named(name)
    }
  })

const contentTypes: Readonly<Record<string, string>> = {
  ".csv": "text/csv",
  ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ".json": "application/json"
}

type NamedParts = ReadonlyArray<{ readonly name: string }>

export const rowsDownload = (
  bytes: Stream.Stream<Uint8Array, unknown>,
  files: NamedParts,
  what: "receipts" | "refused" | "report",
  ending: string
): Response => download(bytes, `${stemOf(files)}.${what}${ending}`, contentTypes[ending] ?? "application/octet-stream")

export const stemOf = (files: NamedParts): string => (files[0]?.name ?? "export").replace(/(\.[^.]*)?(\.gz)?$/, "")

export type RequestForm = ReadonlyMap<string, string>

/** Returns the reason of a decision, as the operator typed it. */
export const reasonIn = (form: RequestForm): string => (form.get("because") ?? "").trim()

export const remembersOf = (form: RequestForm): "yes" | "no" => (form.get("remember") === "yes" ? "yes" : "no")

const formLimit = 1_000_000

const unreadable = new NotDone({ status: 400, text: Texts.page.unreadableForm })

const lengthOf = (request: HttpServerRequest): number | undefined => {
  const stated = request.headers["content-length"]
  return stated === undefined ? undefined : Number(stated)
}

/** Reads the fields of a form, at most 1 MB. */
export const formOf = (request: HttpServerRequest): Effect.Effect<RequestForm, NotDone> =>
  Effect.gen(function* () {
    const length = lengthOf(request)
    if (length === undefined || !(length <= formLimit))
      return yield* new NotDone({ status: 413, text: Texts.page.unreadableForm })
    const text = yield* Effect.mapError(request.text, () => unreadable)
    return new Map(new URLSearchParams(text))
  })

export interface UploadForm {
  readonly form: RequestForm
  readonly files: ReadonlyArray<Upload>
}

const mebi = 1024 * 1024

export const uploadLimit: UploadLimit = { bytes: 200 * mebi, label: "200 MB" }

export const discard = (paths: ReadonlyArray<string>): Effect.Effect<void, never, FileSystem.FileSystem> =>
  FileSystem.FileSystem.use((fs) =>
    Effect.forEach(paths, (path) => Effect.ignore(fs.remove(path, { force: true })), { discard: true })
  )

const tooLarge = new NotDone({ status: 413, text: Texts.page.tooLarge(uploadLimit.label) })

/**
 * Stores uploaded files in the private folder, each for its owner alone. Checks the stated size
 * before reading and limits the actual size. The fields must come first: if they do not admit the
 * form, no file is kept.
 */
export const uploadOf = (request: HttpServerRequest, folder: PrivateFolder, admits: (fields: RequestForm) => boolean) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const length = lengthOf(request)
    if (length !== undefined && length > uploadLimit.bytes + mebi) return yield* tooLarge
    const fields = new Map<string, string>()
    const files: Array<Upload> = []
    const kept: Array<string> = []
    const taken = Stream.runForEach(request.multipartStream, (part) =>
      Effect.gen(function* () {
        if (!Multipart.isFile(part)) {
          fields.set(part.key, part.value)
          return
        }
        if (!admits(fields)) return yield* new NotDone({ status: 403, text: Texts.page.noToken })
        if (part.key !== "file" || part.name === "") return yield* Stream.runDrain(part.content)
        const path = folder.next(".upload")
        kept.push(path)
        yield* Stream.run(part.content, fs.sink(path, { flag: "wx", mode: 0o600 }))
        const { size } = yield* fs.stat(path)
        // browsers send an empty file choice as a part without a name; of a path, only the last
        // part is kept
        files.push({ name: nameOf(part.name), path, bytes: Number(size) })
      })
    )
    return yield* taken.pipe(
      Effect.as<UploadForm>({ form: fields, files }),
      Effect.onError(() => discard(kept)),
      Effect.catchTags({
        MultipartError: ({ reason }) =>
          Effect.fail(["FileTooLarge", "BodyTooLarge", "TooManyParts"].includes(reason._tag) ? tooLarge : unreadable),
        PlatformError: ({ message }) => Effect.fail(new NotDone({ status: 400, text: message }))
      }),
      Effect.provideContext(
        Multipart.limitsServices({
          maxParts: 60,
          maxFieldSize: 65_536,
          maxFileSize: uploadLimit.bytes,
          maxTotalSize: uploadLimit.bytes + mebi,
          fieldMimeTypes: []
        })
      )
    )
  })

/**
 * Returns the file name for the places of findings: without a path, without control characters, at
 * most 120 characters.
 */
const nameOf = (name: string): string =>
  (name.split(/[/\\]/).at(-1) ?? "").replaceAll(/\p{Cc}/gu, "").slice(-120) || "export"
