import { parentPort } from 'node:worker_threads'
import { hashSync } from 'bcryptjs'

/** Asks the thread to hash a password; the salt includes the algorithm and its cost. */
export interface BcryptRequest {
  readonly password: string
  readonly salt: string
}

/** The reply of the thread. */
export interface BcryptResponse {
  readonly hash: string
}

parentPort?.on('message', ({ password, salt }: BcryptRequest) => {
  const response: BcryptResponse = { hash: hashSync(password, salt) }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(response)
})
