import { timingSafeEqual } from 'node:crypto'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { BcryptResponse, BcryptRequest } from './bcrypt-worker.ts'
import type { HashingQueue } from './hashing-queue.ts'

/** A stored bcrypt hash. */
export interface BcryptHash {
  readonly kind: 'bcrypt'
  readonly text: string
}

const form = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/

/** Log2 of the number of rounds: each step doubles the time. */
const costs = { min: 4, max: 14 }

/** Parses `$2a$`, `$2b$` and `$2y$` hashes; null for anything else, or if it costs too much. */
export function parseBcrypt(text: string): BcryptHash | null {
  const cost = Number(form.exec(text)?.[1])
  return cost >= costs.min && cost <= costs.max ? { kind: 'bcrypt', text } : null
}

/**
 * Whether bcrypt can distinguish this password from others: it ignores everything after the first
 * NUL.
 */
export function isBcryptPassword(password: string): boolean {
  return !password.includes('\0')
}

// TypeScript in the repository, JavaScript in the package: the worker has the extension of this
// file.
const script = new URL(`./bcrypt-worker${extname(import.meta.filename)}`, import.meta.url)

/**
 * Verifies bcrypt hashes on its own thread, since Node has no bcrypt and one in JavaScript would
 * block the event loop. The thread starts with the first hash, and keeps the process alive only
 * while it works.
 */
export class BcryptThread {
  readonly #queue: HashingQueue
  #worker: Worker | null = null

  /** The queue must have one slot: the thread responds in the order of the requests. */
  constructor(queue: HashingQueue) {
    this.#queue = queue
  }

  /** Whether the password has this hash. Like any bcrypt, it uses only the first 72 bytes. */
  verify(password: string, { text }: BcryptHash, network: string = ''): Promise<boolean> {
    if (!isBcryptPassword(password)) return Promise.resolve(false)
    return this.#queue.run(async () => {
      const { hash } = await this.#send({ password, salt: text.slice(0, -31) })
      return hash.length === text.length && timingSafeEqual(Buffer.from(hash), Buffer.from(text))
    }, network)
  }

  async #send(request: BcryptRequest): Promise<BcryptResponse> {
    const worker = (this.#worker ??= this.#start())
    worker.ref()
    try {
      return await responseOf(worker, request)
    } finally {
      worker.unref()
    }
  }

  #start(): Worker {
    // It needs no flags, and no environment variables, some of which are secrets.
    const worker = new Worker(script, { execArgv: [], env: {}, name: 'bcrypt' })
    // Without a listener, an error of the thread would end the process. The next request starts
    // another thread.
    const forget = (): void => {
      if (this.#worker === worker) this.#worker = null
    }
    return worker.on('error', forget).on('exit', forget)
  }
}

function responseOf(worker: Worker, request: BcryptRequest): Promise<BcryptResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<BcryptResponse>()
  const end = (status: number): void => {
    reject(new Error(`the bcrypt thread exited with status ${status} before it responded`))
  }
  worker.once('message', resolve).once('error', reject).once('exit', end)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage(request)
  return promise.finally(() => {
    worker.off('message', resolve).off('error', reject).off('exit', end)
  })
}
