import type { Credentials } from '../../src/accounts/changes/credentials.ts'
import type { Users } from '../../src/accounts/users.ts'
import type { ApiTokens } from '../../src/accounts/tokens/api-tokens.ts'
import type { AccountDeletion } from '../../src/accounts/changes/account-deletion.ts'
import type { AuthenticatorApp } from '../../src/accounts/factors/authenticator-app.ts'
import type { Passkeys } from '../../src/accounts/passkeys/passkeys.ts'
import type { Trust } from '../../src/accounts/devices/trust.ts'
import type { OpenIdSignIn } from '../../src/accounts/openid/open-id-sign-in.ts'
import type { Sessions } from '../../src/http/session/sessions.ts'
import type { Tokens } from '../../src/accounts/tokens/tokens.ts'
import type { ProjectServer, ProjectServerOptions } from '../../src/testing/project-server.ts'

/** A test context, or `{ after }` of `node:test` for a whole file. */
interface Cleanup {
  after(undo: () => unknown): unknown
}

/** The demo under test, with the services that tests outside the demo need. */
export type DemoServer = ProjectServer<{
  readonly users: Users
  readonly apiTokens: ApiTokens
  readonly authenticator: AuthenticatorApp
  readonly credentials: Credentials
  readonly deletion: AccountDeletion
  readonly openId: OpenIdSignIn | null
  readonly passkeys: Passkeys
  readonly sessions: Sessions
  readonly tokens: Tokens
  readonly trust: Trust
}>

interface DemoTests {
  readonly site: string
  readonly serveDemo: (
    options?: Pick<ProjectServerOptions, 'environment' | 'env'>,
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
