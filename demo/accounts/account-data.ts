import { join } from 'node:path'
import { applicationKey } from 'framework'
import type { Boot } from 'framework'
import { AccountDeletion, AccountExports, accountParts, deleteRowsOf } from 'framework/auth'
import type { ExportJob } from 'framework/auth'
import type { OpenIdSignIn } from 'framework/auth' // part: oidc
import type { Database } from 'framework/database'
import { Queue, measureQueue } from 'framework/queue'
import type { JobStore } from 'framework/queue'
import type { Sessions } from 'framework/sessions'
import type { Configs } from '../configs/manifest.ts'
import type { AccountMails } from './account-mails.ts'
import type { Accounts } from './accounts.ts'
import { ExportJobs } from './export-jobs.ts'

/** What deleting and exporting accounts needs. */
export interface AccountDataParts {
  readonly database: Database
  readonly jobs: JobStore
  readonly sessions: Sessions
  readonly accounts: Accounts
  readonly accountMails: AccountMails
  readonly openId: OpenIdSignIn | null // part: oidc
}

/**
 * Builds what deletes accounts and exports their data. Whatever your project stores about an account
 * belongs into both lists.
 */
export function openAccountData(boot: Boot<Configs>, parts: AccountDataParts) {
  const { database, jobs, sessions, accounts } = parts
  const { openId } = parts // part: oidc
  const { data, key, queue } = boot.configs
  const encrypter = applicationKey(key, boot).encrypter('queue')
  const exportQueue = new Queue<ExportJob>('exports', jobs, { ...queue, encrypter })
  const exports = new AccountExports(database, {
    credentials: accounts.credentials,
    folder: join(boot.root, 'storage', 'exports'),
    parts: accountParts({
      users: accounts.users,
      trust: accounts.trust,
      sessions,
      activity: accounts.activity, // part: activity
      apiTokens: accounts.apiTokens, // part: api-tokens
      authenticator: accounts.authenticator, // part: two-factor
      passkeys: accounts.passkeys, // part: passkeys
      ...(openId !== null && { identities: openId.accounts }), // part: oidc
    }),
    queue: exportQueue,
    keep: data.exportTtl,
    activity: accounts.activity, // part: activity
  })
  const deletion = new AccountDeletion(database, {
    credentials: accounts.credentials,
    // Besides its links, devices and sessions.
    deletes: [
      parts.accountMails.deleted,
      deleteRowsOf('account_activity'), // part: activity
      deleteRowsOf('account_exports'),
      deleteRowsOf('account_undos'),
      deleteRowsOf('api_tokens'), // part: api-tokens
      deleteRowsOf('email_changes'), // part: email-change
      deleteRowsOf('mail_sign_ins'),
      deleteRowsOf('openid_identities'), // part: oidc
      deleteRowsOf('passkeys'), // part: passkeys
      deleteRowsOf('recovery_codes'), // part: two-factor
      deleteRowsOf('totp_secrets'), // part: two-factor
    ],
    delay: data.deletionDelay,
    activity: accounts.activity, // part: activity
  })
  return {
    deletion,
    /** Between the request and the deletion. */
    deletionDays: Math.round(data.deletionDelay / 86_400),
    exports,
    exportQueue,
    exportJobs: new ExportJobs(exportQueue, exports.work, data.exportQueue),
    exportMetrics: measureQueue(exportQueue),
  }
}
