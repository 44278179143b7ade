import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { LoadRequest } from '../method/load.ts'
import type { PacedRequest } from './half-load.ts'

// A client of its own, on bare sockets: those of `node:http` need as much CPU as the fastest server. Requests
// that find every connection busy wait, and their time counts from when they should have been sent.

process.on('message', (message: PacedRequest) => {
  void run(message).then((answer) => process.send?.(answer))
})
process.on('disconnect', () => process.exit())
process.send?.('ready')

async function run({ request, rate, seconds, connections }: PacedRequest): Promise<object> {
  const bytes = bytesOf(request)
  const times: number[] = []
  const waiting: number[] = []
  const idle: Line[] = []
  let failures = 0
  const done = (line: Line, sinceMs: number, isGood: boolean): void => {
    times.push(performance.now() - sinceMs)
    if (!isGood) failures += 1
    const next = waiting.shift()
    if (next === undefined) idle.push(line)
    else line.send(bytes, next)
  }
  const lines = await Promise.all(
    Array.from({ length: connections }, () => Line.open(new URL(request.url), done)),
  )
  idle.push(...lines)
  const sent = await atRandomTimes(rate, seconds, (dueMs) => {
    const line = idle.pop()
    if (line === undefined) waiting.push(dueMs)
    else line.send(bytes, dueMs)
  })
  await patiently(() => times.length === sent)
  for (const line of lines) line.close()
  times.sort((a, b) => a - b)
  failures += sent - times.length
  return { p99Ms: times[Math.floor(times.length * 0.99)] ?? Number.NaN, failures }
}

/** Calls back at the times of a Poisson process; a timer would be too coarse. */
function atRandomTimes(
  rate: number,
  seconds: number,
  call: (dueMs: number) => void,
): Promise<number> {
  const pause = (): number => (-Math.log(1 - Math.random()) * 1000) / rate
  const endMs = performance.now() + seconds * 1000
  let dueMs = performance.now() + pause()
  let calls = 0
  return new Promise((resolve) => {
    const look = (): void => {
      const nowMs = performance.now()
      for (; dueMs <= nowMs && dueMs < endMs; dueMs += pause()) {
        calls += 1
        call(dueMs)
      }
      if (dueMs < endMs) setImmediate(look)
      else resolve(calls)
    }
    look()
  })
}

/** Waits until it is so, at most ten seconds. */
async function patiently(isDone: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1000 && !isDone(); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

type Done = (line: Line, sinceMs: number, isGood: boolean) => void

/** A connection with one request at a time. */
class Line {
  readonly #socket: Socket
  readonly #done: Done
  #sinceMs = 0
  #head = ''
  /** Bytes of the body that are still to come; -1 for a chunked body, null before the head. */
  #rest: number | null = null
  #tail = ''

  private constructor(socket: Socket, done: Done) {
    this.#socket = socket
    this.#done = done
    socket.on('data', (chunk) => this.#take(chunk))
    socket.on('error', () => undefined)
  }

  static open({ protocol, hostname, port }: URL, done: Done): Promise<Line> {
    const options = { host: hostname, port: Number(port) }
    return new Promise((resolve, reject) => {
      const socket =
        protocol === 'https:'
          ? connectTls({ ...options, rejectUnauthorized: false })
          : connect(options)
      socket.setNoDelay(true)
      socket.once('error', reject)
      socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () =>
        resolve(new Line(socket, done)),
      )
    })
  }

  send(bytes: Buffer, sinceMs: number): void {
    this.#sinceMs = sinceMs
    this.#socket.write(bytes)
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    if (this.#rest === null) {
      this.#head += chunk.toString('latin1')
      const end = this.#head.indexOf('\r\n\r\n')
      if (end === -1) return
      const body = this.#head.slice(end + 4)
      const head = this.#head.slice(0, end)
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
      const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head)
      this.#head = head
      this.#rest = isChunked ? -1 : Number(/^HTTP\/1.1 304/.test(head) ? 0 : (length ?? 0))
      this.#count(body.length, body)
    } else if (this.#rest === -1) this.#count(chunk.length, chunk.toString('latin1'))
    else this.#count(chunk.length, '')
  }

  #count(length: number, text: string): void {
    if (this.#rest === -1) {
      this.#tail = (this.#tail + text).slice(-7)
      if (this.#tail !== '\r\n0\r\n\r\n') return
    } else if (this.#rest !== null) {
      this.#rest -= length
      if (this.#rest > 0) return
    }
    const isGood = /^HTTP\/1.1 [23]/.test(this.#head)
    this.#head = ''
    this.#tail = ''
    this.#rest = null
    this.#done(this, this.#sinceMs, isGood)
  }
}

function bytesOf({ url, method = 'GET', headers = {}, body, bodyFile }: LoadRequest): Buffer {
  const { host, pathname, search } = new URL(url)
  const content = bodyFile === undefined ? Buffer.from(body ?? '') : readFileSync(bodyFile)
  const all = {
    host,
    ...headers,
    ...(content.length > 0 && { 'content-length': String(content.length) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`
  return Buffer.concat([Buffer.from(head), content])
}
