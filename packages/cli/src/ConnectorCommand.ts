/** The command line as a whole. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as OwnAdapterCommand from "./command/import/OwnAdapterCommand.ts"
import * as AdapterModule from "./import/AdapterModule.ts"
import { account } from "./command/AccountCommand.ts"
import { assumptions } from "./command/AssumptionsCommand.ts"
import { bookWith } from "./command/BookCommand.ts"
import { adapterWith } from "./command/AdapterCommand.ts"
import { bookDraft, draftByAdapter, draftFlags } from "./command/BookDraftCommand.ts"
import { config } from "./command/ConfigCommand.ts"
import { columnsCsv, importCsv, planCsv } from "./command/import/CsvCommand.ts"
import { doctor } from "./command/DoctorCommand.ts"
import { explain } from "./command/store/ExplainCommand.ts"
import { forget } from "./command/store/ForgetCommand.ts"
import { gateway } from "./command/gateway/GatewayCommand.ts"
import { init } from "./command/InitCommand.ts"
import { health } from "./command/store/HealthCommand.ts"
import { list } from "./command/store/ListCommand.ts"
import { mappings } from "./command/MappingsCommand.ts"
import { originalsWith } from "./command/OriginalsCommand.ts"
import { pdf } from "./command/store/PdfCommand.ts"
import { resolve, withdraw } from "./command/store/ResolveCommand.ts"
import { resume } from "./command/store/ResumeCommand.ts"
import { sandbox } from "./command/SandboxCommand.ts"
import { serve } from "./command/ServeCommand.ts"
import { store } from "./command/store/StoreCommand.ts"
import { webhook } from "./command/WebhookCommand.ts"
import { work } from "./command/WorkCommand.ts"
import { why } from "./command/WhyCommand.ts"
import { importXeroLike, planXeroLike } from "./command/import/XeroLikeCommand.ts"
import { columnsXlsx, importXlsx, planXlsx } from "./command/import/XlsxCommand.ts"
import { zReports } from "./command/ZReportsCommand.ts"
import { json } from "./output/Output.ts"

const imports = Command.make("import").pipe(
  Command.withDescription("Fiscalise what an accounting system exports"),
  Command.withSubcommands([importCsv, importXlsx, importXeroLike])
)

const plans = Command.make("plan").pipe(
  Command.withDescription("Show what an import would send, hold and refuse; send nothing"),
  Command.withSubcommands([planCsv, planXlsx, planXeroLike])
)

const columns = Command.make("columns").pipe(
  Command.withDescription("Propose which column of an export stands for what"),
  Command.withSubcommands([columnsCsv, columnsXlsx])
)

/** The command line; where a person named an adapter of somebody else's, the commands that read exports read by it. */
const connectorWith = (ready: OwnAdapterCommand.Ready | undefined) =>
  Command.make("connector").pipe(
    Command.withDescription("Invoices and credit notes through a fiscal invoicing gateway, exactly once, with proof"),
    Command.withGlobalFlags([json]),
    Command.withSubcommands([
      init,
      ready === undefined ? imports : OwnAdapterCommand.command("import", ready),
      ready === undefined ? plans : OwnAdapterCommand.command("plan", ready),
      columns,
      resume,
      list,
      explain,
      forget,
      resolve,
      withdraw,
      originalsWith(ready),
      pdf,
      health,
      store,
      bookWith(ready === undefined ? bookDraft : draftByAdapter(ready)),
      adapterWith(ready),
      mappings,
      doctor,
      zReports,
      why,
      gateway,
      account,
      config,
      assumptions,
      work,
      serve,
      webhook,
      sandbox
    ])
  )

/** The command line for these arguments: an adapter that is named in them has flags of its own. Fails where it is none. */
export const connectorFor = (args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const named = AdapterModule.namedIn(args)
    if (named === undefined) return connectorWith(undefined)
    return connectorWith(yield* OwnAdapterCommand.ready(yield* AdapterModule.load(named), draftFlags))
  })
