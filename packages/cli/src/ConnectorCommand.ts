/** The command line as a whole. */
import { Command } from "effect/cli"
import { account } from "./command/AccountCommand.ts"
import { assumptions } from "./command/AssumptionsCommand.ts"
import { book } from "./command/BookCommand.ts"
import { config } from "./command/ConfigCommand.ts"
import { columnsCsv, importCsv, planCsv } from "./command/import/CsvCommand.ts"
import { doctor } from "./command/DoctorCommand.ts"
import { explain } from "./command/store/ExplainCommand.ts"
import { gateway } from "./command/gateway/GatewayCommand.ts"
import { init } from "./command/InitCommand.ts"
import { health } from "./command/store/HealthCommand.ts"
import { list } from "./command/store/ListCommand.ts"
import { mappings } from "./command/MappingsCommand.ts"
import { originals } from "./command/OriginalsCommand.ts"
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

export const connector = Command.make("connector").pipe(
  Command.withDescription("Invoices and credit notes through a fiscal invoicing gateway, exactly once, with proof"),
  Command.withGlobalFlags([json]),
  Command.withSubcommands([
    init,
    imports,
    plans,
    columns,
    resume,
    list,
    explain,
    resolve,
    withdraw,
    originals,
    pdf,
    health,
    store,
    book,
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
