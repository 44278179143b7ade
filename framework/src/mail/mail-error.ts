import { FrameworkError } from '../base/errors.ts'

/** Details of a failed delivery. */
export interface MailFailure {
  /** Whether a retry is pointless. @default false */
  readonly permanent?: boolean
  /** Whether some recipients got the message: a retry would send it to them twice. @default false */
  readonly partial?: boolean
  /** The server's reply code, such as 550; null when there was no reply. */
  readonly status?: number | null
}

/**
 * A message was not delivered. The error message contains reply codes but never the server's text,
 * which may quote the mail with its links; for the same reason there is no `cause`.
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
