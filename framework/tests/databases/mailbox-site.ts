import { AuthEvents } from '../../src/accounts/auth-events.ts'
import { Credentials } from '../../src/accounts/changes/credentials.ts'
import { createUsersTable } from '../../src/accounts/users-rows.ts'
import { Users } from '../../src/accounts/users.ts'
import { AccountActivity, createActivityTable } from '../../src/accounts/account-activity.ts'
import {
  AccountDeletion,
  createAccountDeletionsTable,
  deleteRowsOf,
} from '../../src/accounts/changes/account-deletion.ts'
import type { DeleteStep } from '../../src/accounts/changes/account-deletion.ts'
import { EmailChange } from '../../src/accounts/changes/email-change.ts'
import type { ChangedEmail, RequestedEmail } from '../../src/accounts/changes/email-change.ts'
import { createEmailChangesTable } from '../../src/accounts/changes/email-change.ts'
import { createAccountExportsTable } from '../../src/accounts/account-exports.ts'
import { createOpenIdIdentitiesTable } from '../../src/accounts/openid/open-id-identities.ts'
import { Purposes } from '../../src/accounts/tokens/token.ts'
import { createTokensTable, Tokens } from '../../src/accounts/tokens/tokens.ts'
import { createTrustsTable, Trust } from '../../src/accounts/devices/trust.ts'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import type { Throwables } from '../../src/errors/throwables/throwables.ts'
import type { Database, Surface } from '../../src/database/surface.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { Emitter } from '../../src/events/emitter.ts'
import { createSessionsTable, SqlSessions } from '../../src/http/session/sql-sessions.ts'
import type { SessionStore } from '../../src/http/session/session-store.ts'
import { cheapArgon2, CountedPassword } from '../support/counted-password.ts'
import { someDigest, someRow } from './session-store-contract.ts'

/** Makes the tables of accounts, and one of a project. */
export async function createTables(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    const schema = new Schema(transaction)
    await createUsersTable(schema)
    await createTokensTable(schema)
    await createTrustsTable(schema)
    await createSessionsTable(schema)
    await createActivityTable(schema)
    await createEmailChangesTable(schema)
    await createAccountDeletionsTable(schema)
    await createAccountExportsTable(schema)
    await createOpenIdIdentitiesTable(schema)
    await schema.createTable('notes', (table) => {
      table.key()
      table.text('owner', { length: 255 })
    })
  })
}

/** Somebody with an account, a device, links in their mails, two sessions and a note. */
export interface Owner {
  readonly id: string
  readonly email: string
  readonly sessions: readonly [string, string]
  readonly recovery: string
  readonly verification: string
}

/** How many an account has of everything. */
export interface Belongings {
  readonly email: string | null
  readonly devices: number
  readonly links: number
  readonly sessions: number
  readonly notes: number
  readonly activity: number
}

/** Accounts whose e-mail can change and which can be deleted, on one database, with a frozen clock. */
export class MailboxSite {
  readonly database: Database
  readonly clock: { now: number } = { now: 1_700_000_000 }
  readonly told: [event: string, user: string | null][] = []
  readonly reported: unknown[] = []
  readonly emitter: Emitter = new Emitter()
  readonly users: Users
  readonly tokens: Tokens
  readonly trust: Trust
  readonly activity: AccountActivity
  readonly sessions: SessionStore
  readonly credentials: Credentials
  readonly emailChange: EmailChange
  readonly deletion: AccountDeletion
  readonly throwables: Throwables = createThrowables()

  constructor(database: Database, sessions?: SessionStore) {
    this.throwables.reporters.push((error) => this.reported.push(error))
    for (const [name, event] of Object.entries(AuthEvents)) {
      this.emitter.listen(event, ({ user }) => this.told.push([name, user]))
    }
    const { clock, throwables } = this.shared
    const { password } = new CountedPassword(cheapArgon2)
    const users = { clock, throwables, emailChanges: 'email_changes' }
    this.database = database
    this.users = new Users(database, password, users)
    this.tokens = new Tokens(database, { clock, throwables })
    this.trust = new Trust(database, { clock, throwables })
    this.activity = new AccountActivity(database, { clock })
    this.sessions = sessions ?? new SqlSessions(database)
    this.credentials = new Credentials(database, password, {
      ...this.shared,
      users,
      tokens: { clock },
      trust: { clock },
      sessions: (surface: Surface) => sessions ?? new SqlSessions(surface),
      activity: this.activity,
    })
    this.emailChange = new EmailChange(database, {
      ...this.shared,
      credentials: this.credentials,
      users: this.users,
      undoes: [deleteRowsOf('account_deletions')],
    })
    this.deletion = this.deleting([])
  }

  /** Options of every unit. */
  get shared(): { clock: () => number; throwables: Throwables; emitter: Emitter } {
    const { throwables, emitter } = this
    return { clock: () => this.clock.now, throwables, emitter }
  }

  /** The deletion of accounts with more to delete. */
  deleting(more: readonly DeleteStep[]): AccountDeletion {
    return new AccountDeletion(this.database, {
      ...this.shared,
      credentials: this.credentials,
      deletes: [
        deleteRowsOf('notes', 'owner'),
        deleteRowsOf('account_activity'),
        deleteRowsOf('email_changes'),
        ...more,
      ],
    })
  }

  async owner(email: string): Promise<Owner> {
    const id = (await this.users.enroll(email, 'a password')) ?? ''
    await this.users.confirm(id)
    await this.trust.issue(id)
    await this.database.run(sql`INSERT INTO notes (owner) VALUES (${id})`)
    return {
      id,
      email,
      recovery: (await this.tokens.mint(id, Purposes.Recovery)).value,
      verification: (await this.tokens.mint(id, Purposes.Verification)).value,
      sessions: [await this.session(id), await this.session(id)],
    }
  }

  /** Opens a session of an account; its digest. */
  async session(identity: string): Promise<string> {
    const digest = someDigest()
    const used = Math.floor(Date.now() / 1000)
    const row = someRow({ identity, created: used, used, expires: used + 600 })
    await this.sessions.create(digest, row)
    return digest
  }

  /** Asks for another e-mail in the first session of an owner. */
  async asked({ id }: Owner, email: string): Promise<RequestedEmail> {
    const asked = await this.emailChange.request(id, email, { keep: null, request: 'r1' })
    if (asked === null) throw new Error('refused')
    return asked
  }

  /** Opens the link to a new address where it was asked for. */
  complete(
    { id, sessions: [keep] }: Owner,
    { token, binding }: RequestedEmail,
  ): Promise<ChangedEmail | 'taken' | null> {
    return this.emailChange.complete(token.value, id, { binding, keep, device: null })
  }

  async belongings({ id }: Pick<Owner, 'id'>): Promise<Belongings> {
    const count = async (table: string, column: string): Promise<number> => {
      const name = sql.name(table)
      const [row] = await this.database.rows(
        sql`SELECT count(*) AS n FROM ${name} WHERE ${sql.name(column)} = ${id}`,
      )
      return Number(row?.['n'])
    }
    return {
      email: (await this.users.find(id))?.email ?? null,
      devices: (await this.trust.list(id)).length,
      links: await count('tokens', 'user_id'),
      sessions: (await this.sessions.list(id)).length,
      notes: await count('notes', 'owner'),
      activity: await count('account_activity', 'user_id'),
    }
  }
}
