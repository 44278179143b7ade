import { invalidArgument } from '../../base/errors.ts'

/** What somebody has submitted to prove a factor of an account. */
export interface FactorAttempt {
  /** Id of the account. */
  readonly user: string
  /** The fields of the form: a `code`, for example. */
  readonly fields: Readonly<Record<string, string>>
  /**
   * What the attempt belongs to: the pending sign-in, or the session that confirms. A factor can count
   * tries by it, or bind a challenge to it.
   */
  readonly binding: string
  /** Whether it completes a sign-in, or confirms something that a stolen session must not do. */
  readonly purpose: 'sign-in' | 'confirm'
  /** Address of the client. */
  readonly peer: string
  /** The user agent, for the mail and the activity of the account. @default '' */
  readonly agent?: string
  /** Id of the request. @default null */
  readonly request?: string | null
}

/**
 * A way to prove who one is, besides the one somebody came in by: codes of an authenticator, a passkey.
 * `SignInGate` asks for it after the password, `Confirmation` before something that a stolen session
 * must not do.
 */
export interface Factor {
  /** Its name in URLs, events and the accounts table: lower-case letters, digits, `-` and `_`. */
  readonly name: string
  /**
   * Whether a sign-in to an account that has it is asked for a factor. One that is not asked for, such as
   * a passkey, is another way in, and is accepted where the account is asked because of another factor.
   * @default true
   */
  readonly isAsked?: boolean
  /** Whether the account has it. A sign-in does not ask: it reads the accounts table. */
  isEnrolled(user: string): Promise<boolean>
  /**
   * Checks a proof and uses it up: the same code is accepted once, whoever comes first. It leaves the
   * accounts table alone: a sign-in is undone if the factors of its account change meanwhile.
   */
  verify(attempt: FactorAttempt): Promise<boolean>
}

const nameForm = /^[a-z][a-z0-9_-]{0,31}$/

/**
 * The name of a factor.
 * @throws InvalidArgumentException for one that does not fit into URLs and the accounts table.
 */
export function checkedFactorName(name: string): string {
  if (nameForm.test(name)) return name
  throw invalidArgument(
    'the name of a factor must have at most 32 lower-case letters, digits, - and _, and start with a letter',
  )
}
