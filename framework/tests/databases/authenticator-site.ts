import { Credentials } from '../../src/accounts/changes/credentials.ts'
import { AuthEvents } from '../../src/accounts/auth-events.ts'
import type { AuthEventPayload } from '../../src/accounts/auth-events.ts'
import { AccountActivity, createActivityTable } from '../../src/accounts/account-activity.ts'
import { createUsersTable, addFactorsColumn } from '../../src/accounts/users-rows.ts'
import { Users } from '../../src/accounts/users.ts'
import {
  AuthenticatorApp,
  createAuthenticatorTables,
} from '../../src/accounts/factors/authenticator-app.ts'
import type { ApplicationKey } from '../../src/settings/application-key.ts'
import { createPasskeyTables } from '../../src/accounts/passkeys/passkey-rows.ts'
import { Passkeys } from '../../src/accounts/passkeys/passkeys.ts'
import type { PasskeysOptions } from '../../src/accounts/passkeys/passkeys.ts'
import { MailSignIn } from '../../src/accounts/sign-in/mail-sign-in.ts'
import { createMailSignInsTable } from '../../src/accounts/sign-in/mail-challenges.ts'
import { createTokensTable } from '../../src/accounts/tokens/tokens.ts'
import { Trust, createTrustsTable } from '../../src/accounts/devices/trust.ts'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import type { Database } from '../../src/database/surface.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { Emitter } from '../../src/events/emitter.ts'
import { createSessionsTable, SqlSessions } from '../../src/http/session/sql-sessions.ts'
import { CountedPassword } from '../support/counted-password.ts'
import { someKey } from '../support/some-key.ts'

/** Makes the tables of accounts and of their factors. */
export async function createTables(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    const schema = new Schema(transaction)
    await createUsersTable(schema)
    await addFactorsColumn(schema)
    await createTokensTable(schema)
    await createTrustsTable(schema)
    await createSessionsTable(schema)
    await createActivityTable(schema)
    await createAuthenticatorTables(schema)
    await createPasskeyTables(schema)
    await createMailSignInsTable(schema)
  })
}

/** Accounts with authenticator apps and passkeys on one database, with a frozen clock and what was told. */
export class AuthenticatorSite {
  readonly database: Database
  readonly clock: { now: number } = { now: 1_700_000_000 }
  readonly told: [event: string, payload: AuthEventPayload][] = []
  readonly reported: unknown[] = []
  readonly emitter: Emitter = new Emitter()
  readonly users: Users
  readonly credentials: Credentials
  readonly trust: Trust
  readonly sessions: SqlSessions
  readonly app: AuthenticatorApp
  readonly activity: AccountActivity
  readonly passkeys: Passkeys
  readonly mails: MailSignIn

  constructor(
    database: Database,
    key: ApplicationKey = someKey(),
    options: Partial<PasskeysOptions> = {},
  ) {
    const throwables = createThrowables()
    throwables.reporters.push((error) => this.reported.push(error))
    const shared = { clock: () => this.clock.now, throwables }
    const { emitter } = this
    for (const [name, event] of Object.entries(AuthEvents)) {
      emitter.listen(event, (payload) => this.told.push([name, payload]))
    }
    const { password } = new CountedPassword()
    const users = { ...shared, factors: 'factors' }
    this.database = database
    this.users = new Users(database, password, users)
    this.trust = new Trust(database, shared)
    this.sessions = new SqlSessions(database)
    this.activity = new AccountActivity(database, { clock: shared.clock, random: () => 1 })
    this.credentials = new Credentials(database, password, {
      ...shared,
      sessions: (surface) => new SqlSessions(surface),
      users,
      emitter,
      activity: this.activity,
    })
    const { credentials } = this
    this.app = new AuthenticatorApp(database, {
      ...shared,
      credentials,
      key,
      issuer: 'Shop',
    })
    this.passkeys = new Passkeys(database, {
      ...shared,
      credentials,
      key,
      url: 'https://shop.example',
      title: 'Shop',
      ...options,
    })
    this.mails = new MailSignIn(database, { ...shared, credentials, key })
  }

  /** A new account. */
  async person(email: string): Promise<{ id: string; email: string }> {
    return { id: (await this.users.enroll(email, 'a password')) ?? '', email }
  }

  /** Whether a code is accepted. */
  verify(user: string, code: string): Promise<boolean> {
    const [binding, purpose, peer] = ['', 'sign-in', '203.0.113.9'] as const
    return this.app.verify({ user, fields: { code }, binding, purpose, peer })
  }
}
