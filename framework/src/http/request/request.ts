import type { Readable } from 'node:stream'
import type { ApiTokenUse } from './api-token.ts'
import { FrameworkError } from '../../base/errors.ts'
import { lateModule } from '../../base/late-module.ts'
import type { StandardSchema } from '../../base/schema/standard-schema.ts'
import type { Activity } from '../../activity/activity.ts'
import { isSpan, noSpan } from '../../tracing/span.ts'
import type { Span } from '../../tracing/span.ts'
import type { ErrorFormats } from '../errors/error-format.ts'
import type * as ReadInput from '../input/read-input.ts'
import type { RateLimitStatus } from '../rate-limits/rate-limit-store.ts'
import type { HeaderList } from '../response/header-list.ts'
import { english } from '../../i18n/english.ts'
import type * as Days from '../../i18n/day.ts'
import type { Translate } from '../../i18n/languages.ts'
import type { Application } from '../server/application.ts'
import type { Exchange, IncomingHeaders } from '../server/engine/engine.ts'
import type { Session } from '../session/session.ts'
import type { Submission } from '../submissions/submission.ts'
import { decodeText, mediaType, readBody } from './body.ts'
import { Cookies } from './cookies.ts'
import { decodeJson, decodeJsonObject } from './decode-json.ts'
import type { JsonObject } from './decode-json.ts'
import { emptyForm, isForm, readForm } from './form.ts'
import type { Form, UploadedFile } from './form.ts'
import { isForwarded, plainAddress } from './peer.ts'
import type { UploadIntake } from './multipart-parts.ts'
import { lastValues, queryPairs } from './query.ts'
import type { Values } from './query.ts'
import { requestId } from './request-id.ts'
import { completeUploads } from './upload-options.ts'
import type { DeclaredUploads } from './upload-options.ts'

const loadInput = lateModule<typeof ReadInput>(import.meta, '../input/read-input')
const loadDays = lateModule<typeof Days>(import.meta, '../../i18n/day')

/** Path parameters of a route: texts, and numbers for those like `:id<int>`. */
export type Params = Readonly<Record<string, string | number>>

/** Changes the headers of a response just before they are sent. */
export type HeadHook = (headers: HeaderList) => void

/** Runs before the first file of a form is stored, with the fields before it. An error refuses the form. */
export type UploadCheck = (fields: Values) => void | Promise<void>

/** The files that a route accepts. */
export interface RouteUploads {
  readonly options: DeclaredUploads
  /** Of the router; null for none. */
  readonly check: UploadCheck | null
}

/** The signed-in account, as the guard of the route knows it. */
export interface RequestIdentity {
  /** Id of the account. */
  readonly id: string
  readonly email?: string
  readonly verified?: boolean
  /** The language that its owner has chosen; null for none. */
  readonly language?: string | null
  /** The time zone that its owner has chosen; null for none. */
  readonly timezone?: string | null
}

/** What the steps of `Csrf` hand on to each other for one request. */
export interface CsrfState {
  /** Whether it needs no token. */
  isExempt: boolean
  /** Whether the guards have let it through. */
  hasPassedGuards: boolean
  /** Stands for the token in views; empty until a view has printed it. */
  placeholder: string
  /** The masked token, once it has been read for this response. */
  token: string
  /** Whether the response is an error page, for which no token is created. */
  isErrorPage: boolean
  /** The last body that was searched for the placeholder. */
  searched: string
}

/** Opens the session of a request; `Sessions` is one. */
export interface SessionOpener {
  open(request: Request<unknown>): Session
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])
const nothing: Params = Object.freeze({})

/** One request. Everything beyond the request line is parsed on first use; requests share nothing. */
export class Request<P = Params, I = unknown> {
  /** In upper case. For a form that asks for another method with `_method`, that one, set by the router. */
  method: string
  /** Path and query as received. */
  readonly URI: string
  /** The path as received, still percent-encoded; without the language, where that is its first part. */
  readonly path: string
  /** The query as received, with its `?`; empty without one. */
  readonly search: string
  /** Set by the router, decoded. */
  params: P
  /** The parsed `body` and `query`, if the route declares schemas for them. */
  input: I
  /** Pattern of the matched route, such as `/users/:id`; null if none matched. */
  route: string | null = null
  /** Set by the router: the files that the route accepts; null for none. */
  uploads: RouteUploads | null = null
  /** Set by the router: the format of error responses; null for the one that the client asks for. */
  errorFormat: ErrorFormats | null = null
  /** The signed-in account, set by a guard; null for a guest. */
  identity: RequestIdentity | null = null
  /** The API token of the request, set by the guard `Bearer`; null without one. */
  apiToken: ApiTokenUse | null = null
  /** The rate limit with the fewest requests left; null if none applied. */
  rateLimit: RateLimitStatus | null = null
  /** When it arrived, by `performance.now()`; set by the first listener that measures it, otherwise 0. */
  receivedMs = 0
  /** When it was over, by `performance.now()`; set by the first listener that measures it, otherwise 0. */
  handledMs = 0
  /** Which `Telemetry` objects count it as in flight, one bit each. */
  measured = 0
  /** What log lines, steps and spans refer to; null while nothing needs it. */
  activity: Activity | null = null
  /** Whether spans of it are recorded, at least until it is over, or the inspector records it. */
  isWatched = false
  /** Set by the `Sessions` middleware. */
  sessions: SessionOpener | null = null
  /** Set by the `Csrf` middleware. */
  csrf: CsrfState | null = null
  /** Set by the `Submissions` middleware: a form that may be the second of a double click. */
  submission: Submission | null = null

  readonly #exchange: Exchange
  readonly #application: Application
  readonly #prefix: string | null
  #query: Values | null = null
  #cookies: Cookies | null = null
  #id: string | null = null
  #session: Session | null = null
  #bytes: Promise<Buffer> | null = null
  #json: unknown = undefined
  #form: Form | null = null
  #forming: Promise<Form> | null = null
  #abort: AbortController | null = null
  #headHooks: HeadHook[] | null = null
  #uploadChecks: UploadCheck[] | null = null

  constructor(exchange: Exchange, application: Application, params: P, input: I) {
    const { target } = exchange
    const mark = target.indexOf('?')
    const path = mark === -1 ? target : target.slice(0, mark)
    const { languages } = application
    this.#prefix = languages?.prefix === true ? languages.prefixOf(path) : null
    this.method = exchange.method
    this.URI = target
    this.path = this.#prefix === null ? path : path.slice(this.#prefix.length + 1) || '/'
    this.search = target.slice(path.length)
    this.params = params
    this.input = input
    this.#exchange = exchange
    this.#application = application
  }

  /** A request that has not been routed yet. */
  static from(exchange: Exchange, application: Application): Request {
    return new Request(exchange, application, nothing, nothing)
  }

  get headers(): IncomingHeaders {
    return this.#exchange.headers
  }

  /** The value of a header, several joined by commas; undefined if it is absent. */
  header(name: string): string | undefined {
    const value = this.#exchange.headers[name.toLowerCase()]
    return typeof value === 'string' || value === undefined ? value : value.join(', ')
  }

  /** Query parameters; the last value if a name occurs several times. */
  get query(): Values {
    this.#query ??= lastValues(queryPairs(this.search.slice(1)))
    return this.#query
  }

  /** All values of a query parameter. */
  queryAll(name: string): string[] {
    const pairs = queryPairs(this.search.slice(1))
    return pairs.filter(([given]) => given === name).map(([, value]) => value)
  }

  get cookies(): Cookies {
    this.#cookies ??= new Cookies(this.header('cookie'))
    return this.#cookies
  }

  /**
   * The data kept for this visitor between requests.
   * @throws FrameworkError outside the `Sessions` middleware.
   */
  get session(): Session {
    this.#session ??= this.#openSession()
    return this.#session
  }

  /** The session, if it has been used. */
  get openedSession(): Session | null {
    return this.#session
  }

  /** The id by which log lines and error pages refer to this request. */
  get id(): string {
    this.#id ??= requestId(this.#exchange.headers['x-request-id'])
    return this.#id
  }

  /** Its span, to describe it further; does nothing while it is not traced. */
  get span(): Span {
    const span = this.activity?.span
    return isSpan(span) ? span : noSpan
  }

  /** The client's address; forwarded headers count only when they come from a trusted proxy. */
  get peer(): string {
    return this.#application.peers.peer(this.#exchange.address, this.header('x-forwarded-for'))
  }

  /**
   * The client's address if it is certain, for decisions about access; null for a forwarded request whose
   * client no trusted proxy names.
   */
  get client(): string | null {
    const { address, headers } = this.#exchange
    if (!isForwarded(headers)) return plainAddress(address)
    return this.#application.peers.forwardedClient(address, this.header('x-forwarded-for'))
  }

  /** Whether a trusted proxy sent it, on behalf of a client or not. */
  get isFromTrustedProxy(): boolean {
    return this.#application.peers.trusts(this.#exchange.address)
  }

  /** Whether the client's connection is encrypted, according to a trusted proxy if there is one. */
  get secure(): boolean {
    if (this.#exchange.secure) return true
    return this.#forwarded('x-forwarded-proto') === 'https'
  }

  /** Host and port as sent by the client. */
  get host(): string {
    return this.#forwarded('x-forwarded-host') ?? this.header('host') ?? ''
  }

  /** The language that its address begins with; null for none. */
  get languagePrefix(): string | null {
    return this.#prefix
  }

  /**
   * The language to respond in: that of the address, of the account, of the cookie `language`, or the one that
   * the browser prefers.
   */
  get language(): string {
    const { languages } = this.#application
    if (languages === null) return 'en'
    if (languages.names.length === 1) return languages.default
    const chosen = [this.#prefix, this.identity?.language, languages.remembered(this.cookies)]
    const known = chosen.find((name) => typeof name === 'string' && languages.has(name))
    return known ?? languages.preferred(this.header('accept-language'))
  }

  /** The time zone to respond in: that of the account, or else of the project. */
  get timeZone(): string {
    const chosen = this.identity?.timezone
    return chosen && loadDays().isTimeZone(chosen) ? chosen : this.#application.timeZone
  }

  /** Writes messages in that language and zone; `languages.of(request)` is the same, typed. */
  get t(): Translate {
    const { timeZone } = this
    return this.#application.languages?.in(this.language, timeZone) ?? english(timeZone)
  }

  /** Media type of the body without parameters, in lower case; empty if there is none. */
  get type(): string {
    return mediaType(this.#exchange.headers['content-type'])
  }

  /** The body as a stream. It cannot be combined with the other ways to read the body. */
  get stream(): Readable {
    return this.#exchange.body
  }

  /**
   * Whether the request has a body that may be read. The body of a GET, HEAD, OPTIONS or TRACE request,
   * and that of a request without a route, counts as empty; only `stream` gives access to it.
   */
  get hasBody(): boolean {
    return this.#exchange.hasBody && this.route !== null && !isSafe(this.method)
  }

  /** The whole body. It is read once; later calls return the same bytes. */
  bytes(): Promise<Buffer> {
    if (this.#forming !== null) {
      const reason = 'the body was already read as a form'
      return Promise.reject(new FrameworkError('E_BODY_USED', reason))
    }
    this.#bytes ??= this.#isIgnored()
      ? Promise.resolve(Buffer.alloc(0))
      : readBody(this.#exchange, this.#application.limits.body)
    return this.#bytes
  }

  /** @throws HttpError 400 unless the body is UTF-8 text. */
  async text(): Promise<string> {
    return decodeText(await this.bytes())
  }

  /**
   * @throws HttpError 400 unless the body is JSON, nested no deeper than the limit `jsonDepth`; 413 if it
   *   holds more values than the limit `jsonValues`.
   */
  async json(): Promise<unknown> {
    this.#json ??= decodeJson(await this.bytes(), this.#application.limits)
    return this.#json
  }

  /** @throws HttpError 400 unless the body is a JSON object; any other value is not even parsed. */
  async jsonObject(): Promise<JsonObject> {
    return decodeJsonObject(await this.bytes(), this.#application.limits)
  }

  /**
   * The submitted form, urlencoded or multipart; an empty form if there is no body.
   * @throws HttpError 415 for a body of another type and for files that the route does not accept, 413
   *   above the limits, 400 if malformed.
   */
  async form(): Promise<Form> {
    if (this.#form !== null) return this.#form
    if (this.#bytes !== null) {
      throw new FrameworkError('E_BODY_USED', 'the body was already read as bytes, text or JSON')
    }
    this.#forming ??= this.#startForm()
    this.#form = await this.#forming
    return this.#form
  }

  /**
   * The body, JSON or a form, or the query as a schema parses it.
   * @throws InvalidInput if it does not fit: a 422, or the way back to the form; HttpError as `form`.
   */
  validate<O>(schema: StandardSchema<unknown, O>, part?: 'body' | 'query'): Promise<O> {
    return loadInput().validateInput(this, schema, part)
  }

  /**
   * Form fields, after the form was read (by the `Forms` middleware or `form()`); the last value if a
   * name occurs several times.
   */
  get fields(): Values {
    return this.#readForm().fields
  }

  /** Uploaded files of the form, stored on disk until the response is sent. */
  get files(): readonly UploadedFile[] {
    return this.#readForm().files
  }

  /** Aborts when the client disconnects. */
  get signal(): AbortSignal {
    if (this.#abort === null) {
      const controller = new AbortController()
      this.#exchange.onGone(() => controller.abort())
      this.#abort = controller
    }
    return this.#abort.signal
  }

  /**
   * Adds a hook that runs just before the response headers are sent, also with error responses: for a
   * header that must survive a failing handler. An error in the hook is reported and otherwise ignored.
   */
  beforeHead(hook: HeadHook): void {
    this.#headHooks ??= []
    this.#headHooks.push(hook)
  }

  /**
   * Adds a check that the files of the form wait for: it runs before the first one is stored, with the
   * fields before it. Add it before anything reads the form. An error refuses the form.
   */
  beforeUpload(check: UploadCheck): void {
    this.#uploadChecks ??= []
    this.#uploadChecks.push(check)
  }

  /** The hooks of `beforeHead`; null if there are none. Used by the server. */
  get headHooks(): readonly HeadHook[] | null {
    return this.#headHooks
  }

  /** Whether a complete response was handed to the network; never true for a streamed one. */
  get responded(): boolean {
    return this.#exchange.responded
  }

  /** The length of the body of that response; 0 without one. */
  get responseBytes(): number {
    return this.#exchange.responseBytes
  }

  /** Whether the client disconnected before the response was complete. */
  get gone(): boolean {
    return this.#exchange.gone
  }

  /** Bytes sent since a streamed response began, with its head; 0 if none was streamed. */
  get streamedBytes(): number {
    return this.#exchange.streamedBytes
  }

  /** Removes uploaded files. Called by the server after the response. */
  dispose(): void {
    // If a handler did not await its form, it may still be being read.
    this.#forming?.then(
      (form) => form.dispose(),
      () => {},
    )
  }

  /** Whether `dispose` has anything to do. */
  get disposable(): boolean {
    return this.#forming !== null
  }

  #isIgnored(): boolean {
    return this.#exchange.hasBody && !this.hasBody
  }

  #startForm(): Promise<Form> {
    if (this.#isIgnored()) return Promise.resolve(emptyForm)
    const form = readForm(this.#exchange, this.#application.limits, this.#intake())
    // Nobody knows how the rest of a refused form would go on.
    form.catch(() => this.#exchange.closeAfter())
    return form
  }

  #intake(): UploadIntake | null {
    if (this.uploads === null) return null
    const { options, check } = this.uploads
    const { limits, uploads: budget } = this.#application
    return {
      ...completeUploads(options, limits),
      budget,
      admit: async (fields) => {
        for (const added of this.#uploadChecks ?? []) await added(fields)
        await check?.(fields)
      },
    }
  }

  #openSession(): Session {
    if (this.sessions !== null) return this.sessions.open(this)
    throw new FrameworkError(
      'E_SESSION_MISSING',
      'the request has no session; call server.use(new Sessions(store)) before the middlewares and routes that use it',
    )
  }

  #forwarded(name: string): string | undefined {
    if (!this.isFromTrustedProxy) return undefined
    return this.header(name)?.split(',')[0]?.trim()
  }

  #readForm(): Form {
    if (this.#form !== null) return this.#form
    if (!this.hasBody || !isForm(this.type)) return emptyForm
    throw new FrameworkError(
      'E_FIELDS_UNREAD',
      'the form has not been read yet; use the Forms middleware or `await request.form()` first',
    )
  }
}

/** Whether requests of this method only read: they need no CSRF token. */
export function isSafe(method: string): boolean {
  return safeMethods.has(method)
}
