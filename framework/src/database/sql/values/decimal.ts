import type { ColumnReference } from '../plan/column-reference.ts'

/** Decimal digits that survive a round trip through a double. */
export const exactDigits = 15

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

/** A decimal as a whole number of its smallest unit: '1.50' with two digits is 150. */
export function unitsOf(text: string, scale: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(scale, '0').slice(0, scale))
}

/** The decimal of a whole number of its smallest unit. */
export function decimalOf(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const sign = units < 0n ? '-' : ''
  return scale === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-scale)}`
}
