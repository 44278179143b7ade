import { AuthEvents } from '../auth-events.ts'
import type { AuthEventName, AuthEventPayload } from '../auth-events.ts'
import type { DeleteStep } from '../changes/account-deletion.ts'
import type { ChangedEmail, RequestedEmail } from '../changes/email-change.ts'
import { normalEmail } from '../email-address.ts'
import type { Identity } from '../identity.ts'
import type { AccountsContext, AccountStores, AccountUnits } from './account-units.ts'
import { describeAgent } from './describe-agent.ts'
import { listWaysIn } from './ways-in.ts'
import type { MailSignInRequest } from '../sign-in/mail-sign-in.ts'
import { Purposes } from '../tokens/token.ts'
import type { Token } from '../tokens/token.ts'
import type { Database } from '../../database/surface.ts'
import { Throwables } from '../../errors/throwables/throwables.ts'
import { Emitter } from '../../events/emitter.ts'
import { AfterResponse } from '../../http/request/after-response.ts'
import type { Request } from '../../http/request/request.ts'
import type { Translate } from '../../i18n/languages.ts'
import { GatheredMails } from '../../mail/gathered-mails.ts'
import type { GatheredMail } from '../../mail/gathered-mails.ts'
import type { DeliverOptions, Mailer } from '../../mail/mailer.ts'
import { Message } from '../../mail/message.ts'
import type { Queue } from '../../queue/queue.ts'
import { applicationKey } from '../../settings/application-key.ts'
import { setTimeout as sleep } from 'node:timers/promises'

interface Recipient extends Pick<Identity, 'email'> {
  readonly language?: string | null | undefined
  readonly timezone?: string | null | undefined
}

/** Where a request came from, its language and time zone: for recipients without an account, or without a choice. */
type Origin = Pick<AuthEventPayload, 'peer' | 'agent'> & Omit<Recipient, 'email'>

/** A request for a mail with a code: to sign in with, or to prove an address. */
interface SignInMail extends MailSignInRequest {
  readonly origin: Origin
  /** Whether somebody who is signed in proves the address. */
  readonly proves?: boolean
}

/** A request for a link to choose a new password; the address as it was typed. */
type Recovery = Pick<SignInMail, 'email' | 'origin'>

/** What a mail says. `origin` and `action`, also of a notice among others, and `ttl` are put in words. */
interface MailData {
  readonly origin?: Origin
  /** A link with which the owner can undo it. */
  readonly action?: { readonly label: string; readonly link: string }
  /** Seconds for which its link works. */
  readonly ttl?: number
  readonly [name: string]: unknown
}

/**
 * The mails about accounts. They are sent after the response, so visitors do not wait for a mail server
 * and the response time does not reveal whether an account exists.
 *
 * Anybody can register the address of somebody else. So an unverified address gets only what its owner may
 * have asked for, a few a day, see `accountLimits`. A verified owner hears of everything: notices above a
 * limit are gathered and told in one mail, a few minutes later.
 */
export class AccountMails {
  /** Notices that wait. */
  readonly gathered: GatheredMails
  readonly #mailer: Mailer
  readonly #queue: Queue | null
  readonly #database: Database
  readonly #accounts: AccountUnits
  readonly #context: AccountsContext
  readonly #title: string
  readonly #afterResponse = new AfterResponse()
  readonly #closing = new AbortController()
  readonly #stops: readonly (() => void)[]

  /** With a queue, also the accounts are looked up by its worker. */
  constructor(
    { database, mailer, mails, site }: AccountStores,
    accounts: AccountUnits,
    context: AccountsContext,
  ) {
    this.gathered = new GatheredMails(database, {
      mailer,
      key: applicationKey(context.configs.key, context),
      combine: (notices) => this.#combine(notices),
    })
    this.#mailer = mailer
    mailer.nameSender(site.title)
    this.#queue = context.configs.mail.queue ? mails : null
    this.#database = database
    this.#accounts = accounts
    this.#context = context
    this.#title = site.title
    const on = Emitter.Instance
    this.#stops = [
      ...warnings.map((warning) =>
        on.listen(AuthEvents[warning.event], (payload) => this.#warn(payload, warning)),
      ),
      ...(accounts.activity === null
        ? []
        : [on.listen(AuthEvents.FactorAsked, (payload) => this.#awaitFactor(payload))]),
      on.listen(AuthEvents.PasswordRemoved, (payload) => this.#offerPassword(payload)),
    ]
  }

  /** Sends the link that verifies an e-mail address. */
  verify(request: Request, { id, email, language, timezone }: Omit<Identity, 'verified'>): void {
    const { verificationTtl: ttl } = this.#context.configs.auth
    const to = { email, language: language ?? request.language, timezone }
    this.#afterResponse.add(request, async () => {
      const { path } = await this.#accounts.tokens.mint(id, Purposes.Verification, ttl)
      const data = { link: this.#link(`/verify/${path}`), ttl }
      await this.#send(to, 'Verify your e-mail', 'mails/verify', data)
    })
  }

  /** Sends the link that sets a new password, if there is such an account. */
  async recover(request: Request, email: string): Promise<void> {
    const recovery: Recovery = { email, origin: originOf(request) }
    await this.#prepare(request, { recovery }, () => this.#recover(recovery))
  }

  /**
   * Sends the link that changes the e-mail of an account to its new address. If that belongs to somebody
   * else, they are told instead: whoever asked learns nothing.
   */
  changeEmail(request: Request, { token, email, isTaken }: RequestedEmail): void {
    const origin = originOf(request)
    const at = Math.floor(this.#context.clock())
    const ttl = Math.ceil((token.expires - at) / 60) * 60
    const [subject, view, path] = isTaken
      ? ['Your e-mail address was entered', 'mails/email-taken', '/login']
      : ['Confirm your new e-mail', 'mails/email-change', `/account/email/${token.path}`]
    this.#afterResponse.add(request, () =>
      this.#send({ email, ...origin }, subject, view, { link: this.#link(path), ttl, at, origin }),
    )
  }

  /** Tells a verified former address of an account that it was replaced, with the link that restores it. */
  emailChanged(request: Request, { former, undo }: ChangedEmail): void {
    if (undo === null) return
    const origin = originOf(request)
    const { language, timezone } = origin
    const to = { email: former, language: request.identity?.language ?? language, timezone }
    const link = this.#link(`/email/undo/${undo.path}`)
    const data = { link, at: Math.floor(this.#context.clock()), origin }
    this.#afterResponse.add(request, () =>
      this.#send(to, 'Your e-mail address was changed', 'mails/email-changed', data),
    )
  }

  /** Says when an account will be deleted, with the link that keeps it. */
  deletion(request: Request, user: string, token: Token): void {
    const link = this.#link(`/account/keep/${token.path}`)
    const action = { label: 'Keep my account', link }
    const data = { link, at: token.expires, origin: originOf(request), action }
    this.#afterResponse.add(request, () =>
      this.#notify(user, 'Your account will be deleted', 'mails/deletion', () => data),
    )
  }

  /** Says that an account was deleted: with its rows or not at all, and once. */
  readonly deleted: DeleteStep = async (transaction, user) => {
    const identity = await this.#accounts.users.within(transaction).find(user)
    if (identity?.verified !== true) return
    const data = { at: Math.floor(this.#context.clock()) }
    const mail = this.#mail(identity, 'Your account was deleted', 'mails/deleted', data)
    await this.gathered.within(transaction).add(mail, { delay: 0 })
  }

  /** Sends a code, and if it is to sign in with also a link, if there is such an account. */
  async signIn(
    request: Request,
    asked: MailSignInRequest,
    { proves = false }: { readonly proves?: boolean } = {},
  ): Promise<void> {
    const signIn: SignInMail = { ...asked, origin: originOf(request), proves }
    await this.#prepare(request, { signIn }, () => this.#signIn(signIn))
  }

  /** The handler of the mail queue. */
  readonly work = (job: { readonly payload: unknown }): Promise<void> => {
    const { payload } = job
    if (holdsRecovery(payload)) return this.#recover(payload.recovery)
    if (holdsSignIn(payload)) return this.#signIn(payload.signIn)
    return this.#mailer.work(job)
  }

  /** Waits for mails that are being sent. */
  async close(): Promise<void> {
    for (const stop of this.#stops) stop()
    this.#closing.abort()
    await this.#afterResponse.close()
    await this.gathered.close()
  }

  // Even the lookup runs after the response, whose timing would otherwise reveal whether the account exists.
  // What fails before it fails for every address: while the database is away no mail is promised.
  async #prepare(request: Request, job: object, work: () => Promise<void>): Promise<void> {
    if (this.#queue !== null) return void (await this.#queue.push(job))
    await this.#database.ping()
    this.#afterResponse.add(request, work)
  }

  // An unknown address takes the same steps for nobody. Otherwise the next response, the load or a queue
  // that a link makes longer would tell a stranger who has an account.
  async #recover({ email, origin }: Recovery): Promise<void> {
    const { users, tokens } = this.#accounts
    const { recoveryTtl: ttl } = this.#context.configs.auth
    const identity = await users.fetch(email)
    const token =
      identity === null
        ? await tokens.mintDecoy(Purposes.Recovery, ttl)
        : await tokens.mint(identity.id, Purposes.Recovery, ttl)
    const data = { link: this.#link(`/reset/${token.path}`), ttl, origin }
    const to = recipient(identity, email, origin)
    const options = { dryRun: !(await this.#mayMail(to.email, identity)) }
    await this.#send(to, 'Reset your password', 'mails/reset', data, options)
  }

  // The same holds here.
  async #signIn({ origin, proves = false, ...asked }: SignInMail): Promise<void> {
    const { users, mailSignIn } = this.#accounts
    const identity = await users.fetch(asked.email)
    const { code, path } = await mailSignIn.challenge(asked, identity)
    const link = this.#link(proves ? '/forgot' : `/login/mail/${path}`)
    const data = { code, link, ttl: mailSignIn.ttl, origin }
    const [subject, view] = proves
      ? ['Your confirmation code', 'mails/mailbox-code']
      : ['Your sign-in code', 'mails/sign-in']
    const to = recipient(identity, asked.email, origin)
    const options = { dryRun: !(await this.#mayMail(to.email, identity)) }
    await this.#send(to, subject, view, data, options)
  }

  // With a link that works at once: the form that requests one is for guests.
  #offerPassword({ user, at, ...origin }: AuthEventPayload): void {
    if (user === null) return
    const { users, tokens } = this.#accounts
    const { recoveryTtl: ttl } = this.#context.configs.auth
    this.#afterResponse.start(async () => {
      const identity = await users.find(user)
      if (identity === null) return
      const { path } = await tokens.mint(user, Purposes.Recovery, ttl)
      const data = { at, origin, ttl, link: this.#link(`/reset/${path}`) }
      await this.#send(identity, 'Please choose a new password', 'mails/password-removed', data)
    })
  }

  // Somebody has come as far as the second step. The owner does so too, and is told only if the step is not
  // taken within some time, or before the server closes.
  #awaitFactor(payload: AuthEventPayload): void {
    const { user, request } = payload
    if (user === null) return
    this.#afterResponse.start(async () => {
      const options = { ref: false, signal: this.#closing.signal }
      await sleep(factorWait * 1000, undefined, options).catch(() => {})
      const { activity } = this.#accounts
      const { rows } = (await activity?.list(user, { limit: 100 })) ?? { rows: [] }
      const asked = rows.findIndex((row) => row.event === 'factor_asked' && row.request === request)
      const isTaken = rows.slice(0, Math.max(asked, 0)).some(({ event, agent, network }) => {
        return event === 'login' && agent === rows[asked]?.agent && network === rows[asked]?.network
      })
      if (!isTaken) this.#warn(payload, factorAsked)
    })
  }

  #warn(payload: AuthEventPayload, warning: Warning): void {
    const { user, at, ...origin } = payload
    const { subject, view, page = '/forgot', when } = warning
    if (user === null || when?.(payload) === false) return
    // Names are left out: whoever adds something chooses them. The start of an id tells tokens apart.
    const { method, subject: id = '' } = payload
    const data = { at, origin, link: this.#link(page), isUndo: false, method, id: id.slice(0, 8) }
    this.#afterResponse.start(() =>
      this.#notify(user, subject, view, async () => {
        return { ...data, ...(await this.#undo({ user, ...origin }, warning)) }
      }),
    )
  }

  // Instead of the page, the link that takes back what the mail is about.
  async #undo(
    { user, method, subject = '' }: Pick<AuthEventPayload, 'method' | 'subject'> & { user: string },
    { undoes }: Warning,
  ): Promise<object> {
    if (undoes === undefined) return {}
    const kind = undoes === 'factor' ? (method ?? '') : undoes
    const { path } = await this.#accounts.accountUndo.link(user, kind, subject)
    const link = this.#link(`/account/undo/${path}`)
    const undo = { link, isUndo: true, action: { label: 'This was not me', link } }
    if (kind !== 'all') return undo
    return { ...undo, ways: await listWaysIn(this.#accounts, user, { now: this.#context.clock() }) }
  }

  // Whoever can cause notices must not use up the limit and then do what the owner should hear of.
  // What it says is put together only for those who get it: a link takes a row.
  async #notify(
    user: string,
    subject: string,
    view: string,
    compose: () => MailData | Promise<MailData>,
  ): Promise<void> {
    const { users, limits } = this.#accounts
    const identity = await users.find(user)
    if (identity?.verified !== true) return
    const data = await compose()
    try {
      if (!(await limits.notices.trySpend(`${view} ${identity.email}`))) {
        const told = { ...data, happened: Math.floor(this.#context.clock()) }
        await this.gathered.add(this.#mail(identity, subject, view, told))
        return
      }
    } catch (error) {
      // Rather one mail too many than one too few.
      Throwables.notify(error)
    }
    await this.#send(identity, subject, view, data)
  }

  #combine(mails: readonly [GatheredMail, ...GatheredMail[]]): GatheredMail {
    const [{ to: email, language = null, timeZone: timezone = null }] = mails
    const notices = mails.map(({ subject, data }) => ({ subject, ...data }))
    const t = this.#context.languages.in(language)
    const subject = t('{count} more things happened on your account', { count: mails.length })
    const hasActivity = this.#accounts.activity !== null
    const data = { notices, link: this.#link('/forgot'), hasActivity }
    return this.#mail({ email, language, timezone }, subject, 'mails/gathered', data)
  }

  // The same work for unknown addresses, whose mails are not sent either.
  async #mayMail(email: string, identity: Identity | null): Promise<boolean> {
    const isFew = await this.#accounts.limits.unverifiedMails.trySpend(normalEmail(email) ?? email)
    return identity !== null && (identity.verified || isFew)
  }

  async #send(
    to: Recipient,
    subject: string,
    view: string,
    data: MailData,
    options: DeliverOptions = {},
  ): Promise<void> {
    await this.#mailer.deliver(new Message({ ...this.#mail(to, subject, view, data) }), options)
  }

  #mail(to: Recipient, subject: string, view: string, given: MailData): GatheredMail {
    const { origin, action, ttl, ...rest } = given
    const t = this.#context.languages.in(to.language ?? null, to.timezone)
    const { language, timeZone } = t
    const data = {
      site: { title: this.#title },
      home: this.#link('/'),
      ...rest,
      ...(origin && { place: placeOf(origin, t) }),
      ...(action && { action: { ...action, label: t(action.label) } }),
      ...(ttl !== undefined && { lifetime: formatDuration(ttl, t) }),
    }
    return { to: to.email, language, timeZone, subject: t(subject), view, data }
  }

  // Never built from the Host header, which an attacker who requests the mail could choose.
  #link(path: string): string {
    return new URL(path, this.#context.server.url).href
  }
}

function originOf(request: Request): Origin {
  const { peer, language, timeZone: timezone } = request
  return { peer, agent: request.header('user-agent') ?? '', language, timezone }
}

// To the stored address: the typed one may only look the same.
function recipient(identity: Identity | null, typed: string, origin: Origin): Recipient {
  const { email = typed, language, timezone } = identity ?? {}
  return { email, language: language ?? origin.language, timezone: timezone ?? origin.timezone }
}

/** Describes where a request came from, for example `Firefox on Linux, 203.0.113.9`. */
function placeOf({ peer, agent = '' }: Origin, t: Translate): string {
  // Done with a command, on request of the owner.
  if (peer === '' && agent === '') return t('our support')
  const { kind, name } = describeAgent(agent, t)
  const program = kind === 'program' ? t('a program') : name
  return [program, peer].filter((part) => part !== '').join(', ')
}

function holdsRecovery(payload: unknown): payload is { readonly recovery: Recovery } {
  // The queue encrypts and authenticates its jobs: what has this member was pushed above.
  return typeof payload === 'object' && payload !== null && 'recovery' in payload
}

function holdsSignIn(payload: unknown): payload is { readonly signIn: SignInMail } {
  return typeof payload === 'object' && payload !== null && 'signIn' in payload
}

/** What owners are told of. */
interface Warning {
  readonly event: AuthEventName
  readonly subject: string
  readonly view: string
  /** Path of the page it links to; without one, that of the form for a new password. */
  readonly page?: string
  /** What its link takes back instead, see `AccountUndo`; `factor` for the one that was added. */
  readonly undoes?: 'factor' | 'identity' | 'token' | 'all'
  /** Of which of these events it tells. @default all */
  readonly when?: (payload: AuthEventPayload) => boolean
}

function warning(
  event: AuthEventName,
  subject: string,
  view: string,
  rest: Pick<Warning, 'page' | 'undoes' | 'when'> = {},
): Warning {
  return { event, subject, view: `mails/${view}`, ...rest }
}

const isPasskey = ({ method }: AuthEventPayload): boolean => method === 'passkey'
const isOther = (payload: AuthEventPayload): boolean => !isPasskey(payload)
const byOperator = ({ actor }: AuthEventPayload): boolean => actor === 'operator'

const warnings: readonly Warning[] = [
  warning('Theft', 'We signed out all your devices', 'signed-out'),
  warning('Changed', 'Your password was changed', 'password-changed', { undoes: 'all' }),
  warning('Reset', 'Your password was changed', 'password-changed', { undoes: 'all' }),
  warning('NewDevice', 'New sign-in to your account', 'new-device'),
  warning('FactorAdded', 'A second step was added to your sign-in', 'factor-changed', {
    undoes: 'factor',
    when: isOther,
  }),
  warning('FactorRemoved', 'A second step was removed from your sign-in', 'factor-changed', {
    when: isOther,
  }),
  warning('FactorAdded', 'A passkey was added to your account', 'passkey-changed', {
    undoes: 'factor',
    when: isPasskey,
  }),
  warning('FactorRemoved', 'A passkey was removed from your account', 'passkey-changed', {
    page: '/account/passkeys',
    when: isPasskey,
  }),
  warning('PasskeyCopied', 'We refused one of your passkeys', 'passkey-copied', {
    page: '/account/passkeys',
  }),
  // Owners know what they have ended themselves.
  warning('Ended', 'Our support signed you out everywhere', 'ended', { when: byOperator }),
  warning('RecoveryUsed', 'A recovery code was used for your account', 'recovery-codes'),
  warning('CodesRenewed', 'Your account has new recovery codes', 'recovery-codes'),
  warning('IdentityLinked', 'Your account was connected with another site', 'identity-changed', {
    undoes: 'identity',
  }),
  warning(
    'IdentityUnlinked',
    'Your account was disconnected from another site',
    'identity-changed',
    { page: '/account/sign-ins' },
  ),
  warning('TokenCreated', 'A new API token was created', 'token-created', { undoes: 'token' }),
  warning('ExportReady', 'Your data is ready to download', 'export-ready', {
    page: '/account/export',
  }),
]
/** Not of the event itself, but of one after which nothing followed. */
const factorAsked = warning('FactorAsked', 'Someone tried to sign in', 'factor-asked')
/** Seconds for which the second step may take, before the owner hears of it. */
const factorWait = 120

/** Formats seconds in the largest unit that divides them evenly: `24 hours`, `90 seconds`. */
function formatDuration(seconds: number, t: Translate): string {
  const [hours, minutes] = [seconds / 3600, seconds / 60]
  if (Number.isInteger(hours)) return t('{hours, plural, one {# hour} other {# hours}}', { hours })
  return Number.isInteger(minutes)
    ? t('{minutes, plural, one {# minute} other {# minutes}}', { minutes })
    : t('{seconds, plural, one {# second} other {# seconds}}', { seconds })
}
