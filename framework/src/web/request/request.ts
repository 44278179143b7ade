import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { FrameworkError } from '../../base/errors.ts'
import type { RateLimitStatus } from '../rate-limits/rate-limit-store.ts'
import type { HeaderList } from '../response/header-list.ts'
import type { Application } from '../server/application.ts'
import type { Exchange, IncomingHeaders } from '../server/engine/engine.ts'
import type { Session } from '../session/session.ts'
import { decodeJson, decodeText, mediaType, readBody } from './body.ts'
import { Cookies } from './cookies.ts'
import { emptyForm, isForm, readForm } from './form.ts'
import type { Form, UploadedFile } from './form.ts'
import { Query } from './query.ts'
import type { Values } from './query.ts'

/** Parameters a route takes from the path. */
export type Params = Readonly<Record<string, string>>

/** Who is signed in, as far as the guard that let the request pass knows it. */
export interface RequestIdentity {
  /** Id of the account. */
  readonly id: string
  readonly email?: string
  readonly verified?: boolean
}

/** Has a last word on the head of an answer. */
export type HeadHook = (headers: HeaderList) => void

/** Opens the session of a request; the `Sessions` middleware does. */
export interface SessionOpener {
  open(request: Request<unknown>): Session
}

const validId = /^[\w.~+/=:@-]{1,128}$/
const noParams: Params = Object.freeze({})

/**
 * One request. Everything beyond the first line is worked out when first asked for.
 * Two requests never share anything.
 */
export class Request<P = Params> {
  readonly method: string
  /** Path and query as they came. */
  readonly URI: string
  /** The path as it came, percent-encoding included. */
  readonly path: string
  /** Set by the router, decoded. */
  params: P
  /** Pattern of the route that answers, such as `/users/:id`; null when none does. */
  route: string | null = null
  /** Who is signed in, as a guard left it; null for a guest. */
  identity: RequestIdentity | null = null
  /** The rate limit that leaves it the least room; null when none has counted it. */
  rateLimit: RateLimitStatus | null = null
  /** When it arrived, by `performance.now()`, as telemetry noted it; 0 when nobody did. */
  receivedMs = 0
  /** Which telemetries count it as under way, one bit for each. */
  measured = 0
  /** Set by the `Sessions` middleware, for those who come after it. */
  sessions: SessionOpener | null = null

  readonly #exchange: Exchange
  readonly #application: Application
  #query: Query | null = null
  #cookies: Cookies | null = null
  #id: string | null = null
  #session: Session | null = null
  #bytes: Promise<Buffer> | null = null
  #json: unknown = undefined
  #form: Form | null = null
  #forming: Promise<Form> | null = null
  #abort: AbortController | null = null
  #headHooks: HeadHook[] | null = null

  constructor(exchange: Exchange, application: Application, params: P) {
    const { target } = exchange
    const mark = target.indexOf('?')
    this.method = exchange.method
    this.URI = target
    this.path = mark === -1 ? target : target.slice(0, mark)
    this.params = params
    this.#exchange = exchange
    this.#application = application
  }

  /** A request as it comes in, before any route was found for it. */
  static from(exchange: Exchange, application: Application): Request {
    return new Request(exchange, application, noParams)
  }

  get headers(): IncomingHeaders {
    return this.#exchange.headers
  }

  /** The value of a header, several joined by commas; undefined when it is absent. */
  header(name: string): string | undefined {
    const value = this.#exchange.headers[name.toLowerCase()]
    return typeof value === 'string' || value === undefined ? value : value.join(', ')
  }

  /** Query parameters; of several under one name the last. */
  get query(): Values {
    return this.#queries().values
  }

  /** Every query value under a name. */
  queryAll(name: string): string[] {
    return this.#queries().all(name)
  }

  get cookies(): Cookies {
    this.#cookies ??= new Cookies(this.header('cookie'))
    return this.#cookies
  }

  /**
   * What is remembered of this visitor between requests.
   * @throws FrameworkError unless the `Sessions` middleware has seen the request.
   */
  get session(): Session {
    this.#session ??= this.#openSession()
    return this.#session
  }

  /** The session, if anybody has asked for it. */
  get openedSession(): Session | null {
    return this.#session
  }

  /** The id that ties this request to log lines and error pages. */
  get id(): string {
    this.#id ??= requestId(this.#exchange.headers['x-request-id'])
    return this.#id
  }

  /** The client's address; forwarded headers count only when they come from a trusted proxy. */
  get peer(): string {
    return this.#application.peers.peer(this.#exchange.address, this.header('x-forwarded-for'))
  }

  /** Whether the client's own connection is encrypted, as far as a trusted proxy tells. */
  get secure(): boolean {
    if (this.#exchange.secure) return true
    return this.#forwarded('x-forwarded-proto') === 'https'
  }

  /** Host and port the client asked for. */
  get host(): string {
    return this.#forwarded('x-forwarded-host') ?? this.header('host') ?? ''
  }

  /** Media type of the body without parameters, in lower case; empty when none is named. */
  get type(): string {
    return mediaType(this.#exchange.headers['content-type'])
  }

  /** The body as it streams in. Reading it excludes the other ways to read. */
  get stream(): Readable {
    return this.#exchange.body
  }

  /** Whether the request announced a body. */
  get hasBody(): boolean {
    return this.#exchange.hasBody
  }

  /** The whole body; read once, however often it is asked for. */
  bytes(): Promise<Buffer> {
    if (this.#forming !== null) {
      return Promise.reject(
        new FrameworkError('E_BODY_USED', 'the body was already read as a form'),
      )
    }
    this.#bytes ??= readBody(this.#exchange, this.#application.limits.body)
    return this.#bytes
  }

  /** @throws HttpError 400 unless the body is UTF-8 text. */
  async text(): Promise<string> {
    return decodeText(await this.bytes())
  }

  /** @throws HttpError 400 unless the body is JSON. */
  async json(): Promise<unknown> {
    this.#json ??= decodeJson(await this.bytes())
    return this.#json
  }

  /**
   * The form sent with the request, urlencoded or multipart; an empty one when there is no body.
   * @throws HttpError 415 for a body of another type, 413 above the limits, 400 when malformed.
   */
  async form(): Promise<Form> {
    if (this.#form !== null) return this.#form
    if (this.#bytes !== null) {
      throw new FrameworkError('E_BODY_USED', 'the body was already read as bytes, text or JSON')
    }
    this.#forming ??= readForm(this.#exchange, this.#application.limits)
    this.#form = await this.#forming
    return this.#form
  }

  /**
   * Form fields, once the form was read (the `Forms` middleware does it); of several under one name
   * the last.
   */
  get fields(): Values {
    return this.#readForm().fields
  }

  /** Uploaded files of the form, stored on disk until the answer is sent. */
  get files(): readonly UploadedFile[] {
    return this.#readForm().files
  }

  /** Aborts when the client goes away. Made on first use: most requests never ask. */
  get signal(): AbortSignal {
    if (this.#abort === null) {
      const controller = new AbortController()
      this.#exchange.onGone(() => controller.abort())
      this.#abort = controller
    }
    return this.#abort.signal
  }

  /**
   * Calls back right before the head of the answer is written, error answers included: for a header
   * that must not be lost with what a handler did. What the hook throws is reported, nothing more.
   */
  beforeHead(hook: HeadHook): void {
    this.#headHooks ??= []
    this.#headHooks.push(hook)
  }

  /** Those to call before the head is written; null for nobody. The server asks. */
  get headHooks(): readonly HeadHook[] | null {
    return this.#headHooks
  }

  /** Whether a whole answer was handed to the network; one that is sent piece by piece never is. */
  get answered(): boolean {
    return this.#exchange.answered
  }

  /** Whether the client went away before its answer was complete. */
  get gone(): boolean {
    return this.#exchange.gone
  }

  /** Removes what the request left on disk. Called by the server after the answer. */
  dispose(): void {
    // A handler that did not wait for its form leaves one behind that is still being read.
    this.#forming?.then(
      (form) => form.dispose(),
      () => {},
    )
  }

  /** Whether `dispose` has anything to do. */
  get disposable(): boolean {
    return this.#forming !== null
  }

  #queries(): Query {
    this.#query ??= new Query(this.URI.slice(this.path.length + 1))
    return this.#query
  }

  #openSession(): Session {
    if (this.sessions !== null) return this.sessions.open(this)
    throw new FrameworkError(
      'E_SESSION_MISSING',
      'the request has no session here; server.use(new Sessions(store)) gives it one, for what comes after',
    )
  }

  #forwarded(name: string): string | undefined {
    if (!this.#application.peers.trusts(this.#exchange.address)) return undefined
    return this.header(name)?.split(',')[0]?.trim()
  }

  #readForm(): Form {
    if (this.#form !== null) return this.#form
    if (!this.#exchange.hasBody || !isForm(this.type)) return emptyForm
    throw new FrameworkError(
      'E_FIELDS_UNREAD',
      'form fields are not read yet; use the Forms middleware or `await request.form()` first',
    )
  }
}

/** The id a client or proxy gave, if it is a plain token of at most 128 characters, else a new one. */
function requestId(given: string | readonly string[] | undefined): string {
  return typeof given === 'string' && validId.test(given) ? given : randomUUID()
}
