/**
 * `connector source login NAME`: the tokens go into the source's token file. `connector source
 * forget NAME`: begin again with a first plan, or the source is not used any more.
 */
import * as OAuthGrants from "@fiscal-connector/adapter-kit/OAuthGrants"
import { LiveSourceError } from "@fiscal-connector/core/adapter"
import { Console, Deferred, Duration, Effect, Option, type Scope } from "effect"
import { Argument } from "effect/cli"
import { commandGroup, describedCommand } from "../../output/Flags.ts"
import { createServer } from "node:http"
import { StorePlace, SubmissionStore } from "@fiscal-connector/core/store"
import { config } from "../../account/AccountFlags.ts"
import * as ConfigAccount from "../../account/ConfigAccount.ts"
import { as, decidedBy, reason } from "../../account/DecidedBy.ts"
import * as SourceOfConfig from "../../account/SourceOfConfig.ts"
import { changingPlace } from "../../account/StoreFlags.ts"
import { Call } from "../../output/Call.ts"
import { report } from "../../output/FindingReport.ts"
import * as Output from "../../output/Output.ts"
import { type ExitError, notDone } from "../../output/ExitError.ts"
import { printable } from "../../output/Terminal.ts"
import * as ConfiguredSource from "../../account/ConfiguredSource.ts"

/** Login timeout. Leaves enough time to find a password. */
const patience = Duration.minutes(10)

const page = (text: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>connector</title><p>${text}</p></html>`

const listening = (
  redirect: URL,
  take: (callback: URL) => Effect.Effect<string>
): Effect.Effect<void, ExitError, Scope.Scope> =>
  Effect.gen(function* () {
    const run = Effect.runPromiseWith(yield* Effect.context<never>())
    const server = createServer((request, response) => {
      const callback = new URL(request.url ?? "/", redirect)
      const shown =
        callback.pathname === redirect.pathname ? run(take(callback)) : Promise.resolve("There is nothing here.")
      const headers = { "content-type": "text/html; charset=utf-8", connection: "close" }
      void shown.then((text) => response.writeHead(200, headers).end(page(text)))
    })
    const host = redirect.hostname === "localhost" ? "127.0.0.1" : redirect.hostname.replace(/^\[(.*)\]$/, "$1")
    const port = redirect.port === "" ? 80 : Number(redirect.port)
    yield* Effect.acquireRelease(
      Effect.callback<void, ExitError>((resume) => {
        server.once("error", () => {
          const text = `The port ${port} of ${host} cannot be opened: end the program that uses it, or name another port in redirectUrl, here and at the source.`
          resume(Effect.fail(notDone(text)))
        })
        server.listen(port, host, () => resume(Effect.void))
      }),
      // the browser still receives the page of the answer that ended the login
      () =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeIdleConnections()
        }).pipe(Effect.timeoutOption("1 second"), Effect.andThen(Effect.sync(() => server.closeAllConnections())))
    )
  })

const refused = (error: LiveSourceError.LiveSourceError) =>
  Effect.flatMap(Call, (call) =>
    Effect.fail(notDone(report([{ finding: LiveSourceError.finding(error), subject: undefined }], call)))
  )

const login = describedCommand(
  "login",
  "Log in to an accounting system in a browser; the tokens are written to the token file",
  {
    name: Argument.String("name").pipe(Argument.withDescription("the name of the source in the configuration")),
    config
  },
  Effect.fnUntraced(function* ({ config: file, name }) {
    const source = yield* ConfiguredSource.configured(file, name)
    const { login: way } = source.live
    if (way === null) {
      const text = `The source ${name} has an API key (secretFile), and no login. Make a new key at the system, and write it into the file.`
      return yield* notDone(printable(text))
    }
    const tokens = yield* way.tokens
    const begun = yield* OAuthGrants.login(way.options)
    const done = yield* Deferred.make<void, LiveSourceError.LiveSourceError>()
    yield* listening(new URL(way.options.redirectUrl), (callback) =>
      begun.finish(callback).pipe(
        Effect.flatMap((fresh) =>
          Option.isNone(fresh)
            ? Effect.succeed("This is not the login that was begun here. Open the address that the terminal shows.")
            : Effect.as(
                Effect.andThen(tokens.take(fresh.value), Deferred.succeed(done, undefined)),
                "You are logged in. You can close this page."
              )
        ),
        Effect.catch((error) =>
          Effect.as(Deferred.fail(done, error), "The login did not succeed. The terminal says why.")
        )
      )
    )
    yield* Console.error(`Open this in a browser on this machine, and log in:\n\n${begun.url}\n`)
    const ended = yield* Effect.timeoutOption(Deferred.await(done), patience).pipe(
      Effect.catchTag("LiveSourceError", refused)
    )
    if (Option.isNone(ended)) return yield* notDone("No login within ten minutes. Nothing was changed.")
    const live = yield* SourceOfConfig.open(source)
    const identity = yield* Effect.catchTag(live.identity, "LiveSourceError", refused)
    if (identity.tenant !== source.config.tenant) {
      const text = `The login is for ${identity.name || "another company"} (tenant ${identity.tenant || "none"}), and the source is for tenant ${source.config.tenant}. Correct tenant in the configuration, or log in for the other company.`
      return yield* notDone(printable(text))
    }
    const call = yield* Call
    const next = call.next({ command: ["sync"], operands: [name], as: ["config"] })
    yield* Output.answer(
      "source-login",
      { source: name, tenant: identity.tenant, company: identity.name, tokenFile: way.tokenFile },
      `${printable(`Logged in for ${identity.name || identity.tenant}. The tokens are in ${way.tokenFile}.`)}\n  ${next}`
    )
  }, Effect.scoped)
)

const forget = describedCommand(
  "forget",
  "Forget what was read of a source: its next run is a plan, as the first one; health no longer mentions it",
  {
    name: Argument.String("name").pipe(
      Argument.withDescription("the name of the source; it need not be in the configuration any more")
    ),
    config,
    because: reason("the reason; recorded"),
    as
  },
  Effect.fnUntraced(function* ({ as, because, config: file, name }) {
    const place = yield* ConfigAccount.storeOf(file)
    const forgotten = SubmissionStore.SubmissionStore.use(({ liveSources }) => liveSources.forget(name, because))
    const documents = yield* decidedBy(as, changingPlace(place, forgotten))
    if (documents === undefined) {
      const text = `The store ${StorePlace.describe(place)} knows no source ${name}. Nothing was changed.`
      return yield* notDone(printable(text))
    }
    yield* Output.answer(
      "source-forgotten",
      { source: name, documents },
      printable(
        `Forgotten what was read of the source ${name}: ${documents} ${documents === 1 ? "document" : "documents"}, and up to which time. If the source is still in the configuration, its next run is a plan and sends nothing. Documents that are in the store are not sent again.`
      )
    )
  })
)

export const source = commandGroup(
  "source",
  "Log in to an accounting system that is read live, or forget what was read of it",
  [login, forget]
)
