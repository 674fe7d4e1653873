/** A request as a handler has it, and what it may answer with. */
import { Data, Effect, FileSystem, Stream } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Multipart from "effect/http/Multipart"
import type { Html } from "../html/Html.ts"
import { headers } from "../guard/Entrance.ts"
import type { PrivateFolder } from "../guard/PrivateFolder.ts"
import type { UploadLimit } from "../page/FilePage.ts"
import * as Words from "../text/Words.ts"
import type { Upload } from "../work/PageImport.ts"

/** What is answered instead of a page. */
export class NotDone extends Data.TaggedError("NotDone")<{
  readonly status: 400 | 403 | 404 | 409 | 413
  readonly text: string
}> {}

export type Response = HttpServerResponse.HttpServerResponse

export const page = ({ text }: Html, status = 200): Response =>
  HttpServerResponse.text(text, { status, headers, contentType: "text/html; charset=utf-8" })

/** After a change: the browser asks for the page, so that loading it again repeats nothing. */
export const seeOther = (address: string): Response =>
  HttpServerResponse.empty({ status: 303, headers: { ...headers, location: address } })

export const plain = (text: string, contentType: string): Response =>
  HttpServerResponse.text(text, { headers, contentType })

/** A name that the browser saves a file under: letters, digits and a few marks, whatever a file was called. */
export const safeName = (name: string): string =>
  name
    .replaceAll(/[^\w.-]+/g, "-")
    .replace(/^[.-]+/, "")
    .slice(-80) || "file"

/** The same with the letters of every script, for browsers that take them: no path, no control character, no mark that turns text round. */
const properName = (name: string): string =>
  name
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}/\\:*?"<>|]+/gu, "-")
    .replace(/^[.\s-]+/, "")
    .slice(-80) || "file"

const named = (name: string): string => {
  const proper = encodeURIComponent(properName(name).toWellFormed()).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`
  )
  return `attachment; filename="${safeName(name)}"; filename*=UTF-8''${proper}`
}

/** A file to save, which no browser shows as a page of ours. */
export const download = (body: Stream.Stream<Uint8Array, unknown>, name: string, contentType: string): Response =>
  HttpServerResponse.stream(Stream.orDie(body), {
    contentType,
    headers: {
      ...headers,
      "content-security-policy": "sandbox; default-src 'none'",
      "content-disposition": named(name)
    }
  })

/** A form's fields; a field that is there more than once is its last. */
export type Form = ReadonlyMap<string, string>

/** Whether what is said about files is to be remembered. */
export const remembersOf = (form: Form): "yes" | "no" => (form.get("remember") === "yes" ? "yes" : "no")

const formLimit = 1_000_000

const lengthOf = (request: HttpServerRequest): number | undefined => {
  const said = request.headers["content-length"]
  return said === undefined ? undefined : Number(said)
}

/** The fields of a form, at most a megabyte of them. */
export const formOf = (request: HttpServerRequest): Effect.Effect<Form, NotDone> =>
  Effect.gen(function* () {
    const length = lengthOf(request)
    if (length === undefined || !(length <= formLimit))
      return yield* new NotDone({ status: 413, text: Words.page.unreadableForm })
    const text = yield* Effect.mapError(
      request.text,
      () => new NotDone({ status: 400, text: Words.page.unreadableForm })
    )
    return new Map(new URLSearchParams(text))
  })

export interface UploadForm {
  readonly fields: Form
  readonly files: ReadonlyArray<Upload>
}

const mebi = 1024 * 1024

/** How much is taken at once. */
export const uploadLimit: UploadLimit = { bytes: 200 * mebi, words: "200 MB" }

/** Removes uploads that nobody will read. */
export const discard = (paths: ReadonlyArray<string>): Effect.Effect<void, never, FileSystem.FileSystem> =>
  FileSystem.FileSystem.use((fs) =>
    Effect.forEach(paths, (path) => Effect.ignore(fs.remove(path, { force: true })), { discard: true })
  )

const tooLarge = new NotDone({ status: 413, text: Words.page.tooLarge(uploadLimit.words) })

/**
 * Files into the private folder, each for its owner alone. The size that is said is looked at before anything is read, and what comes is counted.
 * The fields come first; where they do not admit the form, no file is kept.
 */
export const uploadOf = (request: HttpServerRequest, folder: PrivateFolder, admits: (fields: Form) => boolean) =>
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
        if (!admits(fields)) return yield* new NotDone({ status: 403, text: Words.page.noToken })
        if (part.key !== "file" || part.name === "") return yield* Stream.runDrain(part.content)
        const path = folder.next(".upload")
        kept.push(path)
        yield* Stream.run(part.content, fs.sink(path, { flag: "wx", mode: 0o600 }))
        const { size } = yield* fs.stat(path)
        // an empty choice of a browser is a part without a name; a name that is a path is its last piece
        files.push({ name: nameOf(part.name), path, bytes: Number(size) })
      })
    )
    return yield* taken.pipe(
      Effect.as<UploadForm>({ fields, files }),
      Effect.onError(() => discard(kept)),
      Effect.catchTags({
        MultipartError: ({ reason }) =>
          Effect.fail(
            reason._tag === "FileTooLarge" || reason._tag === "BodyTooLarge" || reason._tag === "TooManyParts"
              ? tooLarge
              : new NotDone({ status: 400, text: Words.page.unreadableForm })
          ),
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

/** What stands in every place of a finding: no path, no control character, and not without end. */
const nameOf = (name: string): string =>
  (name.split(/[/\\]/).at(-1) ?? "").replaceAll(/\p{Cc}/gu, "").slice(-120) || "export"
