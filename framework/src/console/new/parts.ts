/** A part of the scaffold that can be left out of a new project. */
export interface Part {
  /** Short description for the help. */
  readonly about: string
  /** Its files and folders. Its lines in other files are marked there, see `withoutParts`. */
  readonly files: readonly string[]
  /** Packages that only this part needs. */
  readonly packages?: readonly string[]
}

/** They need the pages of every part. */
const samples = ['tests/pages-samples.ts', 'tests/pages-views.test.ts']

/**
 * The values of `--without`. To add a part, list it here and mark its lines in other files; a test
 * creates a project for every combination, checks its types and starts it.
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
      'routes/auth',
      'routes/errors.ts',
      'seeds/accounts.ts',
      'tests/auth',
      'views/account.template.html',
      'views/forgot.template.html',
      'views/layouts/mail.template.html',
      'views/layouts/mail.text.template.html',
      'views/login.template.html',
      'views/mails',
      'views/partials/access.template.html',
      'views/partials/mail-button.template.html',
      'views/partials/new-password.template.html',
      'views/partials/time.template.html',
      'views/password.template.html',
      'views/register.template.html',
      'views/reset.template.html',
      'views/verify.template.html',
      ...samples,
    ],
    packages: ['valibot'],
  },
  items: {
    about: 'the list of items, with its table',
    files: [
      'entities/items.ts',
      'item-filters.ts',
      'migrations/20260101000000_create_items_table.ts',
      'public/lists.css',
      'routes/items.ts',
      'seeds/items.ts',
      'tests/database.test.ts',
      'tests/items.test.ts',
      'views/items.template.html',
      'views/invalid-cursor.template.html',
      ...samples,
    ],
  },
  docker: { about: 'the container image', files: ['Dockerfile', '.dockerignore'] },
  ci: { about: 'the tests that run at every push', files: ['.github'] },
}
