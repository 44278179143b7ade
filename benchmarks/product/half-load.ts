import type { LoadRequest } from '../method/load.ts'
import type { Pin } from '../method/pinning.ts'
import { AskedProcess } from '../method/asked-process.ts'

/** How a server is loaded. */
export interface Pace {
  /** Requests a second, at random times. */
  readonly rate: number
  readonly seconds: number
  readonly connections: number
}

/** What the process of the load is asked for. */
export interface PacedRequest extends Pace {
  readonly request: LoadRequest
}

/** A load that comes at its own pace, whether or not the server keeps up with it. */
export class HalfLoad {
  readonly #process: AskedProcess

  private constructor(process: AskedProcess) {
    this.#process = process
  }

  static async start(pin: Pin): Promise<HalfLoad> {
    const script = `${import.meta.dirname}/half-load-process.ts`
    return new HalfLoad(await AskedProcess.start(script, [], { label: 'the paced load', pin }))
  }

  /**
   * The time within which 99 % of the requests were answered, from when each should have been sent.
   * @throws Error when one was answered with a status of 400 or above, or not at all.
   */
  async p99Ms(request: LoadRequest, pace: Pace): Promise<number> {
    const { p99Ms, failures } = await this.#process.ask({ request, ...pace }, isAnswer)
    if (failures === 0) return p99Ms
    throw new Error(`${failures} requests of the paced load to ${request.url} failed`)
  }

  stop(): Promise<void> {
    return this.#process.stop()
  }
}

function isAnswer(
  message: unknown,
): message is { readonly p99Ms: number; readonly failures: number } {
  return typeof message === 'object' && message !== null && 'p99Ms' in message
}
