import { createRateLimitsTable } from '../../http/rate-limits/sql-rate-limits.ts'
import { createSessionsTable } from '../../http/session/sql-sessions.ts'
import { createGatheredMailsTable } from '../../mail/gathered-mails.ts'
import { createJobsTable } from '../../queue/sql-jobs.ts'
import { createActivityTable } from '../account-activity.ts'
import { createAccountExportsTable } from '../account-exports.ts'
import { createAccountDeletionsTable } from '../changes/account-deletion.ts'
import { createAccountUndosTable } from '../changes/account-undo.ts'
import { createEmailChangesTable } from '../changes/email-change.ts'
import { createTrustsTable } from '../devices/trust.ts'
import { createAuthenticatorTables } from '../factors/authenticator-app.ts'
import { createOpenIdIdentitiesTable } from '../openid/open-id-identities.ts'
import { createPasskeyTables } from '../passkeys/passkey-rows.ts'
import { createMailSignInsTable } from '../sign-in/mail-challenges.ts'
import { createApiTokensTable } from '../tokens/api-tokens.ts'
import { createTokensTable } from '../tokens/tokens.ts'
import { addFactorsColumn, createUsersTable } from '../users-rows.ts'
import type { BuiltInMigration } from '../../migrations/migration-file.ts'
import type { Schema } from '../../migrations/schema.ts'
import { accountFields } from './account-fields.ts'
import { isOn } from './accounts-options.ts'
import type { AccountsOptions } from './accounts-options.ts'

/**
 * The tables of accounts, in the order they are made. Their names are those of the files that projects had before
 * accounts were a module, whose tables are therefore known.
 */
export async function accountTables(
  options: AccountsOptions,
): Promise<readonly BuiltInMigration[]> {
  const { secondFactor, passkeys, openId, apiTokens, emailChange, deletion, exports, activity } =
    options
  const own = await accountFields(options)
  return [
    table(1, 'create_users_table', true, createUsersTable, ['users']),
    table(2, 'create_tokens_table', true, createTokensTable, ['tokens']),
    table(3, 'create_trusts_table', true, createTrustsTable, ['trusts']),
    table(4, 'create_sessions_table', true, createSessionsTable, ['sessions']),
    table(5, 'create_rate_limits_table', true, createRateLimitsTable, ['rate_limits']),
    table(6, 'create_jobs_table', true, createJobsTable, ['jobs']),
    // What double clicks need is among the sessions now.
    table(7, 'create_submissions_table', false, () => {}, ['submissions']),
    {
      ...table(9, 'add_factors_column', true, addFactorsColumn, []),
      down: (schema) => schema.dropColumn('users', 'factors'),
    },
    table(10, 'create_activity_table', activity, createActivityTable, ['account_activity']),
    table(11, 'create_authenticator_tables', isOn(secondFactor), createAuthenticatorTables, [
      'recovery_codes',
      'totp_secrets',
    ]),
    table(12, 'create_api_tokens_table', isOn(apiTokens), createApiTokensTable, ['api_tokens']),
    table(13, 'create_passkey_tables', passkeys, createPasskeyTables, [
      'passkey_challenges',
      'passkeys',
    ]),
    table(14, 'create_mail_sign_ins_table', true, createMailSignInsTable, ['mail_sign_ins']),
    table(15, 'create_email_changes_table', emailChange, createEmailChangesTable, [
      'email_changes',
    ]),
    // Before accounts were a module, one file made both.
    table(16, dataTables, false, () => {}, ['account_exports', 'account_deletions']),
    table(17, 'create_openid_identities_table', isOn(openId), createOpenIdIdentitiesTable, [
      'openid_identities',
    ]),
    {
      name: nameOf(19, 'add_account_proofs'),
      isNeeded: true,
      async up(schema) {
        // Since when a link counts as opened by nobody; NULL for accounts that were verified before.
        await schema.addColumn('users', (columns) => columns.bigint('email_unproven_at').nullable())
        await createAccountUndosTable(schema)
      },
      async down(schema) {
        await schema.dropTable('account_undos')
        await schema.dropColumn('users', 'email_unproven_at')
      },
    },
    {
      name: nameOf(20, 'add_suspended_column'),
      isNeeded: true,
      // When an operator has suspended the account, epoch seconds.
      up: (schema) =>
        schema.addColumn('users', (columns) => columns.bigint('suspended_at').nullable()),
      down: (schema) => schema.dropColumn('users', 'suspended_at'),
    },
    table(21, 'create_gathered_mails_table', true, createGatheredMailsTable, ['gathered_mails']),
    {
      ...table(22, 'create_account_deletions_table', isOn(deletion), createAccountDeletionsTable, [
        'account_deletions',
      ]),
      replaces: nameOf(16, dataTables),
    },
    {
      ...table(23, 'create_account_exports_table', isOn(exports), createAccountExportsTable, [
        'account_exports',
      ]),
      replaces: nameOf(16, dataTables),
    },
    {
      name: nameOf(24, 'add_language_column'),
      // A project may have had such a column of its own before.
      isNeeded: own?.kinds['language'] === undefined,
      up: (schema) =>
        schema.addColumn('users', (columns) => columns.text('language', { length: 35 }).nullable()),
      down: (schema) => schema.dropColumn('users', 'language'),
    },
    {
      name: nameOf(25, 'add_timezone_column'),
      // As above. Names of zones have at most 32 letters so far.
      isNeeded: own?.kinds['timezone'] === undefined,
      up: (schema) =>
        schema.addColumn('users', (columns) => columns.text('timezone', { length: 64 }).nullable()),
      down: (schema) => schema.dropColumn('users', 'timezone'),
    },
    ...(own?.migrations ?? []),
  ]
}

const dataTables = 'create_account_data_tables'

function table(
  at: number,
  name: string,
  isNeeded: boolean | undefined,
  up: (schema: Schema) => unknown,
  tables: readonly string[],
): BuiltInMigration {
  return {
    name: nameOf(at, name),
    isNeeded: isNeeded === true,
    up,
    async down(schema) {
      for (const made of tables) await schema.dropTable(made)
    },
  }
}

function nameOf(at: number, name: string): string {
  return `202601010000${String(at).padStart(2, '0')}_${name}`
}
