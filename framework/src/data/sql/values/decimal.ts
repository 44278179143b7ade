import type { ColumnReference } from '../plan/column-reference.ts'

/** Whether a text is a decimal that a column stores exactly. */
export function fitsDecimal(text: string, { precision, scale }: ColumnReference): boolean {
  return hasDigits(text, precision - scale, scale)
}

/** Whether a text is a decimal with at most this many digits before and after the point. */
export function hasDigits(text: string, before: number, after: number): boolean {
  const parts = /^-?(\d+)(?:\.(\d+))?$/.exec(text)
  if (parts === null) return false
  const [, whole = '', fraction = ''] = parts
  // Leading zeros and trailing zeros of the fraction do not count.
  let first = 0
  while (whole.charAt(first) === '0') first += 1
  let last = fraction.length
  while (fraction.charAt(last - 1) === '0') last -= 1
  return whole.length - first <= before && last <= after
}
