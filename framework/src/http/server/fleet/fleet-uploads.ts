import type { UploadBudget } from '../../request/upload-budget.ts'
import { parseUploadAnswer } from './upload-messages.ts'
import type { UploadQuestion } from './upload-messages.ts'

/** The messages between a worker and its primary; `process` is one. */
export interface PrimaryChannel {
  send?(message: UploadQuestion, callback: (error: Error | null) => void): unknown
  on(event: 'message', listener: (message: unknown) => void): unknown
  once(event: 'disconnect', listener: () => void): unknown
}

/** The most that is asked for ahead, so that a large upload needs few messages. */
const maxStep = 1_048_576
/** What the workers hold ahead, all together, is at most this part of the budget. */
const maxAhead = 1 / 16

/**
 * The upload budget of one worker of a fleet. It borrows bytes from the primary in steps and returns
 * what it does not need, so that all workers together stay within one budget.
 */
export class FleetUploads implements UploadBudget {
  readonly #primary: PrimaryChannel
  readonly #step: number
  readonly #waiting = new Map<number, (granted: number) => void>()
  #held = 0
  #used = 0
  #asked = 0
  #turn: Promise<unknown> = Promise.resolve()

  constructor(budget: number, workers: number, primary: PrimaryChannel) {
    this.#primary = primary
    this.#step = Math.min(maxStep, Math.floor((budget * maxAhead) / workers))
  }

  take(bytes: number): boolean | Promise<boolean> {
    if (this.#takeHeld(bytes)) return true
    const taken = this.#turn.then(() => this.#borrow(bytes))
    this.#turn = taken
    return taken
  }

  give(bytes: number): void {
    this.#used -= bytes
    const kept = this.#used === 0 ? 0 : this.#used + this.#step
    if (this.#held <= kept) return
    const spare = this.#held - kept
    this.#held = kept
    this.#primary.send?.({ type: 'framework:give-upload-bytes', bytes: spare }, () => {})
  }

  #takeHeld(bytes: number): boolean {
    if (this.#used + bytes > this.#held) return false
    this.#used += bytes
    return true
  }

  // Again if in the meantime another upload has ended and its bytes were returned.
  async #borrow(bytes: number): Promise<boolean> {
    while (!this.#takeHeld(bytes)) {
      const granted = await this.#ask(this.#used + bytes - this.#held)
      if (granted === 0) return false
      this.#held += granted
    }
    return true
  }

  #ask(least: number): Promise<number> {
    if (this.#asked === 0) this.#listen()
    this.#asked += 1
    const id = this.#asked
    const most = Math.max(least, this.#step)
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      const message = { type: 'framework:take-upload-bytes', id, least, most } as const
      this.#primary.send?.(message, (error) => error !== null && resolve(0))
    })
  }

  #listen(): void {
    this.#primary.on('message', (message) => {
      const answer = parseUploadAnswer(message)
      if (answer === null) return
      this.#waiting.get(answer.id)?.(answer.granted)
      this.#waiting.delete(answer.id)
    })
    // Without its primary a worker ends soon.
    this.#primary.once('disconnect', () => {
      for (const resolve of this.#waiting.values()) resolve(0)
    })
  }
}
