import { InvalidArgumentException } from '../../base/errors.ts'
import { momentText } from '../sql/values/moment.ts'

/** A `Date` for any database: UTC text with six fractional digits. */
export function dateParameter(date: Date, index: number): string {
  const text = momentText(date)
  if (text !== null) return text
  throw invalidParameter(index, 'a Date that is invalid or outside the years 1 to 9999')
}

/** The error for a parameter that cannot be bound. It describes the value without showing it. */
export function invalidParameter(index: number, what: string): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `parameter ${index + 1} is ${what}; a parameter must be text, a number, a bigint, a boolean, null, a Date or bytes`,
  )
}
