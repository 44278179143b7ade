import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { FrameworkError, InvalidArgumentException } from '../../base/errors.ts'
import type { Request } from '../request/request.ts'
import type { Application } from '../server/application.ts'
import type { FileOptions } from './file.ts'
import { HeaderList } from './header-list.ts'
import { jsonText } from './json-text.ts'
import { Negotiation } from './negotiation.ts'
import { redirectTarget } from './redirect-target.ts'
import { DatabaseResource } from './resources/database.ts'
import { setCookie } from './set-cookie.ts'
import type { CookieOptions } from './set-cookie.ts'

/** What an answer may carry; `undefined` as long as nobody answered. */
export type ResponseBody = string | Uint8Array | Readable | null | undefined

const nothingShared: readonly SharedValues[] = Object.freeze([])

/** How a redirect goes out. */
export interface RedirectOptions {
  /** 303 by default: the next request is a GET, whatever this one was. */
  readonly status?: 301 | 302 | 303 | 307 | 308
  /** Allows targets outside this site. */
  readonly foreign?: boolean
}

/** Values for views, or what gives them when a view is rendered. */
export type SharedValues =
  | Readonly<Record<string, unknown>>
  | (() => Readonly<Record<string, unknown>>)

/** One answer, filled by handlers and middlewares and written once at the end. */
export class Response {
  readonly headers: HeaderList = new HeaderList()
  #code = 200
  #body: ResponseBody = undefined
  #answered = false
  #nonce: string | null = null
  #shared: readonly SharedValues[] = nothingShared
  #database: DatabaseResource | null = null
  readonly #request: Request | null
  readonly #application: Application | null

  constructor(request: Request | null = null, application: Application | null = null) {
    this.#request = request
    this.#application = application
  }

  /** The request it answers; null when it was made by hand. */
  get request(): Request | null {
    return this.#request
  }

  get code(): number {
    return this.#code
  }

  get body(): ResponseBody {
    return this.#body
  }

  /** Whether a handler or middleware said what the answer is. */
  get answered(): boolean {
    return this.#answered
  }

  /** @throws InvalidArgumentException unless it is a whole number from 200 to 599. */
  status(code: number): this {
    if (!Number.isInteger(code) || code < 200 || code > 599) {
      throw new InvalidArgumentException(
        'E_INVALID_ARGUMENT',
        `status must be 200 to 599, not ${code}`,
      )
    }
    this.#code = code
    this.#answered = true
    return this
  }

  /** Sets a header, replacing what stood under its name. */
  header(name: string, value: string): this {
    this.headers.set(name, value)
    return this
  }

  /** Adds a name to `Vary`, once. */
  vary(name: string): this {
    const present = this.headers.get('Vary')
    if (present === undefined) this.headers.set('Vary', name)
    else if (!present.toLowerCase().split(/, */).includes(name.toLowerCase())) {
      this.headers.set('Vary', `${present}, ${name}`)
    }
    return this
  }

  /** Adds a cookie; `Secure; HttpOnly; SameSite=Lax` on the whole site unless told otherwise. */
  cookie(name: string, value: string, options?: CookieOptions): this {
    this.headers.append('Set-Cookie', setCookie(name, value, options))
    return this
  }

  /** JSON; a `bigint` in it is a string. */
  json(value: unknown): this {
    return this.#fillText(jsonText(value), 'application/json; charset=utf-8')
  }

  text(text: string): this {
    return this.#fillText(text, 'text/plain; charset=utf-8')
  }

  html(html: string): this {
    return this.#fillText(html, 'text/html; charset=utf-8')
  }

  /** Renders a template of the views folder. Templates find the CSP nonce as `it.nonce`. */
  view(name: string, data: Record<string, unknown> = {}): this {
    const { views = null, globals } = this.#application ?? {}
    if (views === null) {
      throw new FrameworkError(
        'E_VIEWS',
        `view "${name}" was asked for, but the server has no views folder`,
      )
    }
    const shared = this.#shared.map((values) => (typeof values === 'function' ? values() : values))
    return this.html(
      views.render(name, Object.assign({ nonce: this.nonce }, globals, ...shared, data)),
    )
  }

  /**
   * Puts values into `it` of every view of this answer, error pages included; a view's data wins. A
   * function is asked for them with each view, and never if there is none.
   */
  share(values: SharedValues): this {
    this.#shared = [...this.#shared, values]
    return this
  }

  /** Whether `view` would find a template of that name. */
  hasView(name: string): boolean {
    return this.#application?.views?.has(name) === true
  }

  /** Bytes with a media type. */
  bytes(bytes: Uint8Array, type = 'application/octet-stream'): this {
    return this.#fill(bytes, type)
  }

  /** Sends a stream as it comes; one that fails cuts the connection. */
  stream(stream: Readable, type = 'application/octet-stream'): this {
    return this.#fill(stream, type)
  }

  /**
   * Sends a file, with ranges, `ETag` and `Last-Modified`.
   * @throws HttpError 404 when there is no such file.
   */
  async file(path: string, options: FileOptions = {}): Promise<this> {
    const { method = 'GET', headers = {} } = this.#request ?? {}
    const { answerFile } = await import('./file.ts')
    const answer = await answerFile(path, { method, headers }, options)
    this.status(answer.status)
    for (const [name, value] of answer.headers) this.headers.set(name, value)
    this.replaceBody(answer.body)
    return this
  }

  /**
   * Sends the client elsewhere on this site, with 303 unless told otherwise.
   * @throws InvalidArgumentException for a foreign target that was not asked for.
   */
  redirect(target: string, { status = 303, foreign = false }: RedirectOptions = {}): this {
    this.headers.set('Location', redirectTarget(target, foreign))
    this.headers.delete('Content-Type')
    this.replaceBody(null)
    return this.status(status)
  }

  /** No body: 204 unless another status is set. */
  empty(): this {
    if (this.#code === 200) this.#code = 204
    this.headers.delete('Content-Type')
    this.replaceBody(null)
    this.#answered = true
    return this
  }

  /**
   * Sends whatever a handler gave back: text as text, bytes and streams as they are, nothing as
   * 204, anything else as JSON.
   */
  send(value: unknown): this {
    if (value === undefined) return this.#answered ? this : this.empty()
    if (typeof value === 'string') return this.text(value)
    if (value instanceof Readable) return this.stream(value)
    if (value instanceof Uint8Array) return this.bytes(value)
    return this.json(value)
  }

  /** Sends one body as JSON, HTML or text, whichever the client prefers. */
  get negotiation(): Negotiation<this> {
    return new Negotiation(this, this.#request?.header('accept'))
  }

  /** Lists of rows for this request: `response.database.paginate(items)`. Made on first use. */
  get database(): DatabaseResource {
    this.#database ??= (this.#application?.resources.database ?? new DatabaseResource()).bind(this)
    return this.#database
  }

  /** Random value that allows the inline scripts and styles of this answer, made on first use. */
  get nonce(): string {
    // 122 random bits from a pool Node fills ahead; single random bytes would cost ten times that.
    this.#nonce ??= randomUUID()
    return this.#nonce
  }

  /** Whether anyone asked for the nonce. */
  get nonceUsed(): boolean {
    return this.#nonce !== null
  }

  /** Back to an empty 200, as if nothing had been said. Cookies set so far are dropped too. */
  reset(): this {
    this.headers.clear()
    this.replaceBody(undefined)
    this.#code = 200
    this.#answered = false
    return this
  }

  /** Takes the body out, to be put back in another form; a stream among them stays alive. */
  takeBody(): ResponseBody {
    const body = this.#body
    this.#body = undefined
    return body
  }

  /** Puts another body in place of the present one and lets go of a stream that nobody will read. */
  replaceBody(body: ResponseBody): void {
    if (this.#body instanceof Readable && this.#body !== body) this.#body.destroy()
    this.#body = body
  }

  #fillText(body: string, type: string): this {
    this.headers.setFixedType(type)
    return this.#answer(body)
  }

  #fill(body: Uint8Array | Readable, type: string): this {
    this.headers.set('Content-Type', type)
    return this.#answer(body)
  }

  #answer(body: string | Uint8Array | Readable): this {
    if (this.#body !== undefined) this.replaceBody(body)
    else this.#body = body
    this.#answered = true
    return this
  }
}
