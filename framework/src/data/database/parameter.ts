import { InvalidArgumentException } from '../../base/errors.ts'
import { momentText } from '../sql/values/moment.ts'

/** A `Date` as all databases take it: text in UTC with six digits behind the second. */
export function dateParameter(date: Date, index: number): string {
  const text = momentText(date)
  if (text !== null) return text
  throw refusedParameter(index, 'a Date that is invalid or outside the years 1 to 9999')
}

/** The error for a parameter that cannot be bound. It says what came, never the value. */
export function refusedParameter(index: number, what: string): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `parameter ${index + 1} is ${what}; a parameter is text, a number, a bigint, a boolean, null, a Date or bytes`,
  )
}
