import { FrameworkError } from '../../base/errors.ts'

/** What is known of a failed delivery beside its text. */
export interface MailFailure {
  /** Whether trying again is pointless. */
  readonly permanent?: boolean
  /** Whether some have got the message: trying again would send it to them twice. */
  readonly partial?: boolean
  /** What the server answered, such as 550; null when it was not asked or did not answer. */
  readonly status?: number | null
}

/**
 * A message was not delivered. The text holds codes and never the words of the server, which may
 * quote the message with its links; for the same reason it has no cause.
 */
export class MailError extends FrameworkError {
  readonly permanent: boolean
  readonly partial: boolean
  readonly status: number | null

  constructor(message: string, failure: MailFailure = {}) {
    super('E_MAIL', message)
    this.permanent = failure.permanent ?? false
    this.partial = failure.partial ?? false
    this.status = failure.status ?? null
  }
}
