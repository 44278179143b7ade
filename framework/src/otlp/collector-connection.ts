import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { loadOnce } from '../base/load-once.ts'
import type * as Tls from './connect-tls.ts'
import { readResponse } from './http-response.ts'
import type { ReadResponse } from './http-response.ts'
import type { CollectorPost } from './post-request.ts'

/**
 * Posts over a connection that is kept, one request at a time. It takes a third of the time of `node:http`,
 * which counts where something is sent several times a second; and that shares code with the server, which V8
 * would compile for both.
 */
export class CollectorConnection {
  readonly #timeoutMs: number
  #socket: Socket | null = null
  #pending: PromiseWithResolvers<ReadResponse> | null = null
  #received: Buffer = nothing
  #timer: NodeJS.Timeout | null = null
  #isClosed = false

  /** `timeoutMs` is for one post; 0 means no limit. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  /** @throws Error if there was no response. */
  readonly post: CollectorPost = async (url, { headers, body }) => {
    const tls = url.protocol === 'https:' ? await loadTls() : null
    if (this.#isClosed) throw new Error('the process ends')
    const pending = Promise.withResolvers<ReadResponse>()
    this.#pending = pending
    this.#received = nothing
    const ms = this.#timeoutMs
    if (ms > 0) this.#timer = setTimeout(() => this.#fail(new Error(`no answer in ${ms} ms`)), ms)
    const socket = this.#socket ?? this.#open(url, tls)
    socket.ref()
    socket.cork()
    socket.write(headOf(url, headers, body.byteLength), 'latin1')
    socket.write(body)
    socket.uncork()
    const { status, headers: received, body: answer } = await pending.promise
    return { status, headers: { get: (name) => received.get(name) ?? null }, body: answer }
  }

  /** Ends the current post, and closes the connection. */
  close(): void {
    this.#isClosed = true
    this.#fail(new Error('the process ends'))
  }

  #open(url: URL, tls: typeof Tls | null): Socket {
    const host = url.hostname.replaceAll(/^\[|\]$/g, '')
    const port = Number(url.port) || (tls === null ? 80 : 443)
    const socket = tls === null ? connect({ host, port }) : tls.connectTls(host, port)
    this.#socket = socket
      .setNoDelay()
      .on('data', (chunk) => this.#socket === socket && this.#receive(chunk))
      .on('close', () => this.#socket === socket && this.#ended())
      .on('error', (error) => this.#socket === socket && this.#fail(error))
    return socket
  }

  #receive(chunk: Buffer): void {
    // No response to anything.
    if (this.#pending === null) return this.#drop()
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    this.#read(false)
  }

  #ended(): void {
    if (this.#received.length > 0 && this.#pending !== null) this.#read(true)
    else this.#fail(new Error('the connection was closed'))
  }

  #read(isEnd: boolean): void {
    try {
      const response = readResponse(this.#received, isEnd)
      if (response === null) return
      // It may have answered before it got everything.
      if (response.isReusable && this.#socket?.writableLength === 0) this.#socket.unref()
      else this.#drop()
      this.#settled()?.resolve(response)
    } catch (thrown) {
      this.#fail(thrown)
    }
  }

  #fail(error: unknown): void {
    this.#drop()
    this.#settled()?.reject(error)
  }

  /** What waited for the response. */
  #settled(): PromiseWithResolvers<ReadResponse> | null {
    const pending = this.#pending
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#pending = null
    this.#received = nothing
    return pending
  }

  #drop(): void {
    const socket = this.#socket
    this.#socket = null
    socket?.destroy()
  }
}

const nothing = Buffer.alloc(0)

// Only if it is needed: most collectors are on this machine.
const loadTls = loadOnce(() => import('./connect-tls.ts'))

function headOf(url: URL, headers: readonly (readonly [string, string])[], bytes: number): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const path = url.pathname + url.search
  return `POST ${path} HTTP/1.1\r\nhost: ${url.host}\r\n${lines}content-length: ${bytes}\r\n\r\n`
}
