import { postRequest } from './post-request.ts'
import type { CollectorPost, CollectorResponse, ShipRequest, NoResponse } from './post-request.ts'
import { acceptanceMessage, rejectionMessage } from './collector-messages.ts'
import { isRetryable, retryAfterMs, waitMs } from './retry.ts'
import type { CompleteShipOptions } from './ship-options.ts'
import { ShipResults } from './ship-outcome.ts'
import type { ShipOutcome } from './ship-outcome.ts'

/** Limits of a delivery. */
export type DeliveryOptions = Pick<
  CompleteShipOptions,
  'attempts' | 'retryFor' | 'timeoutMs' | 'signal' | 'clock'
> & { readonly fetch: CollectorPost }

/**
 * Posts until the collector gives a final response, within the limits of the options. When the
 * signal aborts, the current attempt is completed and none follows.
 */
export async function deliver(
  request: ShipRequest,
  options: DeliveryOptions,
): Promise<ShipOutcome> {
  const { attempts, retryFor, timeoutMs, signal, clock, fetch } = options
  if (signal.aborted) {
    return { result: ShipResults.Stopped, status: null, attempts: 0, notice: null }
  }
  const deadlineMs = clock.now() + retryFor * 1_000
  for (let attempt = 1; ; attempt++) {
    const outcome = await postRequest(request, timeoutMs, fetch)
    const retry =
      !isFinal(outcome) &&
      attempt < attempts &&
      (await waitForRetry(outcome, attempt, deadlineMs, options))
    if (!retry) return outcomeOf(outcome, attempt, request)
  }
}

/** How a process ends: first no pause is waited for any more, later no attempt is made. */
export interface DeliveryEnd {
  readonly stopping: AbortSignal
  readonly abandoned: AbortSignal
}

/**
 * Like `deliver`, until the process stops: then a pause before the next attempt ends, and one last attempt is
 * made at once. A collector that is away must not hold up the process, but one that was busy may take it.
 */
export async function deliverUntilStop(
  request: ShipRequest,
  options: Omit<DeliveryOptions, 'signal'>,
  { stopping, abandoned }: DeliveryEnd,
): Promise<ShipOutcome> {
  if (!stopping.aborted) {
    const outcome = await deliver(request, { ...options, signal: stopping })
    const { result, status } = outcome
    const mayBeTaken = result === ShipResults.Unreachable || isRetryable(status ?? 0)
    if (!stopping.aborted || abandoned.aborted || !mayBeTaken) return outcome
  }
  return deliver(request, { ...options, attempts: 1, signal: abandoned })
}

function isFinal(outcome: CollectorResponse | NoResponse): boolean {
  return 'status' in outcome && !isRetryable(outcome.status)
}

/** Waits for the next attempt; false when there is none. */
async function waitForRetry(
  outcome: CollectorResponse | NoResponse,
  attempt: number,
  deadlineMs: number,
  { signal, clock }: DeliveryOptions,
): Promise<boolean> {
  const nowMs = clock.now()
  const requestedMs = 'status' in outcome ? retryAfterMs(outcome.retryAfter, nowMs) : null
  const pauseMs = waitMs(attempt, requestedMs, clock.random())
  if (nowMs + pauseMs > deadlineMs) return false
  await clock.sleep(pauseMs, signal)
  return !signal.aborted
}

function outcomeOf(
  outcome: CollectorResponse | NoResponse,
  attempts: number,
  { receiver }: ShipRequest,
): ShipOutcome {
  const tries = attempts === 1 ? '' : ` after ${attempts} attempts`
  if (!('status' in outcome)) {
    const reason = receiver.redact(outcome.reason)
    const notice = `${receiver.label} did not answer${tries}: ${reason}`
    return { result: ShipResults.Unreachable, status: null, attempts, notice }
  }
  const { status } = outcome
  if (status >= 200 && status < 300) {
    const message = acceptanceMessage(outcome)
    const notice = message === null ? null : receiver.redact(message)
    return { result: ShipResults.Sent, status, attempts, notice }
  }
  const message = isRedirect(status)
    ? 'redirects are not followed; use the URL of the collector itself as the endpoint'
    : receiver.redact(rejectionMessage(outcome))
  const notice = `${receiver.label} answered ${status}${tries}${message === '' ? '' : `: ${message}`}`
  return { result: ShipResults.Refused, status, attempts, notice }
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400
}
