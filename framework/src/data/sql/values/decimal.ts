import type { ColumnReference } from '../plan/column-reference.ts'

/** Whether a text is a decimal that a column holds digit for digit. */
export function fitsDecimal(text: string, { precision, scale }: ColumnReference): boolean {
  return hasDigits(text, precision - scale, scale)
}

/** Whether a text is a decimal with at most so many digits before and behind the point. */
export function hasDigits(text: string, before: number, behind: number): boolean {
  const parts = /^-?(\d+)(?:\.(\d+))?$/.exec(text)
  if (parts === null) return false
  const [, whole = '', fraction = ''] = parts
  // Zeros in front of the number and behind its fraction are no digits of it.
  let first = 0
  while (whole.charAt(first) === '0') first += 1
  let last = fraction.length
  while (fraction.charAt(last - 1) === '0') last -= 1
  return whole.length - first <= before && last <= behind
}
