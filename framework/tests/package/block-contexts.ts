/**
 * What the pages of the documentation take for granted in blocks that are not whole programs, by page: a
 * declaration on each line. It is compiled with every such block, and shown to nobody.
 */
export const blockContexts: Readonly<Record<string, string>> = {
  'docs/guides/account-security.md': `
    import type { ApiTokens, Authentication, AuthenticatorApp, Confirmed, Credentials, Passkeys, SignIn, Users } from 'framework/auth'
    import type { Database } from 'framework/database'
    import type { Handler, Router } from 'framework/http'
    declare const database: Database
    declare const credentials: Credentials
    declare const users: Users
    declare const authenticator: AuthenticatorApp
    declare const passkeys: Passkeys
    declare const apiTokens: ApiTokens<'account:read'>
    import type { AccountLimit } from 'framework/middlewares'
    declare const router: Router
    declare const signIn: SignIn
    declare const factorChecks: AccountLimit
    declare const signedIn: Authentication
    declare const confirmed: Confirmed
    declare const addPasskey: Handler`,
  'docs/guides/authentication.md': `
    import { AuthEvents } from 'framework/auth'
    import type { Credentials, Remember, Users } from 'framework/auth'
    import { Emitter } from 'framework/events'
    import type { Request, RequestIdentity, Response } from 'framework/http'
    import type { Session } from 'framework/sessions'
    declare const users: Users
    declare const credentials: Credentials
    declare const remember: Remember
    declare const request: Request
    declare const response: Response
    declare const session: Session
    declare const identity: RequestIdentity
    declare const user: string, current: string, password: string, peer: string, agent: string`,
  'docs/guides/storage.md': `
    import type { Disk } from 'framework/storage'
    declare const files: Disk`,
  'docs/guides/commands.md': `
    import { defineProject } from 'framework'
    import type { Command } from 'framework/console'
    declare const importItems: Command<object>
    declare const services: () => object
    declare const manifest: readonly []`,
  'docs/guides/console.md': `
    import { defineProject } from 'framework'
    import { AccountSupport } from 'framework/auth'
    import type { AccountActivity, AuthenticatorApp, Credentials, Passkeys, Tokens, Trust, Users } from 'framework/auth'
    import type { SqlRateLimits } from 'framework/middlewares'
    import type { Sessions } from 'framework/sessions'
    declare const services: () => { users: Users, credentials: Credentials, tokens: Tokens, trust: Trust, sessions: Sessions, activity: AccountActivity, authenticator: AuthenticatorApp, passkeys: Passkeys, limits: SqlRateLimits }
    declare const manifest: readonly []`,
  'docs/guides/error-inbox.md': `
    import type { Boot } from 'framework'
    import type { Database } from 'framework/database'
    import type { Mailer } from 'framework/mail'
    declare const boot: Boot
    type Texts<Names extends string> = Record<Names, string>
    declare const configs: { errors: Texts<'mail' | 'webhook' | 'webhookSecret' | 'quietHours'> }
    declare const database: Database
    declare const mailer: Mailer`,
  'docs/guides/forms.md': `
    import { takeMessage } from 'framework/http'
    import type { Request, Response } from 'framework/http'
    declare const request: Request
    declare const response: Response`,
  'docs/guides/input.md': `
    import type { Router } from 'framework/http'
    declare const router: Router
    declare const receipts: { find(id: number): Promise<{ path: string; type: string }> }`,
  'docs/guides/languages.md': `
    import assert from 'node:assert/strict'
    import { defineProject } from 'framework'
    import { type Router, succeed } from 'framework/http'
    import { defineLanguages } from 'framework/i18n'
    import { projectServer } from 'framework/testing'
    import * as v from 'valibot'
    const en = { 'items.saved': '{name} was saved' } as const
    const de = { 'items.saved': '{name} wurde gespeichert' }
    const languages = defineLanguages({ default: 'en', messages: { en, de } })
    declare const router: Router
    declare const project: string
    declare const items: { save(body: unknown): Promise<{ name: string }> }
    declare const manifest: readonly []`,
  'docs/guides/time-zones.md': `
    import type { Router } from 'framework/http'
    import { day } from 'framework/i18n'
    import { entity, key, type Repository, timestamp } from 'framework/orm'
    import { task } from 'framework/schedule'
    const Orders = entity('orders', { id: key.integer(), paidAt: timestamp() })
    interface Services { orders: Repository<typeof Orders>, reports: { send(count: number): Promise<void> } }
    declare const orders: Repository<typeof Orders>
    declare const router: Router`,
  'docs/guides/lists.md': `
    import { type ApplicationKey, defineProject } from 'framework'
    import type { Database } from 'framework/database'
    import { Resources } from 'framework/http'
    declare const services: () => { database: Database, key: ApplicationKey }
    declare const manifest: readonly []`,
  'docs/guides/logs.md': `
    import { fileSink, Logs } from 'framework/logs'`,
  'docs/guides/mail.md': `
    import { applicationKey, type Boot, type Encrypter, type keyScope } from 'framework'
    import type { Database } from 'framework/database'
    import { GatheredMails, type mailScope, mailerFrom, Message, type Mailer } from 'framework/mail'
    import type { AccountLimit } from 'framework/middlewares'
    declare const database: Database
    declare const notices: AccountLimit
    declare const email: string, subject: string, view: string
    declare const data: Readonly<Record<string, unknown>>
    import { type JobStore, Queue, queueWorker } from 'framework/queue'
    declare const boot: Boot<{ mail: typeof mailScope, key: typeof keyScope }>
    declare const mailer: Mailer
    declare const user: { readonly email: string }
    declare const token: { readonly path: string }
    declare const store: JobStore
    declare const encrypter: Encrypter
    declare const configs: typeof boot.configs`,
  'docs/guides/observability.md': `
    import { type Counter, Observability } from 'framework/observability'
    declare const orders: Counter`,
  'docs/guides/passkeys.md': `
    import type { Passkeys, SignIn } from 'framework/auth'
    import { HttpError, type Router } from 'framework/http'
    declare const router: Router
    declare const signIn: SignIn
    declare const passkeys: Passkeys`,
  'docs/guides/permissions.md': `
    import { allowFor, type Authentication, type Users } from 'framework/auth'
    import type { Handler, Router } from 'framework/http'
    import { entity, key, type Repository, type RowOf, text } from 'framework/orm'
    const Members = entity('members', { id: key.integer(), role: text() })
    type Member = RowOf<typeof Members>
    declare const members: Repository<typeof Members>
    declare const router: Router
    declare const create: Handler, showDay: Handler
    declare const signedIn: Authentication
    declare const accounts: { users: Users<{ role: string }>, signedIn: Authentication }`,
  'docs/guides/projects.md': `
    import { defineProject } from 'framework'
    import type { SqlRateLimits } from 'framework/middlewares'
    import type { Sessions } from 'framework/sessions'
    declare const services: () => { sessions: Sessions, limits: SqlRateLimits }
    declare const manifest: readonly []`,
  'docs/guides/queue.md': `
    import type { Database } from 'framework/database'
    import type { ErrorInbox } from 'framework/errors'
    import type { Middleware } from 'framework/http'
    import { entity, integer, key, Repository } from 'framework/orm'
    import { type Queue, SqlJobs } from 'framework/queue'
    const Orders = entity('orders', { id: key.integer(), total: integer() })
    declare const database: Database
    declare const invoices: Queue<{ order: number }>
    interface Services { readonly errors: ErrorInbox; readonly mails: Queue }
    declare const admins: Middleware
    declare const total: number`,
  'docs/guides/rate-limiting.md': `
    import { defineProject } from 'framework'
    import type { Database } from 'framework/database'
    import { SqlRateLimits } from 'framework/middlewares'
    declare const database: Database
    declare const services: () => { limits: SqlRateLimits }
    declare const manifest: readonly []`,
  'docs/guides/reading.md': `
    import { boolean, decimal, entity, integer, key, Operators, Orders, type Repository } from 'framework/orm'
    const Items = entity('items', { id: key.integer(), stock: integer(), price: decimal({ precision: 10, scale: 2 }) })
    declare const items: Repository<typeof Items>
    const Posts = entity('posts', { id: key.integer(), authorId: integer(), isOpen: boolean() })
    declare const posts: Repository<typeof Posts>
    declare const author: number | null`,
  'docs/guides/requests.md': `
    import type { Server } from 'framework/http'
    declare const server: Server`,
  'docs/guides/schedule.md': `
    import { defineProject } from 'framework'
    import type { Database } from 'framework/database'
    import { SqlSchedule, type Task } from 'framework/schedule'
    declare const [weeklyReport, checkMailbox]: [Task<object>, Task<object>]
    declare const services: () => { database: Database }
    declare const manifest: readonly []`,
  'docs/guides/testing.md': `
    import { defineProject } from 'framework'
    type Clock = () => number
    import { projectServer } from 'framework/testing'
    interface Rates { today(): number }
    declare const slow: (clock: Clock) => Rates
    const project = defineProject({ name: 'shop', services: (): { clock: Clock, rates: Rates } => ({ clock: () => 0, rates: { today: () => 1 } }), routes: [] })
    declare const root: string`,
}
