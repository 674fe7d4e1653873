import { HostProcess } from "@fiscal-connector/core/host"
import { Console, Effect, FileSystem, Option, Schema } from "effect"
import { Flag } from "effect/cli"
import { spawn } from "node:child_process"
import { configOf, optionalConfig } from "../account/AccountFlags.ts"
import * as PageWorkplace from "../account/PageWorkplace.ts"
import * as BookOfExport from "../import/BookOfExport.ts"
import * as LogLine from "../output/LogLine.ts"
import * as Output from "../output/Output.ts"
import { notDone } from "../output/ExitError.ts"
import * as DoctorCommand from "./DoctorCommand.ts"
import * as DesktopStarter from "./DesktopStarter.ts"
import { formats } from "./import/PageFormats.ts"
import { describedCommand, optionalText } from "../output/Flags.ts"

const openers: Readonly<Record<string, readonly [program: string, ...args: ReadonlyArray<string>]>> = {
  darwin: ["open"],
  win32: ["explorer.exe"]
}

/**
 * Opens the file in the desktop's browser, if available. Failures are ignored, since the link is
 * printed.
 */
const browse = (file: string) =>
  Effect.map(HostProcess.HostProcess, ({ cwd, env }) => {
    const [program, ...args] = openers[process.platform] ?? ["xdg-open"]
    const child = spawn(program, [...args, file], { cwd, env, stdio: "ignore", detached: true })
    child.on("error", () => {})
    child.unref()
  })

export const ui = describedCommand(
  "ui",
  "Open the browser page on this machine: import, watch and decide; uses a sandbox without a configuration",
  {
    config: optionalConfig,
    book: optionalText("book", "the mapping book of the page; default x.book.json beside the configuration x.json"),
    port: Flag.Int("port").pipe(
      Flag.withDescription("the port on 127.0.0.1; default the port of the last run with this book, else a free port"),
      Flag.withSchema(
        Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 }, { message: "expected a port, 0 to 65535" }))
      ),
      Flag.withDefault(0)
    ),
    open: Flag.Boolean("open").pipe(
      Flag.withDescription("open the browser; --no-open only prints the link"),
      Flag.withDefault(true)
    ),
    logFormat: LogLine.flag,
    starter: optionalText("starter", "write a Linux desktop starter FILE.desktop that opens this page, and exit")
  },
  ({ book, config, open, port, starter }) =>
    Effect.gen(function* () {
      if (Option.isSome(starter)) {
        const written = yield* DesktopStarter.write(starter.value, {
          config: Option.getOrUndefined(yield* configOf(config)),
          book: Option.getOrUndefined(book)
        })
        return yield* Output.answer("file", written, `Written: ${written.file}. Open it to start the page.`)
      }
      const Page = yield* Effect.promise(() => import("@fiscal-connector/ui/Page"))
      const fs = yield* FileSystem.FileSystem
      const file = yield* configOf(config)
      const given = { formats: yield* formats, book }
      const workplace = yield* Option.match(file, {
        onNone: () =>
          Effect.gen(function* () {
            const isThere = Option.isSome(book) && (yield* fs.exists(book.value))
            return yield* PageWorkplace.sandbox(given, isThere ? yield* BookOfExport.load(book.value) : undefined)
          }),
        onSome: Effect.fnUntraced(function* (file) {
          const services = yield* Effect.context<Effect.Services<ReturnType<typeof DoctorCommand.examine>>>()
          return yield* PageWorkplace.configured(file, given, (account) =>
            DoctorCommand.examine({ config: file, account: Option.some(account), book: Option.none() }).pipe(
              Effect.scoped,
              Effect.provideContext(services)
            )
          )
        })
      })
      const { link, linkFile, origin } = yield* Page.serve(workplace, { port }).pipe(
        Effect.catchTag("PageNotListening", ({ message }) => Effect.fail(notDone(message)))
      )
      yield* Output.answer(
        "listening",
        // The link works for its first reader. A log therefore contains only the file with the
        // link, readable by its owner alone.
        { addresses: [origin], linkFile },
        [
          Option.isNone(file)
            ? "A page on this machine, until Ctrl-C. Without --config it works against a sandbox: nothing reaches an authority."
            : "A page on this machine, until Ctrl-C.",
          `  ${link}`,
          "The link works once, and for you alone."
        ].join("\n")
      )
      const { form, logFormat } = yield* Output.Output
      if (form === "json" && logFormat === "text") yield* Console.error(link)
      if (open) yield* browse(linkFile)
      return yield* Effect.never
    }).pipe(Effect.scoped)
)
