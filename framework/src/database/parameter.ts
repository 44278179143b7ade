import { InvalidArgumentException, RefusedInput } from '../base/errors.ts'
import { isStorable } from './sql/values/bindable.ts'
import { momentText } from './sql/values/moment.ts'

/** A `Date` for any database: UTC text with six fractional digits. */
export function dateParameter(date: Date, index: number): string {
  const text = momentText(date)
  if (text !== null) return text
  throw invalidParameter(index, 'a Date that is invalid or outside the years 1 to 9999')
}

/**
 * A text for any database. What none of them stores alike is refused before anything is sent: some end
 * a text at NUL, and half a surrogate pair has no UTF-8, so it would become U+FFFD.
 * @throws RefusedInput, since only a client can have sent it.
 */
export function textParameter(text: string, index: number): string {
  if (isStorable(text)) return text
  throw new RefusedInput(
    'E_VALUE',
    `parameter ${index + 1} is a text with NUL or half a surrogate pair, which databases cannot store`,
  )
}

/** The error for a parameter that cannot be bound. It describes the value without showing it. */
export function invalidParameter(index: number, what: string): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `parameter ${index + 1} is ${what}; a parameter must be text, a number, a bigint, a boolean, null, a Date or bytes`,
  )
}
