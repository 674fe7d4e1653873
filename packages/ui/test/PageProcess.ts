/**
 * Runs the page as its users do, in the test's process or in a separate one, with a client that
 * sends exactly the given requests.
 */
import { Effect, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { request as httpRequest } from "node:http"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { inject } from "vitest"
import * as ProgramRun from "../../cli/test/ProgramRun.ts"

export const examples = join(import.meta.dirname, "../../../examples")

/** Number of times that a test looks again; on a busy machine a page takes far longer. */
export const patience = 3000

export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: string
  readonly bytes: Buffer
}

export interface Asking {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

export interface PageProcess {
  /** Terminates the page like a service manager, and waits; returns its exit code. */
  readonly terminate: () => Promise<number | null>
  readonly link: string
  readonly origin: string
  /** `/` and the secret part. */
  readonly prefix: string
  readonly host: string
  /** Separate folder, which also holds the temporary files. */
  readonly folder: string
  readonly output: () => string
}

/** Sends any request with any header; only the length is added. */
export const ask = (
  origin: string,
  path: string,
  { body, headers = {}, method = "GET" }: Asking = {}
): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }
    const { hostname, port } = new URL(origin)
    const request = httpRequest(
      { hostname, port, path, method, agent: false, headers: { ...length, ...headers } },
      (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("end", () => {
          const bytes = Buffer.concat(chunks)
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: bytes.toString("utf8"),
            bytes
          })
        })
        response.on("error", reject)
      }
    )
    request.on("error", reject)
    request.end(body)
  })

const made = "page-test-"

const environment = (inside: string, env: Readonly<Record<string, string>>) => ({
  ...process.env,
  NO_COLOR: "1",
  TMPDIR: inside,
  ...env
})

const linkIn = (text: string): string | undefined => /http:\/\/127\.0\.0\.1:\d+\/\S+/.exec(text)?.[0]

/** Returns the facts about a page that are known from its printed link. */
const pageOf = (link: string, folder: string, output: () => string) => {
  const { host, origin, pathname } = new URL(link)
  return { link, origin, host, prefix: `/${pathname.split("/")[1]}`, folder, output }
}

/** Removes a folder that was made here. A test inspects its own folder first. */
const tidied = (folder: string) => {
  if (basename(folder).startsWith(made)) rmSync(folder, { recursive: true, force: true })
}

/** Runs `connector ui` with the flags in this process, until the scope closes. */
export const start = (
  flags: ReadonlyArray<string> = [],
  env: Readonly<Record<string, string>> = {},
  inside: string = mkdtempSync(join(tmpdir(), made))
): Effect.Effect<PageProcess, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      let text = ""
      let printed = () => {}
      let interrupt = () => {}
      const code = Effect.runPromise(
        ProgramRun.run({
          args: ["ui", "--no-open", ...flags],
          cwd: inside,
          env: environment(inside, env),
          printed: (_, more, running) => {
            text += more
            interrupt = running.interrupt
            printed()
          }
        })
      )
      const link = await new Promise<string>((resolve, reject) => {
        printed = () => {
          const found = linkIn(text)
          if (found !== undefined) resolve(found)
        }
        void code.then(() => reject(new Error(text)))
      })
      const terminate = (): Promise<number | null> => {
        interrupt()
        return code
      }
      return { ...pageOf(link, inside, () => text), terminate }
    }),
    ({ folder, terminate }) =>
      Effect.promise(async () => {
        await terminate()
        tidied(folder)
      })
  )

/** Ends the process and waits; returns its exit code. */
const ended = (child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode)
    child.on("close", (code) => resolve(code))
    child.kill(signal)
  })

/** Runs `connector ui` in a separate process, which can be killed. */
export const startProcess = (
  flags: ReadonlyArray<string> = [],
  env: Readonly<Record<string, string>> = {},
  inside: string = mkdtempSync(join(tmpdir(), made))
): Effect.Effect<PageProcess & { readonly kill: () => Promise<number | null> }, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child = spawn(process.execPath, [inject("command"), "ui", "--no-open", ...flags], {
        cwd: inside,
        env: environment(inside, env)
      })
      let text = ""
      const link = await new Promise<string>((resolve, reject) => {
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding("utf8").on("data", (more: string) => {
            text += more
            const found = linkIn(text)
            if (found !== undefined) resolve(found)
          })
        child.on("close", () => reject(new Error(text)))
      })
      return {
        ...pageOf(link, inside, () => text),
        terminate: () => ended(child, "SIGTERM"),
        kill: () => ended(child, "SIGKILL")
      }
    }),
    ({ folder, kill }) =>
      Effect.promise(async () => {
        await kill()
        tidied(folder)
      })
  )

/** Question of the page: its place in the form, the possible values, and the preselected value. */
export interface AskedQuestion {
  readonly at: string
  readonly values: ReadonlyArray<string>
  readonly chosen: string | undefined
}

export const plainText = (text: string): string =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")

const fieldsOf = (asked: ReadonlyMap<string, AskedQuestion>, given: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    [...asked].flatMap(([id, { at, chosen, values }]) => {
      // a test machine says UTC, which the page does not propose
      const value = given[id] ?? chosen ?? (id === "zone" ? "UTC" : "leave-out")
      return values.includes(value)
        ? [[`question.${at}`, value]]
        : [
            [`question.${at}`, "typed"],
            [`typed.${at}`, value]
          ]
    })
  ) as Readonly<Record<string, string>>

/** Browser that has opened the link, simulated by its requests. */
export class Visitor {
  readonly page: PageProcess
  readonly cookie: string
  token = ""
  /** Number of the last shown check, by the path of its form. */
  readonly checks = new Map<string, string>()
  private constructor(page: PageProcess, cookie: string) {
    this.page = page
    this.cookie = cookie
  }

  static async open(page: PageProcess): Promise<Visitor> {
    const { headers } = await ask(page.origin, page.link.slice(page.origin.length), { headers: { host: page.host } })
    const [cookie = ""] = (headers["set-cookie"] as ReadonlyArray<string>)[0]!.split(";")
    const visitor = new Visitor(page, cookie)
    visitor.token = /name="token" value="([^"]+)"/.exec((await visitor.get("/")).body)?.[1] ?? ""
    return visitor
  }

  /** Requests `path` after the secret part. */
  async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answered> {
    const answer = await ask(this.page.origin, `${this.page.prefix}${path}`, {
      headers: { host: this.page.host, cookie: this.cookie, ...headers }
    })
    const check = /name="check" value="(\d+)"/.exec(answer.body)?.[1]
    if (check !== undefined) this.checks.set(`${path}/send`, check)
    return answer
  }

  /** Reads a stream of events until `enough` returns true for the received text. */
  follow(path: string, enough: (text: string) => boolean): Promise<string> {
    const { hostname, port } = new URL(this.page.origin)
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        {
          hostname,
          port,
          path: `${this.page.prefix}${path}`,
          agent: false,
          headers: { host: this.page.host, cookie: this.cookie }
        },
        (response) => {
          let text = ""
          response.setEncoding("utf8").on("data", (more: string) => {
            text += more
            if (!enough(text)) return
            resolve(text)
            request.destroy()
          })
          response.on("end", () => reject(new Error(`${response.statusCode}: ${text}`)))
        }
      )
      request.on("error", reject)
      request.end()
    })
  }

  /** Posts a form like one of our pages, unless the headers differ. */
  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {}
  ): Promise<Answered> {
    return ask(this.page.origin, `${this.page.prefix}${path}`, {
      method: "POST",
      headers: {
        host: this.page.host,
        cookie: this.cookie,
        origin: this.page.origin,
        "content-type": "application/x-www-form-urlencoded",
        ...headers
      },
      body: new URLSearchParams({ token: this.token, check: this.checks.get(path) ?? "", ...fields }).toString()
    })
  }

  /** Uploads files, and returns the answer with the import's path. */
  async upload(
    files: ReadonlyArray<readonly [name: string, content: string | Uint8Array]>,
    {
      fields = {},
      headers = {},
      path = "/imports"
    }: {
      readonly fields?: Readonly<Record<string, string>>
      readonly headers?: Readonly<Record<string, string>>
      readonly path?: string
    } = {}
  ): Promise<Answered> {
    const boundary = "----page-test"
    const part = (head: string, content: string | Uint8Array) =>
      Buffer.concat([
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
        Buffer.from(content),
        Buffer.from("\r\n")
      ])
    const said = { token: this.token, account: "sandbox", format: "", ...fields }
    const body = Buffer.concat([
      ...Object.entries(said).map(([name, value]) => part(`name="${name}"`, value)),
      ...files.map(([name, content]) =>
        part(`name="file"; filename="${name}"\r\nContent-Type: application/octet-stream`, content)
      ),
      Buffer.from(`--${boundary}--\r\n`)
    ])
    return ask(this.page.origin, `${this.page.prefix}${path}`, {
      method: "POST",
      headers: {
        host: this.page.host,
        cookie: this.cookie,
        origin: this.page.origin,
        "content-type": `multipart/form-data; boundary=${boundary}`,
        ...headers
      },
      body
    })
  }

  /** Returns the path, after the secret part, to which an answer leads. */
  whereTo({ body, headers, status }: Answered): string {
    if (status !== 303) throw new Error(`${status}: ${body.slice(0, 2000)}`)
    return String(headers["location"]).slice(this.page.prefix.length)
  }

  /** Returns the questions of a page, by their ids. */
  questionsIn(body: string): ReadonlyMap<string, AskedQuestion> {
    const blocks = body
      .split('data-question="')
      .slice(1)
      .map((block) => block.split(/<\/(?:fieldset|tr)>/)[0]!)
    return new Map(
      blocks.map((block) => {
        const [id = ""] = block.split('"')
        const at = /name="question\.(\d+)"/.exec(block)?.[1] ?? "none"
        const values = Array.from(block.matchAll(/value="([^"]*)"\s*(required|selected|>|checked)/g), ([, value]) =>
          plainText(value!)
        )
        const chosen = /value="([^"]*)"\s+(?:required )?(?:checked|selected)/.exec(block)?.[1]
        return [plainText(id), { at, values, chosen: chosen === undefined ? undefined : plainText(chosen) }]
      })
    )
  }

  /** Returns the page of an import after its files are read. */
  async read(where: string): Promise<Answered> {
    for (let i = 0; ; i++) {
      const answer = await this.get(where)
      if (!answer.body.includes("<h1>Reading the file")) return answer
      if (i === patience) throw new Error(`${where} goes on reading`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  /** Returns the questions of an import, after its files are read. */
  async asked(where: string): Promise<ReadonlyMap<string, AskedQuestion>> {
    return this.questionsIn((await this.read(where)).body)
  }

  /**
   * Answers every question of an import, and the following questions: with `given` by the
   * question's id, else with the proposal. Questions without either are omitted. Returns the next
   * page.
   */
  async answer(
    where: string,
    given: Readonly<Record<string, string>> = {},
    more: Readonly<Record<string, string>> = {}
  ): Promise<Answered> {
    for (let i = 0; i < 10; i++) {
      const answer = await this.read(where)
      const asked = this.questionsIn(answer.body)
      if (asked.size === 0) return answer
      await this.post(`${where}/questions`, { ...fieldsOf(asked, given), ...more })
    }
    throw new Error(`${where} goes on asking`)
  }

  /** Leaves the documents of every question out, except the questions answered by `given`. */
  async leaveOut(where: string, given: Readonly<Record<string, string>> = {}): Promise<Answered> {
    for (let i = 0; i < 10; i++) {
      const answer = await this.read(where)
      const asked = this.questionsIn(answer.body)
      if (asked.size === 0) return answer
      const left = new Map([...asked].map(([id, one]) => [id, { ...one, chosen: "leave-out" }]))
      await this.post(`${where}/questions`, fieldsOf(left, given))
    }
    throw new Error(`${where} goes on asking`)
  }

  /** Waits until the import shows a page with the heading. */
  async until(path: string, heading: string | RegExp): Promise<Answered> {
    for (let i = 0; ; i++) {
      const answer = await this.get(path)
      const shown = /<h1>[^<]*/.exec(answer.body)?.[0] ?? ""
      if (typeof heading === "string" ? shown.startsWith(`<h1>${heading}`) : heading.test(shown)) return answer
      if (i === patience) throw new Error(`${path} did not come to ${heading}: ${answer.body.slice(0, 3000)}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
