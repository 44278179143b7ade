import { join } from 'node:path'
import { AccountExports } from '../account-exports.ts'
import type { ExportJob } from '../account-exports.ts'
import { accountParts } from '../account-parts.ts'
import { AccountDeletion, deleteRowsOf } from '../changes/account-deletion.ts'
import type { Database } from '../../database/surface.ts'
import { AfterResponse } from '../../http/request/after-response.ts'
import type { Request } from '../../http/request/request.ts'
import type { Sessions } from '../../http/session/sessions.ts'
import type { JobHandler } from '../../queue/job.ts'
import type { JobStore } from '../../queue/job-store.ts'
import { Queue } from '../../queue/queue.ts'
import { measureQueue } from '../../queue/queue-metrics.ts'
import { queueWorker, runQueue } from '../../queue/run-queue.ts'
import type { QueueWorker } from '../../queue/run-queue.ts'
import { applicationKey } from '../../settings/application-key.ts'
import type { AccountMails } from './account-mails.ts'
import type { AccountsContext, AccountUnits } from './account-units.ts'
import { isOn } from './accounts-options.ts'
import type { AccountsOptions } from './accounts-options.ts'

/** What deleting and exporting accounts needs. */
interface AccountDataParts {
  readonly database: Database
  readonly jobs: JobStore
  readonly sessions: Sessions
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
export function openAccountData(
  options: AccountsOptions,
  context: AccountsContext,
  parts: AccountDataParts,
): AccountData {
  const { data } = context.configs
  const exporting = isOn(options.exports) ? openExports(options, context, parts) : null
  return {
    deletion: isOn(options.deletion) ? openDeletion(options, context, parts) : null,
    deletionDays: Math.round(data.deletionDelay / 86_400),
    exports: exporting?.exports ?? null,
    exportJobs: exporting?.jobs ?? null,
  }
}

function openExports(
  { exports: given }: AccountsOptions,
  context: AccountsContext,
  { database, jobs, sessions, units }: AccountDataParts,
): { readonly exports: AccountExports; readonly jobs: ExportJobs } {
  const { data, key, queue } = context.configs
  const { activity, apiTokens, authenticator, credentials, openId, passkeys, trust, users } = units
  const encrypter = applicationKey(key, context).encrypter('queue')
  const exportQueue = new Queue<ExportJob>('exports', jobs, { ...queue, encrypter })
  const own = typeof given === 'object' ? given.parts({ database }) : {}
  const exports = new AccountExports(database, {
    credentials,
    folder: join(context.storageFolder, 'exports'),
    parts: {
      ...accountParts({
        users,
        trust,
        sessions,
        ...(activity !== null && { activity }),
        ...(apiTokens !== null && { apiTokens }),
        ...(authenticator !== null && { authenticator }),
        ...(passkeys !== null && { passkeys }),
        ...(openId !== null && { identities: openId.accounts }),
      }),
      ...own,
    },
    queue: exportQueue,
    keep: data.exportTtl,
    activity,
  })
  return { exports, jobs: new ExportJobs(exportQueue, exports.work, data.exportQueue) }
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
    activity: units.activity,
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
