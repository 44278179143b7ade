import { Readable } from 'node:stream'
import { FrameworkError, RefusedInput, invalidArgument } from '../../base/errors.ts'
import { isRecord } from '../../base/is-record.ts'
import type * as Attachment from '../../base/files/attachment.ts'
import { lateModule } from '../../base/late-module.ts'
import type { Disk } from '../../storage/disk.ts'
import type { EventStream } from '../live/event-stream.ts'
import { EventStreams } from '../live/event-streams.ts'
import type { EventsOptions, EventsSource } from '../live/event-streams.ts'
import type * as EventText from '../live/event-text.ts'
import type { Translate } from '../../i18n/languages.ts'
import { english } from '../../i18n/english.ts'
import { HttpError } from '../errors/http-error.ts'
import { preferredType } from '../request/accept.ts'
import type { Request } from '../request/request.ts'
import type { Application } from '../server/application.ts'
import type * as Csv from './csv.ts'
import type { CsvColumns, CsvOptions } from './csv.ts'
import type * as Files from './file.ts'
import type { FileOptions, FileResponse, StoredOptions } from './file.ts'
import { HeaderList } from './header-list.ts'
import { jsonText } from './json-text.ts'
import { DatabaseResource } from './database-resource.ts'
import { setCookie } from './set-cookie.ts'
import type { CookieOptions } from './set-cookie.ts'

/** The body of a response; `undefined` until one is set. */
export type ResponseBody = string | Uint8Array | Readable | null | undefined

/** For a response without a server. */
const unlimited = {
  eventStreams: 0,
  eventStreamsPerPeer: 0,
  eventHeartbeat: 15,
  eventBacklog: 1_048_576,
}

const loadEventText = lateModule<typeof EventText>(import.meta, '../live/event-text')
const loadAttachment = lateModule<typeof Attachment>(import.meta, '../../base/files/attachment')
const loadCsv = lateModule<typeof Csv>(import.meta, './csv')
const loadFiles = lateModule<typeof Files>(import.meta, './file')

const noSharedValues: readonly SharedValues[] = Object.freeze([])

/** Options of `response.redirect`. */
export interface RedirectOptions {
  /** With 303 the next request is always a GET. @default 303 */
  readonly status?: 301 | 302 | 303 | 307 | 308
  /** Allows targets on other sites. */
  readonly foreign?: boolean
}

/** Representations that `response.negotiation` offers besides JSON. */
export interface NegotiationOptions {
  /** Offers HTML: the view is rendered with `data`, or with the body if that is an object. */
  readonly view?: string
  readonly data?: Record<string, unknown>
  /** Offers plain text. */
  readonly text?: (body: unknown) => string
}

/** Values for views, or a function that returns them when a view is rendered. */
export type SharedValues =
  | Readonly<Record<string, unknown>>
  | (() => Readonly<Record<string, unknown>>)

/** One response, filled by handlers and middlewares and sent once at the end. */
export class Response {
  readonly headers: HeaderList = new HeaderList()
  #code = 200
  #body: ResponseBody = undefined
  #filled = false
  #nonce: string | null = null
  #shared: readonly SharedValues[] = noSharedValues
  #database: DatabaseResource | null = null
  readonly #request: Request | null
  readonly #application: Application | null

  constructor(request: Request | null = null, application: Application | null = null) {
    this.#request = request
    this.#application = application
  }

  /** The request it responds to; null if it was constructed without one. */
  get request(): Request | null {
    return this.#request
  }

  get code(): number {
    return this.#code
  }

  get body(): ResponseBody {
    return this.#body
  }

  /** Whether a handler or middleware has set a status or body. */
  get filled(): boolean {
    return this.#filled
  }

  /** @throws InvalidArgumentException unless it is a whole number from 200 to 599. */
  status(code: number): this {
    if (!Number.isInteger(code) || code < 200 || code > 599) {
      throw invalidArgument(`status must be a whole number from 200 to 599, got ${code}`)
    }
    this.#code = code
    this.#filled = true
    return this
  }

  /** Sets a header, replacing earlier values. */
  header(name: string, value: string): this {
    this.headers.set(name, value)
    return this
  }

  /** Adds a name to `Vary`, once. */
  vary(name: string): this {
    const present = this.headers.get('Vary')
    if (present === undefined) this.headers.set('Vary', name)
    else if (!varies(present.toLowerCase(), name.toLowerCase())) {
      this.headers.set('Vary', `${present}, ${name}`)
    }
    return this
  }

  /** Adds a cookie; by default `Secure; HttpOnly; SameSite=Lax` for the whole site. */
  cookie(name: string, value: string, options?: CookieOptions): this {
    this.headers.append('Set-Cookie', setCookie(name, value, options))
    return this
  }

  /** Sends JSON; a `bigint` becomes a string. */
  json(value: unknown): this {
    return this.#fillText(jsonText(value), 'application/json; charset=utf-8')
  }

  text(text: string): this {
    return this.#fillText(text, 'text/plain; charset=utf-8')
  }

  html(html: string): this {
    return this.#fillText(html, 'text/html; charset=utf-8')
  }

  /** Renders a template of the views folder. The CSP nonce is `it.nonce`; `t` writes messages. */
  view(name: string, data: Record<string, unknown> = {}): this {
    const { views = null, globals } = this.#application ?? {}
    if (views === null) {
      throw new FrameworkError(
        'E_VIEWS',
        `cannot render view "${name}": the server has no views folder; pass views: new Views(folder) to configure()`,
      )
    }
    const shared = this.#shared.map((values) => (typeof values === 'function' ? values() : values))
    const t = this.#translate()
    const own = { nonce: this.nonce, t, ...this.#prefixed(globals?.['route']) }
    return this.html(views.render(name, globals, own, ...shared, data))
  }

  /**
   * Adds values to `it` in every view of this response, error pages included; the view's own data takes
   * precedence. A function is called with each view, and not at all if no view is rendered.
   */
  share(values: SharedValues): this {
    this.#shared = [...this.#shared, values]
    return this
  }

  /** Whether there is a template with that name. */
  hasView(name: string): boolean {
    return this.#application?.views?.has(name) === true
  }

  bytes(bytes: Uint8Array, type = 'application/octet-stream'): this {
    return this.#fill(bytes, type)
  }

  /** Sends a stream. If it fails, the connection is closed. */
  stream(stream: Readable, type = 'application/octet-stream'): this {
    return this.#fill(stream, type)
  }

  /**
   * Sends rows as a CSV file, which is written while they are read: `response.csv(notes.walk(), { Title:
   * ({ title }) => title })`. A text that a spreadsheet would take for a formula gets a `'` before it.
   */
  csv<Row>(
    rows: Iterable<Row> | AsyncIterable<Row>,
    columns: CsvColumns<Row>,
    { download }: CsvOptions = {},
  ): this {
    if (download !== undefined) {
      this.headers.set('Content-Disposition', loadAttachment().attachment(download))
    }
    return this.stream(Readable.from(loadCsv().csvChunks(rows, columns)), 'text/csv; charset=utf-8')
  }

  /**
   * Sends events until the client disconnects or the server stops (server-sent events). A feed such as
   * `broadcast.channel('notes')` goes on after the last event that the client has; an asynchronous
   * generator is read as fast as the client reads. Return the stream, or this response.
   * @throws HttpError 503 or 429 if too many are open.
   */
  events<Events extends object = Record<string, unknown>>(
    source: EventsSource<Events> | null = null,
    options: EventsOptions = {},
  ): EventStream<Events> {
    const request = this.#request
    const streams = this.#application?.eventStreams ?? new EventStreams(unlimited)
    const stream = streams.create(
      {
        peer: request?.peer ?? '',
        method: request?.method ?? 'GET',
        lastId: request?.header('last-event-id') ?? null,
      },
      source,
      options,
    )
    const { eventStreamHeaders, eventStreamType } = loadEventText()
    for (const [name, value] of eventStreamHeaders) this.headers.set(name, value)
    this.#fill(stream, eventStreamType)
    return stream
  }

  /**
   * Sends a file, with ranges, `ETag` and `Last-Modified`.
   * @throws HttpError 404 if there is no such file.
   */
  async file(path: string, options: FileOptions = {}): Promise<this> {
    const { method = 'GET', headers = {} } = this.#request ?? {}
    const { fileResponse } = loadFiles()
    return this.#fillFile(await fileResponse(path, { method, headers }, options))
  }

  /**
   * Sends an object of a disk, with ranges and `ETag`: `response.stored(files, 'invoices/7.pdf')`. It has
   * the type of its content, and browsers save it.
   * @throws HttpError 404 if there is none.
   */
  async stored(
    disk: Pick<Disk, 'find' | 'get'>,
    key: string,
    options: StoredOptions = {},
  ): Promise<this> {
    const { method = 'GET', headers = {} } = this.#request ?? {}
    const { storedResponse } = loadFiles()
    return this.#fillFile(await storedResponse(disk, key, { method, headers }, options))
  }

  /**
   * Redirects to a path of this site, by default with 303.
   * @throws InvalidArgumentException for a target on another site, unless `foreign` is set; a 400 unless
   *   caught.
   */
  redirect(target: string, { status = 303, foreign = false }: RedirectOptions = {}): this {
    this.headers.set('Location', this.#inLanguage(redirectTarget(target, foreign)))
    this.headers.delete('Content-Type')
    this.replaceBody(null)
    return this.status(status)
  }

  /** Sends no body, with 204 unless another status is set. */
  empty(): this {
    if (this.#code === 200) this.#code = 204
    this.headers.delete('Content-Type')
    this.replaceBody(null)
    this.#filled = true
    return this
  }

  /**
   * Sends the return value of a handler: a string as text, bytes and streams unchanged, `undefined` as
   * 204, anything else as JSON.
   */
  send(value: unknown): this {
    if (value === undefined) return this.#filled ? this : this.empty()
    if (value === this.#body) return this
    if (typeof value === 'string') return this.text(value)
    if (value instanceof Readable) return this.stream(value)
    if (value instanceof Uint8Array) return this.bytes(value)
    return this.json(value)
  }

  /**
   * Sends one body as JSON, HTML or text, whichever the client prefers. JSON is always offered, and sent if there
   * is no Accept header.
   * @throws HttpError 406 if the client accepts none of the offered types.
   */
  get negotiation(): { send(body: unknown, options?: NegotiationOptions): Response } {
    return { send: (body, options) => this.#negotiate(body, options) }
  }

  /** Paginated lists for this request: `response.database.paginate(items)`. */
  get database(): DatabaseResource {
    this.#database ??= (this.#application?.resources.database ?? new DatabaseResource()).bind(this)
    return this.#database
  }

  /** The CSP nonce for inline scripts and styles of this response, made on first use. */
  get nonce(): string {
    // 122 random bits from a pool that Node fills ahead; `randomBytes` is ten times slower.
    this.#nonce ??= process.getBuiltinModule('node:crypto').randomUUID()
    return this.#nonce
  }

  /** Whether the nonce was used. */
  get nonceUsed(): boolean {
    return this.#nonce !== null
  }

  /** Resets to an empty 200, without headers and cookies. */
  reset(): this {
    this.headers.clear()
    this.replaceBody(undefined)
    this.#code = 200
    this.#filled = false
    return this
  }

  /** Removes and returns the body, to be replaced by a transformed one; a stream stays open. */
  takeBody(): ResponseBody {
    const body = this.#body
    this.#body = undefined
    return body
  }

  /** Replaces the body; if it was a stream, destroys it. */
  replaceBody(body: ResponseBody): void {
    if (this.#body instanceof Readable && this.#body !== body) this.#body.destroy()
    this.#body = body
  }

  /** For the view, which the response then says to be in that language. */
  #translate(): Translate {
    if (this.#request === null) return english()
    const { languages = null } = this.#application ?? {}
    const { t, languagePrefix, cookies } = this.#request
    if (languages === null || languages.names.length === 1) return t
    this.header('Content-Language', t.language)
    if (languagePrefix === null) this.vary('Accept-Language').vary('Cookie')
    // Addresses without a language, as those of accounts, follow it.
    else if (languages.remembered(cookies) !== languagePrefix)
      languages.remember(this, languagePrefix)
    return t
  }

  /** `route()` of views, whose addresses begin with the language if that of the request does. */
  #prefixed(route: unknown): object {
    if (typeof route !== 'function' || (this.#request?.languagePrefix ?? null) === null) return {}
    return { route: (...given: unknown[]) => this.#inLanguage(String(route(...given))) }
  }

  /** An address of this site in the language that the one of the request begins with. */
  #inLanguage(address: string): string {
    const prefix = this.#request?.languagePrefix ?? null
    const { languages = null } = this.#application ?? {}
    if (prefix === null || languages === null || !address.startsWith('/')) return address
    const [path = ''] = address.split(/[?#]/, 1)
    return languages.prefixOf(path) === null ? `/${prefix}${address}` : address
  }

  #negotiate(body: unknown, { view, data, text }: NegotiationOptions = {}): this {
    const offers = ['application/json']
    if (view !== undefined) offers.push('text/html')
    if (text !== undefined) offers.push('text/plain')
    const type = preferredType(this.vary('Accept').#request?.header('accept'), offers)
    if (type === null) throw new HttpError(406, `available types: ${offers.join(', ')}`)
    if (type === 'text/html' && view !== undefined) {
      return this.view(view, data ?? (isRecord(body) ? { ...body } : { body }))
    }
    return type === 'text/plain' && text !== undefined ? this.text(text(body)) : this.json(body)
  }

  #fillFile({ status, headers, body }: FileResponse): this {
    this.status(status)
    for (const [name, value] of headers) this.headers.set(name, value)
    this.replaceBody(body)
    return this
  }

  #fillText(body: string, type: string): this {
    this.headers.setFixedType(type)
    return this.#setBody(body)
  }

  #fill(body: Uint8Array | Readable, type: string): this {
    this.headers.set('Content-Type', type)
    return this.#setBody(body)
  }

  #setBody(body: string | Uint8Array | Readable): this {
    if (this.#body !== undefined) this.replaceBody(body)
    else this.#body = body
    this.#filled = true
    return this
  }
}

// What is no part of the text is not in the list, which is most often so.
function varies(list: string, name: string): boolean {
  return list.includes(name) && list.split(/, */).includes(name)
}

/**
 * The `Location` for a redirect target, which must be a path of this site. Browsers take `//host` and
 * `/\host` for another site, so those are rejected too.
 * @throws InvalidArgumentException for a target on another site, unless `foreign` is set; a 400 unless
 *   caught, since such a target is most often a visitor's.
 */
function redirectTarget(target: string, foreign: boolean): string {
  const local = /^\/(?![/\\])/.test(target) && !/\p{Cc}/u.test(target)
  if (local || (foreign && /^https?:\/\//i.test(target))) {
    // Parts that are already encoded stay unchanged. Encoded are the characters not allowed in a header, and
    // backslashes, which browsers take for slashes.
    return target.toWellFormed().replace(/[^\x21-\x5b\x5d-\x7e]+/g, encodeURIComponent)
  }
  throw new RefusedInput(
    'E_REDIRECT_FOREIGN',
    // Without the target itself: it may hold a token, and messages end up in logs and on pages.
    'a redirect target must be a path of this site; pass { foreign: true } to send visitors elsewhere',
  )
}
