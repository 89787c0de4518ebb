import { areaTexts } from '../areas/area-texts.js';
import type { ConfigFile, ReadConfig } from '../config/config-file.js';
import { type AccountDeps, connectAccounts } from '../accounts/connect-accounts.js';
import { circuitStore } from '../accounts/circuit-rows.js';
import { createNumbers } from '../accounts/number-rows.js';
import type { InstanceCount } from '../accounts/circuit-sharing.js';
import { createHeldLeases } from '../worker/held-leases.js';
import { createClaimedRows } from '../consignment/claimed-rows.js';
import { createReservedReferences } from '../consignment/reserved-references.js';
import { createUnwrittenAnswers } from '../consignment/unwritten-answers.js';
import { LEASE_MS } from '../worker/lease-renewal.js';
import { plainHeaders } from '../consignment/requests/keep-exchange.js';
import { masking } from '../consignment/requests/mask-secrets.js';
import { createRequestRecording } from '../consignment/requests/request-recording.js';
import type { AssemblyAhead } from '../labels/assemble-ahead.js';
import type { Assembler } from '../labels/assembler.js';
import type { BookingContext, BookingMeasures } from '../consignment/context.js';
import { requestFieldsOf } from '../consignment/requests/request-fields.js';
import type { Area } from '../areas/area.js';
import type { Database } from '../db/database.js';
import type { ImsClient } from '../ims/calls/client.js';
import type { Hidden, Log } from '../log.js';
import { type Messages, loadMessages } from '../messages/messages.js';
import { type CompiledProfiles, compileProfiles } from '../printing/choose-profile.js';
import { loadPrinting } from '../printing/load-printing.js';
import type { Printing } from '../printing/print-body.js';
import { profileSettings } from '../config/sections/printing.js';
import { compileRules } from '../routing/choose-carrier.js';
import { returnsBeside } from '../operator/returns/beside-booking.js';
import { sendingAgain } from '../transport/send-again.js';
import { templatesFolder } from '../program-files.js';
import type { Clock } from '../../carriers/contract/adapter.js';
import type { HttpPort } from '../../carriers/contract/http-port.js';

export interface ContextDeps {
  /** Unique for each run of the process. */
  readonly owner: string;
  readonly database: Database;
  readonly http: HttpPort;
  readonly ims: ImsClient;
  readonly log: Log;
  readonly clock: Clock;
  readonly labelLink: (id: string) => string;
  /** Every secret of the installation, to be redacted. */
  readonly hidden: Hidden;
  readonly assembly: AssemblyAhead;
  readonly drawing: Pick<Assembler, 'draw' | 'drawErrorSheet' | 'drawPaper' | 'drawPage'>;
  readonly instances: InstanceCount;
  readonly ahead: BookingContext['ahead'];
  readonly measures: BookingMeasures;
  readonly watch: NonNullable<AccountDeps['watch']>;
}

/** Messages to workers and bodies of print requests. */
export interface LoadedTexts {
  readonly messages: Messages;
  readonly printing: Printing;
}

export async function loadTexts(file: ConfigFile): Promise<LoadedTexts> {
  const templates = templatesFolder();
  const { mode } = file.printing;
  const { profiles } = profileSettings(file.printing);
  return { messages: await loadMessages(templates), printing: await loadPrinting(templates, { mode, profiles }) };
}

/** Creates what the steps of a consignment use; called once at the start. */
export function bookingContext(
  config: ReadConfig,
  { messages, printing }: LoadedTexts,
  deps: ContextDeps,
): BookingContext {
  const { database, log, clock, labelLink, hidden, assembly, ahead, measures } = deps;
  const fields = requestFieldsOf(config.adapters);
  const context: BookingContext = {
    database,
    clock,
    random: Math.random,
    log,
    configuredAt: clock.now(),
    areas: new Map(config.file.areas.map((area) => [area.contextId, connectArea(area, deps.ims, messages)])),
    accounts: connectAccounts(config.accounts, {
      ...deps,
      http: sendingAgain(deps.http),
      hide: hidden.add,
      numbers: createNumbers(database),
      labels: deps.drawing,
      circuits: { store: circuitStore(database), owner: deps.owner, instances: () => deps.instances.now },
    }),
    rules: compileRules(config.rules, config.accounts),
    printing,
    ...profilesOf(config),
    assemble: assembly.assemble,
    beginAssembly: assembly.begin,
    ...(config.file.printing.errorSheet && { drawErrorSheet: deps.drawing.drawErrorSheet }),
    drawPaper: deps.drawing.drawPaper,
    drawPage: deps.drawing.drawPage,
    labelLink,
    mask: hidden.mask,
    lease: { owner: deps.owner, lengthMs: LEASE_MS, held: createHeldLeases() },
    claimed: createClaimedRows(),
    reserved: createReservedReferences(),
    unwritten: createUnwrittenAnswers(),
    ahead,
    measures,
    requests: createRequestRecording({
      ...{ database, clock, log, ...masking(hidden.mask, fields.secret) },
      plain: plainHeaders(fields.plainHeaders),
    }),
  };
  return { ...context, returnsBeside: returnsBeside(context) };
}

function connectArea(area: ConfigFile['areas'][number], ims: ImsClient, messages: Messages): Area {
  const { contextId, apiKey, language, bookOn, giveUpAfterMinutes, timeZone, dangerousGoods } = area;
  return {
    contextId,
    bookOn,
    giveUpAfterMs: giveUpAfterMinutes * 60_000,
    timeZone,
    checksDangerousGoods: dangerousGoods === 'check',
    ims: ims.area(contextId, apiKey, 'booking'),
    imsBackground: ims.area(contextId, apiKey, 'background'),
    ...areaTexts(messages, { language, bookOn }),
  };
}

function profilesOf({ file }: ReadConfig): { readonly profiles?: CompiledProfiles } {
  const settings = profileSettings(file.printing);
  return settings.profiles.length === 0 ? {} : { profiles: compileProfiles(settings) };
}
