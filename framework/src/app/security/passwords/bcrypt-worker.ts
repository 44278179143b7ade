import { parentPort } from 'node:worker_threads'
import { hashSync } from 'bcryptjs'

/** What the thread is asked: the hash of a password, with the settings and the salt of another. */
export interface BcryptQuestion {
  readonly password: string
  readonly like: string
}

/** What it answers. */
export interface BcryptAnswer {
  readonly hash: string
}

parentPort?.on('message', ({ password, like }: BcryptQuestion) => {
  const answer: BcryptAnswer = { hash: hashSync(password, like) }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(answer)
})
