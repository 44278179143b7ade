import type { Cleanup } from './cleanup.ts'
import type { AccountsWith } from '../../src/accounts/module/account-services.ts'
import type { AccountsModule } from '../../src/accounts/module/accounts-module.ts'
import type { Sessions } from '../../src/http/session/sessions.ts'
import type { BuiltInMigration } from '../../src/migrations/migration-file.ts'
import type { ProjectServer, ProjectServerOptions } from '../../src/testing/project-server.ts'

/** The demo under test, with the services that tests outside the demo need. */
export type DemoServer = ProjectServer<{
  readonly accounts: AccountsWith<'apiTokens' | 'authenticator' | 'deletion' | 'passkeys'>
  readonly sessions: Sessions
}>

interface DemoTests {
  readonly site: string
  readonly serveDemo: (
    options?: Pick<ProjectServerOptions, 'environment' | 'env' | 'marksTexts'>,
  ) => Promise<DemoServer>
  readonly emptyDatabase: (t: Cleanup) => string
  readonly preparedDatabase: (t: Cleanup) => Promise<string>
}

// By its URL: the demo is compiled on its own, with other rules.
const file: string = new URL('../../../demo/tests/serve-demo.ts', import.meta.url).href
const demo: DemoTests = await import(file)

export const site: string = demo.site
export const serveDemo: DemoTests['serveDemo'] = demo.serveDemo
export const emptyDatabase: DemoTests['emptyDatabase'] = demo.emptyDatabase
export const preparedDatabase: DemoTests['preparedDatabase'] = demo.preparedDatabase

const own: { readonly accounts: AccountsModule } = await import(
  new URL('../../../demo/accounts.ts', import.meta.url).href
)

/** The migrations that the accounts of the demo bring, beside the files in its folder. */
export const demoMigrations: readonly BuiltInMigration[] = await own.accounts.migrations()
