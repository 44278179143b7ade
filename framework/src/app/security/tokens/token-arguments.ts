import { InvalidArgumentException } from '../../../base/errors.ts'

/** As long as the column of the tables is. */
const longestUser = 255

/**
 * The id of a user.
 * @throws InvalidArgumentException for an empty one or one that is too long.
 */
export function checkedUser(user: string): string {
  if (user !== '' && user.length <= longestUser) return user
  throw refused(`a user has an id of 1 to ${longestUser} characters, came ${user.length}`)
}

/**
 * When something ends that begins now and lives so many seconds.
 * @throws InvalidArgumentException for less than a second, or for parts of one.
 */
export function endOf(now: number, ttl: number): number {
  const expires = now + ttl
  if (Number.isSafeInteger(ttl) && ttl >= 1 && Number.isSafeInteger(expires)) return expires
  throw refused(`a lifetime is a whole number of seconds from 1 on, came ${ttl}`)
}

/**
 * Seconds of grace.
 * @throws InvalidArgumentException for less than none.
 */
export function checkedGrace(grace: number): number {
  if (Number.isFinite(grace) && grace >= 0) return grace
  throw refused(`grace is a number of seconds from 0 on, came ${grace}`)
}

function refused(text: string): InvalidArgumentException {
  return new InvalidArgumentException('E_INVALID_ARGUMENT', text)
}
