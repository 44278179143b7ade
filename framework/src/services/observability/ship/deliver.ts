import { post } from './post.ts'
import type { Answer, Parcel, Silence } from './post.ts'
import { complaintOf, refusalOf } from './receiver-words.ts'
import { isPassing, retryAfterMs, waitMs } from './retry.ts'
import type { CompleteShipOptions } from './ship-options.ts'
import { ShipResults } from './ship-outcome.ts'
import type { ShipOutcome } from './ship-outcome.ts'

/** How hard a delivery is tried. */
export type Effort = Pick<
  CompleteShipOptions,
  'attempts' | 'retryFor' | 'timeoutMs' | 'signal' | 'clock' | 'fetch'
>

/**
 * Posts until the collector gives a final answer, as often and as long as the effort allows. When
 * the signal fires, the attempt in hand is finished and no other follows.
 */
export async function deliver(parcel: Parcel, effort: Effort): Promise<ShipOutcome> {
  const { attempts, retryFor, timeoutMs, signal, clock, fetch } = effort
  if (signal.aborted) {
    return { result: ShipResults.Stopped, status: null, attempts: 0, notice: null }
  }
  const latestMs = clock.now() + retryFor * 1_000
  for (let attempt = 1; ; attempt++) {
    const outcome = await post(parcel, timeoutMs, fetch)
    const again =
      !isFinal(outcome) && attempt < attempts && (await rest(outcome, attempt, latestMs, effort))
    if (!again) return judge(outcome, attempt, parcel)
  }
}

function isFinal(outcome: Answer | Silence): boolean {
  return 'status' in outcome && !isPassing(outcome.status)
}

/** Waits for the next attempt; false when none may follow. */
async function rest(
  outcome: Answer | Silence,
  attempt: number,
  latestMs: number,
  { signal, clock }: Effort,
): Promise<boolean> {
  const nowMs = clock.now()
  const askedMs = 'status' in outcome ? retryAfterMs(outcome.retryAfter, nowMs) : null
  const pauseMs = waitMs(attempt, askedMs, clock.random())
  if (nowMs + pauseMs > latestMs) return false
  await clock.sleep(pauseMs, signal)
  return !signal.aborted
}

function judge(outcome: Answer | Silence, attempts: number, { receiver }: Parcel): ShipOutcome {
  const tries = attempts === 1 ? '' : ` after ${attempts} attempts`
  if (!('status' in outcome)) {
    const reason = receiver.conceal(outcome.reason)
    const notice = `${receiver.shown} did not answer${tries}: ${reason}`
    return { result: ShipResults.Unreachable, status: null, attempts, notice }
  }
  const { status } = outcome
  if (status >= 200 && status < 300) {
    const complaint = complaintOf(outcome)
    const notice = complaint === null ? null : receiver.conceal(complaint)
    return { result: ShipResults.Sent, status, attempts, notice }
  }
  const words = isRedirect(status)
    ? 'redirects are not followed; name the collector itself as the endpoint'
    : receiver.conceal(refusalOf(outcome))
  const notice = `${receiver.shown} answered ${status}${tries}${words === '' ? '' : `: ${words}`}`
  return { result: ShipResults.Refused, status, attempts, notice }
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400
}
