import { connect } from 'node:net'
import type { Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

/** The results of a load. */
export interface Tally {
  answered: number
  /** Failures by kind: `refused`, `cut` (no or half a response), `hung`, `status 503`. */
  readonly failed: Map<string, number>
  /** The distinct response bodies. */
  readonly bodies: Set<string>
}

/** A load that runs until it is stopped, at the latest when its test ends. */
export interface Load {
  readonly tally: Tally
  /** Lets each connection finish its request, and resolves with the results. */
  readonly stop: () => Promise<Tally>
}

/** The pause between two requests, which gives the servers time to start others. */
const pauseMs = 2
/** A response that takes longer counts as hung. */
const answerMs = 120_000

/**
 * Requests a path over and over on keep-alive connections, one request at a time on each, and opens
 * a new one when the server closes one, as a client does. Nothing is retried: every failure counts.
 */
export function startLoad(t: TestContext, port: number, path: string, connections: number): Load {
  const tally: Tally = { answered: 0, failed: new Map(), bodies: new Set() }
  const state = { stopping: false }
  const loops = Array.from({ length: connections }, () => runLoop(port, path, tally, state))
  const stop = async (): Promise<Tally> => {
    state.stopping = true
    await Promise.all(loops)
    return tally
  }
  t.after(stop)
  return { tally, stop }
}

async function runLoop(
  port: number,
  path: string,
  tally: Tally,
  state: { readonly stopping: boolean },
): Promise<void> {
  let socket: Socket | null = null
  while (!state.stopping) {
    socket ??= await open(port)
    const outcome: Outcome = socket === null ? { failure: 'refused' } : await ask(socket, path)
    if ('failure' in outcome) {
      tally.failed.set(outcome.failure, (tally.failed.get(outcome.failure) ?? 0) + 1)
    } else {
      tally.answered += 1
      tally.bodies.add(outcome.body)
    }
    if ('failure' in outcome || outcome.last) {
      socket?.destroy()
      socket = null
    }
    await sleep(pauseMs)
  }
  socket?.destroy()
}

type Outcome = { readonly failure: string } | { readonly body: string; readonly last: boolean }

function open(port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => resolve(socket))
    socket.on('error', () => resolve(null))
  })
}

function ask(socket: Socket, path: string): Promise<Outcome> {
  return new Promise((resolve) => {
    let received = ''
    const settle = (outcome: Outcome): void => {
      clearTimeout(timer)
      socket.off('data', collect).off('close', cut)
      resolve(outcome)
    }
    const timer = setTimeout(() => settle({ failure: 'hung' }), answerMs)
    const cut = (): void => settle({ failure: 'cut' })
    const collect = (chunk: Buffer): void => {
      received += chunk.toString('latin1')
      const outcome = read(received)
      if (outcome !== null) settle(outcome)
    }
    socket.on('data', collect).on('close', cut)
    if (socket.destroyed) cut()
    else socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  })
}

/** The complete response. */
function read(received: string): Outcome | null {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return null
  const head = received.slice(0, end)
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1])
  const body = received.slice(end + 4)
  if (body.length < length) return null
  if (!head.startsWith('HTTP/1.1 200 ')) return { failure: `status ${head.slice(9, 12)}` }
  return { body, last: /^connection: close/im.test(head) }
}
