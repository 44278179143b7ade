import { AccountExports } from '../account-exports.ts'
import type { ExportJob } from '../account-exports.ts'
import { accountParts } from '../account-parts.ts'
import { AccountDeletion, deleteRowsOf } from '../changes/account-deletion.ts'
import { AfterResponse } from '../../http/request/after-response.ts'
import type { Request } from '../../http/request/request.ts'
import type { JobHandler } from '../../queue/job.ts'
import { Queue } from '../../queue/queue.ts'
import { measureQueue } from '../../queue/queue-metrics.ts'
import { queueWorker, runQueue } from '../../queue/run-queue.ts'
import type { QueueWorker } from '../../queue/run-queue.ts'
import { applicationKey } from '../../settings/application-key.ts'
import { diskFrom } from '../../storage/storage-settings.ts'
import type { AccountMails } from './account-mails.ts'
import type { AccountsContext, AccountStores, AccountUnits } from './account-units.ts'
import { isOn } from './accounts-options.ts'
import type { AccountsOptions } from './accounts-options.ts'

/** What deleting and exporting accounts needs. */
interface AccountDataParts extends Pick<AccountStores, 'database' | 'files' | 'jobs' | 'sessions'> {
  readonly units: AccountUnits
  readonly mails: AccountMails
}

/** What deletes accounts and exports their data; what is off is null. */
export interface AccountData {
  readonly deletion: AccountDeletion | null
  /** Between the request and the deletion. */
  readonly deletionDays: number
  readonly exports: AccountExports | null
  readonly exportJobs: ExportJobs | null
}

/** Builds what deletes accounts and exports their data, as far as they are on. */
export async function openAccountData(
  options: AccountsOptions,
  context: AccountsContext,
  parts: AccountDataParts,
): Promise<AccountData> {
  const { data } = context.configs
  return {
    deletion: isOn(options.deletion) ? openDeletion(options, context, parts) : null,
    deletionDays: Math.round(data.deletionDelay / 86_400),
    ...(isOn(options.exports)
      ? await openExports(options, context, parts)
      : { exports: null, exportJobs: null }),
  }
}

async function openExports(
  { exports: given }: AccountsOptions,
  context: AccountsContext,
  { database, files, jobs, sessions, units }: AccountDataParts,
): Promise<Pick<AccountData, 'exports' | 'exportJobs'>> {
  const { data, key, queue } = context.configs
  const appKey = applicationKey(key, context)
  const encrypter = appKey.encrypter('queue')
  const exportQueue = new Queue<ExportJob>('exports', jobs, { ...queue, encrypter })
  const exports = new AccountExports(database, {
    credentials: units.credentials,
    files: files ?? (await diskFrom({ url: 'file:storage' }, context, appKey)),
    parts: {
      ...accountParts({ ...units, sessions, identities: units.openId?.accounts ?? null }),
      ...(typeof given === 'object' && given.parts({ database })),
    },
    queue: exportQueue,
    keep: data.exportTtl,
  })
  return { exports, exportJobs: new ExportJobs(exportQueue, exports.work, data.exportQueue) }
}

function openDeletion(
  { deletion: given, on, ...options }: AccountsOptions,
  { configs }: AccountsContext,
  { database, units, mails }: AccountDataParts,
): AccountDeletion {
  // Besides its links, devices and sessions.
  const tables = [
    'account_undos',
    'mail_sign_ins',
    ...(units.activity === null ? [] : ['account_activity']),
    ...(isOn(options.exports) ? ['account_exports'] : []),
    ...(units.apiTokens === null ? [] : ['api_tokens']),
    ...(units.emailChange === null ? [] : ['email_changes']),
    ...(units.identities === null ? [] : ['openid_identities']),
    ...(units.passkeys === null ? [] : ['passkeys']),
    ...(units.authenticator === null ? [] : ['recovery_codes', 'totp_secrets']),
  ]
  return new AccountDeletion(database, {
    credentials: units.credentials,
    deletes: [
      mails.deleted,
      ...(on?.deleted === undefined ? [] : [on.deleted]),
      ...(typeof given === 'object' ? given.deletes : []),
      ...tables.map((table) => deleteRowsOf(table)),
    ],
    delay: configs.data.deletionDelay,
  })
}

/**
 * Runs the jobs that export accounts in this process, one at a time and after the response; with
 * EXPORT_QUEUE it leaves them to `framework queue run exports`.
 */
export class ExportJobs {
  readonly #queue: Queue<ExportJob>
  readonly #work: JobHandler<ExportJob>
  readonly #isElsewhere: boolean
  readonly #afterResponse = new AfterResponse()
  #running: Promise<unknown> = Promise.resolve()
  readonly #metrics: { close(): void }

  constructor(queue: Queue<ExportJob>, work: JobHandler<ExportJob>, isElsewhere: boolean) {
    this.#queue = queue
    this.#metrics = measureQueue(queue)
    this.#work = work
    this.#isElsewhere = isElsewhere
  }

  /** Runs what waits, once the response to this request is sent. */
  start(request: Request): void {
    if (this.#isElsewhere) return
    this.#afterResponse.add(request, () => {
      this.#running = this.#running
        .catch(() => {})
        .then(() => runQueue(this.#queue, this.#work, { once: true }))
      return this.#running
    })
  }

  /** The worker of `framework queue run exports`. */
  get worker(): QueueWorker {
    return queueWorker(this.#queue, this.#work)
  }

  /** Waits for the jobs that run. */
  async close(): Promise<void> {
    await this.#afterResponse.close()
    this.#metrics.close()
  }
}
