import { Credentials } from '../../src/accounts/changes/credentials.ts'
import type {
  CredentialsOptions,
  SessionEnder,
} from '../../src/accounts/changes/credentials-options.ts'
import { AuthEvents } from '../../src/accounts/auth-events.ts'
import { Purposes } from '../../src/accounts/tokens/token.ts'
import { Tokens, createTokensTable } from '../../src/accounts/tokens/tokens.ts'
import { Trust, createTrustsTable } from '../../src/accounts/devices/trust.ts'
import { Users } from '../../src/accounts/users.ts'
import { createUsersTable } from '../../src/accounts/users-rows.ts'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import type { Throwables } from '../../src/errors/throwables/throwables.ts'
import type { Database, Surface } from '../../src/database/surface.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { Emitter } from '../../src/events/emitter.ts'
import type { SessionStore } from '../../src/http/session/session-store.ts'
import { createSessionsTable } from '../../src/http/session/sql-sessions.ts'
import { cheapArgon2, CountedPassword } from '../support/counted-password.ts'
import { someDigest, someRow } from './session-store-contract.ts'

/** The current time in these tests. */
export const now = 1_700_000_000

/** Makes the tables of accounts and of what belongs to them. */
export async function createTables(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    const schema = new Schema(transaction)
    await createUsersTable(schema)
    await schema.addColumn('users', (columns) => columns.bigint('suspended_at').nullable())
    await createTokensTable(schema)
    await createTrustsTable(schema)
    await createSessionsTable(schema)
  })
}

/** Where somebody has an account, a device, a link in the mail and two sessions. */
export interface Person {
  readonly id: string
  readonly email: string
  readonly password: string
  readonly device: string
  readonly recovery: string
  readonly verification: string
  readonly sessions: readonly [string, string]
}

/** What a person has left. */
export interface State {
  readonly oldPassword: boolean
  readonly verified: boolean | undefined
  readonly devices: number
  readonly recovery: boolean
  readonly verification: boolean
  /** Those of the person that live, by their place in the list. */
  readonly sessions: readonly number[]
}

/** Accounts and all that belongs to them on one database, with what was told and reported. */
export class CredentialsOffice {
  readonly database: Database
  readonly counted: CountedPassword = new CountedPassword(cheapArgon2)
  readonly users: Users
  readonly tokens: Tokens
  readonly trust: Trust
  readonly store: SessionStore
  readonly credentials: Credentials
  readonly told: unknown[] = []
  readonly reported: unknown[] = []
  readonly #sessions: (surface: Surface) => SessionEnder
  readonly #throwables: Throwables

  /** `sessions` as `Credentials` takes it; `store` is the same store outside of any transaction. */
  constructor(
    database: Database,
    sessions: (surface: Surface) => SessionEnder,
    store: SessionStore,
  ) {
    const clock = (): number => now
    this.#throwables = createThrowables()
    this.#throwables.reporters.push((error) => this.reported.push(error))
    const throwables = this.#throwables
    this.database = database
    this.users = new Users(database, this.counted.password, {
      clock,
      throwables,
      suspended: 'suspended_at',
    })
    this.tokens = new Tokens(database, { clock, throwables })
    this.trust = new Trust(database, { clock, throwables })
    this.store = store
    this.#sessions = sessions
    this.credentials = this.with({})
  }

  /** The same unit with some parts other than they are. */
  with(parts: Partial<CredentialsOptions>): Credentials {
    const clock = (): number => now
    const throwables = this.#throwables
    const emitter = new Emitter()
    emitter.listen(AuthEvents.Changed, (payload) => this.told.push(['changed', payload]))
    emitter.listen(AuthEvents.Reset, (payload) => this.told.push(['reset', payload]))
    return new Credentials(this.database, this.counted.password, {
      sessions: this.#sessions,
      users: { clock, suspended: 'suspended_at' },
      tokens: { clock },
      trust: { clock },
      emitter,
      throwables,
      clock,
      ...parts,
    })
  }

  async person(email: string, password: string = 'the old one'): Promise<Person> {
    const id = (await this.users.enroll(email, password)) ?? ''
    return {
      id,
      email,
      password,
      device: (await this.trust.issue(id)).value,
      recovery: (await this.tokens.mint(id, Purposes.Recovery)).value,
      verification: (await this.tokens.mint(id, Purposes.Verification)).value,
      sessions: [await this.session(id), await this.session(id)],
    }
  }

  /** Opens a session of an account; its digest. */
  async session(identity: string): Promise<string> {
    const digest = someDigest()
    const used = Math.floor(Date.now() / 1000)
    await this.store.create(digest, someRow({ identity, created: used, used, expires: used + 600 }))
    return digest
  }

  /** What a person has left, as one value to compare. */
  async state({ id, password, recovery, verification, sessions }: Person): Promise<State> {
    return {
      oldPassword: await this.users.check(id, password),
      verified: (await this.users.find(id))?.verified,
      devices: (await this.trust.list(id)).length,
      recovery: await this.tokens.check(recovery, Purposes.Recovery),
      verification: await this.tokens.check(verification, Purposes.Verification),
      sessions: (await this.store.list(id))
        .map(({ digest }) => sessions.indexOf(digest))
        .sort((a, b) => a - b),
    }
  }
}

/** The state of an untouched person. */
export const untouched: State = {
  oldPassword: true,
  verified: false,
  devices: 1,
  recovery: true,
  verification: true,
  sessions: [0, 1],
}

/** The state of a person whose old password opens nothing any more. */
export const ended: State = {
  oldPassword: false,
  verified: false,
  devices: 0,
  recovery: false,
  verification: false,
  sessions: [],
}
