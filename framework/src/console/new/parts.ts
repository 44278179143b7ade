/** A part of the scaffold that can be left out of a new project. */
export interface Part {
  /** Short description for the help. */
  readonly about: string
  /** Its files and folders. Its lines in other files are marked there, see `withoutParts`. */
  readonly files: readonly string[]
  /** Packages that it needs, and the project without it does not. */
  readonly packages?: readonly string[]
  /** The part without which it cannot be: leaving that one out leaves out this one too. */
  readonly needs?: string
}

/** Left out if no part that needs them is there. */
const schemas = ['valibot', '@valibot/to-json-schema']

/** They need the pages of every part. */
const samples = ['tests/pages-samples.ts', 'tests/pages-views.test.ts']

/**
 * The values of `--without`. To add a part, list it here and mark its lines in other files; a test
 * creates a project without each of them and without several, checks its types and starts it.
 */
export const parts: Readonly<Record<string, Part>> = {
  auth: {
    about: 'accounts, signing in and its mails, the error inbox',
    files: [
      'accounts',
      'configs/auth',
      'configs/errors',
      'configs/mail',
      'configs/queue',
      'errors',
      'mails.ts',
      'migrations/20260101000001_create_users_table.ts',
      'migrations/20260101000002_create_tokens_table.ts',
      'migrations/20260101000003_create_trusts_table.ts',
      'migrations/20260101000006_create_jobs_table.ts',
      'migrations/20260101000008_create_error_tables.ts',
      'migrations/20260101000009_add_factors_column.ts',
      'migrations/20260101000014_create_mail_sign_ins_table.ts',
      'migrations/20260101000019_add_account_proofs.ts',
      'migrations/20260101000020_add_suspended_column.ts',
      'migrations/20260101000021_create_gathered_mails_table.ts',
      'public/settings.css',
      'public/settings.js',
      'routes/account',
      'routes/auth',
      'routes/errors.ts',
      'seeds/accounts.ts',
      'tests/auth',
      'views/account',
      'views/account.template.html',
      'views/confirm.template.html',
      'views/factor.template.html',
      'views/forgot.template.html',
      'views/layouts/mail.template.html',
      'views/layouts/mail.text.template.html',
      'views/layouts/settings.template.html',
      'views/login.template.html',
      'views/mails',
      'views/partials/access.template.html',
      'views/partials/first-password.template.html',
      'views/partials/mail-button.template.html',
      'views/partials/mail-undo.template.html',
      'views/partials/mail-undo.text.template.html',
      'views/partials/way-in.template.html',
      'views/partials/new-password.template.html',
      'views/partials/time.template.html',
      'views/password.template.html',
      'views/register.template.html',
      'views/reset.template.html',
      'views/verify.template.html',
      ...samples,
    ],
    packages: schemas,
  },
  activity: {
    about: 'what happened to an account, for its owner',
    files: [
      'accounts/describe-activity.ts',
      'migrations/20260101000010_create_activity_table.ts',
      'routes/account/show-activity.ts',
      'tests/auth/activity.test.ts',
      'tests/auth/mail-limits.test.ts',
      'views/account/activity.template.html',
      'views/mails/factor-asked.template.html',
      'views/mails/factor-asked.text.template.html',
      'views/mails/new-device.template.html',
      'views/mails/new-device.text.template.html',
      ...samples,
    ],
    needs: 'auth',
  },
  'two-factor': {
    about: 'codes of authenticator apps, and recovery codes',
    files: [
      'migrations/20260101000011_create_authenticator_tables.ts',
      'routes/account/two-factor.ts',
      'tests/auth/two-factor.test.ts',
      'views/mails/recovery-codes.template.html',
      'views/mails/recovery-codes.text.template.html',
      'views/account/recovery-codes.template.html',
      'views/account/two-factor.template.html',
      ...samples,
    ],
    needs: 'auth',
  },
  passkeys: {
    about: 'signing in with a fingerprint, a face or a security key',
    files: [
      'migrations/20260101000013_create_passkey_tables.ts',
      'public/passkeys.js',
      'routes/account/passkeys.ts',
      'routes/auth/passkey.ts',
      'tests/auth/passkeys.test.ts',
      'views/account/passkeys.template.html',
      'views/mails/passkey-changed.template.html',
      'views/mails/passkey-changed.text.template.html',
      'views/mails/passkey-copied.template.html',
      'views/mails/passkey-copied.text.template.html',
      'views/partials/passkey.template.html',
      ...samples,
    ],
    packages: ['@simplewebauthn/server'],
    needs: 'auth',
  },
  'api-tokens': {
    about: 'tokens with which programs use an account',
    files: [
      'accounts/api-scopes.ts',
      'accounts/api-token-form.ts',
      'migrations/20260101000012_create_api_tokens_table.ts',
      'routes/api.ts',
      'routes/orders.ts',
      'routes/account/api-tokens.ts',
      'tests/auth/api-tokens.test.ts',
      'tests/auth/orders.test.ts',
      'views/mails/token-created.template.html',
      'views/mails/token-created.text.template.html',
      'views/account/tokens.template.html',
      ...samples,
    ],
    needs: 'auth',
  },
  'email-change': {
    about: 'changing the e-mail of an account, with a way back',
    files: [
      'migrations/20260101000015_create_email_changes_table.ts',
      'routes/account/email-undo.ts',
      'routes/account/email.ts',
      'tests/auth/email-change.test.ts',
      'views/account/email-confirm.template.html',
      'views/account/email-elsewhere.template.html',
      'views/account/email-undo.template.html',
      'views/account/email.template.html',
      'views/mails/email-change.template.html',
      'views/mails/email-change.text.template.html',
      'views/mails/email-changed.template.html',
      'views/mails/email-changed.text.template.html',
      'views/mails/email-taken.template.html',
      'views/mails/email-taken.text.template.html',
      ...samples,
    ],
    needs: 'auth',
  },
  'account-data': {
    about: 'downloading the data of an account, and deleting it',
    files: [
      'accounts/account-data.ts',
      'accounts/export-jobs.ts',
      'configs/data',
      'migrations/20260101000016_create_account_data_tables.ts',
      'routes/account/deletion.ts',
      'routes/account/exports.ts',
      'tests/auth/deletion.test.ts',
      'tests/auth/exports.test.ts',
      'views/account/delete.template.html',
      'views/account/export.template.html',
      'views/account/keep.template.html',
      'views/mails/deleted.template.html',
      'views/mails/deleted.text.template.html',
      'views/mails/deletion.template.html',
      'views/mails/deletion.text.template.html',
      'views/mails/export-ready.template.html',
      'views/mails/export-ready.text.template.html',
      ...samples,
    ],
    needs: 'auth',
  },
  'mail-login': {
    about: 'signing in with a mailed code or link',
    files: [
      'routes/auth/mail-link.ts',
      'routes/auth/mail-login.ts',
      'tests/auth/mail-login.test.ts',
      'views/mail-code.template.html',
      'views/mail-link.template.html',
      'views/mail-login.template.html',
      'views/mails/password-removed.template.html',
      'views/mails/password-removed.text.template.html',
      'views/mails/sign-in.template.html',
      'views/mails/sign-in.text.template.html',
      ...samples,
    ],
    needs: 'auth',
  },
  oidc: {
    about: 'signing in with accounts of other sites, by OpenID Connect',
    files: [
      'accounts/open-id-refusals.ts',
      'accounts/open-id.ts',
      'configs/oidc',
      'migrations/20260101000017_create_openid_identities_table.ts',
      'routes/account/sign-ins.ts',
      'routes/auth/open-id.ts',
      'tests/auth/open-id.test.ts',
      'views/account/sign-ins.template.html',
      'views/leave.template.html',
      'views/mails/identity-changed.template.html',
      'views/mails/identity-changed.text.template.html',
      ...samples,
    ],
    needs: 'auth',
  },
  items: {
    about: 'the list of items, with its table',
    files: [
      'entities/items.ts',
      'item-list.ts',
      'migrations/20260101000000_create_items_table.ts',
      'routes/items.ts',
      'routes/orders.ts',
      'seeds/items.ts',
      'tests/auth/orders.test.ts',
      'tests/database.test.ts',
      'tests/items.test.ts',
      'views/items.template.html',
      'views/invalid-cursor.template.html',
      ...samples,
    ],
    packages: schemas,
  },
  tour: {
    about: 'the tour of features on the home page, with its example routes',
    files: [
      'greeter.ts',
      'routes/failure.ts',
      'routes/hello.ts',
      'tests/failure.test.ts',
      'views/hello.template.html',
      ...samples,
    ],
    packages: schemas,
  },
  docker: { about: 'the container image', files: ['Dockerfile', '.dockerignore'] },
  ci: { about: 'the tests that run at every push', files: ['.github'] },
}

/** The packages that a project without these parts does not need. */
export function unneededPackages(without: readonly string[]): readonly string[] {
  const packagesOf = (names: readonly string[]): readonly string[] =>
    names.flatMap((name) => parts[name]?.packages ?? [])
  const needed = packagesOf(Object.keys(parts).filter((name) => !without.includes(name)))
  return packagesOf(without).filter((name) => !needed.includes(name))
}

/** The names of the parts that are left out with these: those that need one of them, too. */
export function withDependents(names: readonly string[]): readonly string[] {
  const dependents = Object.keys(parts).filter((name) => names.includes(parts[name]?.needs ?? ''))
  return [...new Set([...names, ...dependents])]
}
