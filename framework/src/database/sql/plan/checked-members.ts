import type { ErrorCode } from '../../../base/error-codes.ts'
import { InvalidArgumentException } from '../../../base/errors.ts'

const maxLength = 255

/**
 * A copy of the texts of an enumeration.
 * @throws InvalidArgumentException without any, or for one that no database could tell from others.
 */
export function checkedMembers(members: readonly string[], code: ErrorCode): readonly string[] {
  const list: readonly unknown[] = Array.isArray(members) ? members : []
  const texts = list.filter(isMember)
  if (list.length > 0 && texts.length === list.length && new Set(texts).size === list.length) {
    return Object.freeze(texts)
  }
  throw new InvalidArgumentException(
    code,
    `an enumeration takes a list of different texts of 1 to ${maxLength} characters, as in ['draft', 'live'], got ${described(list)}`,
  )
}

function isMember(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= maxLength &&
    value.isWellFormed() &&
    !value.includes('\0')
  )
}

function described(list: readonly unknown[]): string {
  if (list.length === 0) return 'none'
  const odd = list.find((value) => !isMember(value))
  if (odd === undefined) return 'one twice'
  return typeof odd === 'string' ? 'one that is empty, too long or not storable' : typeof odd
}
