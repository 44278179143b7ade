import { AskedProcess } from '../method/asked-process.ts'
import type { Burst } from '../method/load.ts'
import type { Pin } from '../method/pinning.ts'

/** What the process of the load is asked for: people who sign in again and again, or at a pace. */
export interface SignIns {
  readonly origin: string
  readonly seconds: number
  /** People at a time; null for as many as the pace needs. */
  readonly connections: number | null
  /** Sign-ins a second; null for as many as the server can. */
  readonly rate: number | null
}

interface Answer {
  readonly signIns: number
  readonly seconds: number
  readonly p99Ms: number
  /** What went wrong, one line each. */
  readonly failures: readonly string[]
}

/** Signs members in: gets the form, and sends it with its token and cookie. */
export class SignInLoad {
  readonly #process: AskedProcess

  private constructor(process: AskedProcess) {
    this.#process = process
  }

  static async start(pin: Pin): Promise<SignInLoad> {
    const script = `${import.meta.dirname}/sign-in-process.ts`
    return new SignInLoad(await AskedProcess.start(script, [], { label: 'the sign-ins', pin }))
  }

  /** @throws Error when a sign-in failed. */
  async burst(
    origin: string,
    { connections, seconds }: { readonly connections: number; readonly seconds: number },
  ): Promise<Burst> {
    const answer = await this.#ask({ origin, connections, seconds, rate: null })
    return { requests: answer.signIns, seconds: answer.seconds }
  }

  /** @throws Error when a sign-in failed. */
  async p99Ms(
    origin: string,
    { rate, seconds }: { readonly rate: number; readonly seconds: number },
  ): Promise<number> {
    return (await this.#ask({ origin, seconds, rate, connections: null })).p99Ms
  }

  stop(): Promise<void> {
    return this.#process.stop()
  }

  async #ask(signIns: SignIns): Promise<Answer> {
    const answer = await this.#process.ask(signIns, isAnswer)
    const { failures } = answer
    if (failures.length === 0) return answer
    throw new Error(`${failures.length} sign-ins at ${signIns.origin} failed: ${failures[0]}`)
  }
}

function isAnswer(message: unknown): message is Answer {
  return typeof message === 'object' && message !== null && 'signIns' in message
}
