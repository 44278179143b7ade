import { FrameworkError, RefusedInput } from '../base/errors.ts'
import { Throwables } from '../errors/throwables/throwables.ts'
import type { ReportContext } from '../errors/throwables/throwables.ts'
import type { Surface } from '../database/surface.ts'
import { SessionEnded } from './session-ended.ts'

/** What the stores of accounts do when the database fails. */
export interface FailureOptions {
  /**
   * `refuse` reports the failure and returns what an unknown or wrong value gets: null, false or 0.
   * `throw` throws `E_UNAVAILABLE`, which a server turns into a 503 with `Retry-After`. Give it to stores
   * that routes use: nobody should read that their password is wrong because the database was stopped.
   * @default 'refuse'
   */
  readonly onFailure?: 'refuse' | 'throw'
  /** Reports database failures that the return value hides. */
  readonly throwables?: Throwables
}

/**
 * Runs work that decides something. When the database fails, the result is `refusal`, or the failure is
 * thrown: see `FailureOptions`. Inside a transaction it is always thrown, so that the transaction is not
 * committed in part.
 */
export async function failClosed<T, Refusal>(
  surface: Surface,
  options: FailureOptions,
  refusal: Refusal,
  work: () => Promise<T>,
  context: ReportContext = {},
): Promise<T | Refusal> {
  try {
    return await work()
  } catch (error) {
    if (surface.transactional || error instanceof SessionEnded) throw error
    reportOrThrow(error, options, context)
    return refusal
  }
}

/** Reports a failure of the database, or throws `E_UNAVAILABLE`: see `FailureOptions`. */
export function reportOrThrow(
  error: unknown,
  { onFailure = 'refuse', throwables = Throwables }: FailureOptions,
  context: ReportContext = {},
): void {
  if (onFailure === 'throw' && !isRejectedValue(error)) throw unavailable(error)
  throwables.notify(error, context)
}

// The database has responded: there is no account with such a name.
function isRejectedValue(error: unknown): boolean {
  return (
    error instanceof RefusedInput || (error instanceof FrameworkError && error.code === 'E_VALUE')
  )
}

function unavailable(cause: unknown): FrameworkError {
  const text = 'the accounts are unavailable: their database failed'
  return new FrameworkError('E_UNAVAILABLE', text, { cause })
}
