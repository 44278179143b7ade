import { timingSafeEqual } from 'node:crypto'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { isBcryptPassword } from './bcrypt-hash.ts'
import type { BcryptHash } from './bcrypt-hash.ts'
import type { BcryptAnswer, BcryptQuestion } from './bcrypt-worker.ts'
import type { HashingLine } from './hashing-line.ts'

// Sources run as they are, the packed package is JavaScript: the worker ends as this file does.
const script = new URL(`./bcrypt-worker${extname(import.meta.filename)}`, import.meta.url)

/**
 * Verifies bcrypt hashes on a thread of its own, since Node has no bcrypt and one in JavaScript
 * would hold the event loop for as long as it takes. The thread is made for the first of them, and
 * keeps the process alive only while it works.
 */
export class BcryptThread {
  readonly #line: HashingLine
  #worker: Worker | null = null

  /** The line must let one through at a time: the thread answers in the order it is asked. */
  constructor(line: HashingLine) {
    this.#line = line
  }

  /** Whether the password has this hash. As bcrypt is, only its first 72 bytes count. */
  verify(password: string, { text }: BcryptHash): Promise<boolean> {
    if (!isBcryptPassword(password)) return Promise.resolve(false)
    return this.#line.run(async () => {
      const { hash } = await this.#ask({ password, like: text.slice(0, -31) })
      return hash.length === text.length && timingSafeEqual(Buffer.from(hash), Buffer.from(text))
    })
  }

  async #ask(question: BcryptQuestion): Promise<BcryptAnswer> {
    const worker = (this.#worker ??= this.#start())
    worker.ref()
    try {
      return await answerOf(worker, question)
    } finally {
      worker.unref()
    }
  }

  #start(): Worker {
    // It needs neither the flags nor the variables of the process, some of which are secrets.
    const worker = new Worker(script, { execArgv: [], env: {}, name: 'bcrypt' })
    // Without a listener an error of the thread would end the process; the next one who asks gets
    // another thread.
    const forget = (): void => {
      if (this.#worker === worker) this.#worker = null
    }
    return worker.on('error', forget).on('exit', forget)
  }
}

function answerOf(worker: Worker, question: BcryptQuestion): Promise<BcryptAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<BcryptAnswer>()
  const end = (status: number): void => {
    reject(new Error(`the bcrypt thread ended with status ${status} before it had answered`))
  }
  worker.once('message', resolve).once('error', reject).once('exit', end)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage(question)
  return promise.finally(() => {
    worker.off('message', resolve).off('error', reject).off('exit', end)
  })
}
