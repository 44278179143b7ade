import { AsyncResource } from 'node:async_hooks'
import { addAbortSignal, Readable } from 'node:stream'
import { invalidArgument } from '../../base/errors.ts'
import type { Exchange, FlatHeaders, IncomingHeaders, Receiver } from './engine/engine.ts'
import { hasNoBody } from './engine/response-head.ts'

/** A request for `inject`. */
export interface InjectedRequest {
  readonly method?: string
  /** Path and query. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Strings and bytes are sent unchanged, a plain object as JSON, URLSearchParams as a form. */
  readonly body?: string | Uint8Array | URLSearchParams | object
  /** The client's address. */
  readonly address?: string
  readonly secure?: boolean
  /**
   * Disconnects once the text of the body so far is enough: for event streams, which do not end by
   * themselves. @default the whole body is read
   */
  readonly until?: (text: string) => boolean
  /** Disconnects when it is aborted, as far as the response is a stream. */
  readonly signal?: AbortSignal
}

/** The response to an injected request. */
export interface InjectedResponse {
  readonly status: number
  /** By lower-case name; several values of one name joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  /** Every `Set-Cookie` value. */
  readonly cookies: readonly string[]
  readonly bytes: Buffer
  readonly text: string
  json(): unknown
}

/** Runs a request through a receiver in memory and resolves with its response. */
export function inject(receive: Receiver, request: InjectedRequest): Promise<InjectedResponse> {
  if (!request.url.startsWith('/') && request.url !== '*') {
    throw invalidArgument(`url must start with "/", got "${request.url}"`)
  }
  return new Promise((resolve, reject) => {
    const exchange = new MemoryExchange(request, resolve, reject)
    // The scope that the request enters must not be that of the code that follows.
    new AsyncResource('INJECT').runInAsyncScope(receive, undefined, exchange)
  })
}

class MemoryExchange implements Exchange {
  readonly method: string
  readonly target: string
  readonly secure: boolean
  readonly address: string
  readonly headers: IncomingHeaders
  readonly hasBody: boolean
  readonly body: Readable
  began = false
  responded = false
  responseBytes = 0
  gone = false
  streamedBytes = 0
  #isLast = false
  readonly #request: InjectedRequest
  readonly #resolve: (response: InjectedResponse) => void
  readonly #reject: (reason: Error) => void

  constructor(
    request: InjectedRequest,
    resolve: (response: InjectedResponse) => void,
    reject: (reason: Error) => void,
  ) {
    const { method = 'GET', headers = {}, address = '127.0.0.1', secure = false } = request
    const { bytes, type } = encode(request.body)
    this.method = method
    this.target = request.url
    this.secure = secure
    this.address = address
    this.hasBody = bytes.length > 0
    this.headers = {
      host: 'localhost',
      ...(type === '' ? {} : { 'content-type': type }),
      ...(this.hasBody ? { 'content-length': String(bytes.length) } : {}),
      ...lowerCased(headers),
    }
    this.body = Readable.from(this.hasBody ? [bytes] : [])
    this.#request = request
    this.#resolve = resolve
    this.#reject = reject
  }

  respond(status: number, headers: FlatHeaders, body: string | Uint8Array | null): void {
    if (this.began) return
    this.began = true
    this.responded = true
    const bytes = Buffer.from(body ?? '')
    this.responseBytes = hasNoBody(status) ? 0 : bytes.length
    const length = hasNoBody(status) ? [] : ['content-length', String(bytes.length)]
    const close = this.#isLast ? ['connection', 'close'] : []
    const bodiless = this.method === 'HEAD' || hasNoBody(status)
    const lines = [...headers, ...length, ...close]
    this.#resolve(injectedResponse(status, lines, bodiless ? Buffer.alloc(0) : bytes))
  }

  async stream(
    status: number,
    headers: FlatHeaders,
    body: Readable,
    begun?: () => void,
  ): Promise<void> {
    if (this.began) return
    if (this.method === 'HEAD' || hasNoBody(status)) {
      this.began = true
      begun?.()
      body.destroy()
      this.#resolve(injectedResponse(status, headers, Buffer.alloc(0)))
      return
    }
    const chunks: Buffer[] = []
    const { until, signal } = this.#request
    if (signal !== undefined) addAbortSignal(signal, body)
    try {
      for await (const chunk of body) {
        if (!this.began) begun?.()
        this.began = true
        const bytes = Buffer.from(chunk)
        chunks.push(bytes)
        this.streamedBytes += bytes.length
        if (until?.(Buffer.concat(chunks).toString()) === true) break
      }
    } catch (error) {
      if (signal?.aborted !== true) throw error
    }
    this.began = true
    // The request counts as handled before the caller gets the response, as with a complete one.
    setImmediate(() => this.#resolve(injectedResponse(status, headers, Buffer.concat(chunks))))
  }

  onGone(): void {
    // There is no connection, so the client cannot disconnect.
  }

  closeAfter(): void {
    this.#isLast = true
  }

  destroy(): void {
    this.gone = true
    this.#reject(new Error('the connection was closed before the response was complete'))
  }
}

function encode(body: InjectedRequest['body']): { bytes: Buffer; type: string } {
  if (body === undefined) return { bytes: Buffer.alloc(0), type: '' }
  if (typeof body === 'string')
    return { bytes: Buffer.from(body), type: 'text/plain; charset=utf-8' }
  if (body instanceof Uint8Array)
    return { bytes: Buffer.from(body), type: 'application/octet-stream' }
  if (body instanceof URLSearchParams) {
    return { bytes: Buffer.from(body.toString()), type: 'application/x-www-form-urlencoded' }
  }
  return { bytes: Buffer.from(JSON.stringify(body)), type: 'application/json' }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

function injectedResponse(status: number, flat: FlatHeaders, bytes: Buffer): InjectedResponse {
  const headers: Record<string, string> = {}
  const cookies: string[] = []
  for (let at = 0; at < flat.length; at += 2) {
    const name = (flat[at] ?? '').toLowerCase()
    const value = flat[at + 1] ?? ''
    if (name === 'set-cookie') cookies.push(value)
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  const text = bytes.toString('utf8')
  return { status, headers, cookies, bytes, text, json: (): unknown => JSON.parse(text) }
}
