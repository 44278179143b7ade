import type { Unit } from './charts.ts'

/** A formatted number and its unit. */
export interface Written {
  readonly number: string
  /** Begins with a space if one belongs between the two. */
  readonly unit: string
}

/** Three significant digits in a suitable unit; a dash for null. */
export function writeValue(value: number | null, unit: Unit): Written {
  if (value === null) return { number: '–', unit: '' }
  switch (unit) {
    case 'per-second':
      return { number: shortNumber(value), unit: '/s' }
    case 'per-minute':
      return { number: shortNumber(value), unit: '/min' }
    case 'seconds':
      if (value === 0) return { number: '0', unit: ' ms' }
      return scaledNumber(value, [
        [1, ' s'],
        [1e-3, ' ms'],
        [1e-6, ' µs'],
      ])
    case 'bytes':
      return writeBytes(value, '')
    case 'bytes-per-second':
      return writeBytes(value, '/s')
    case 'share':
      return { number: shortNumber(value * 100), unit: ' %' }
    case 'count':
    default:
      return { number: trimZeros(shortNumber(value)), unit: '' }
  }
}

/** Number and unit as one string. */
export function formatValue(value: number | null, unit: Unit): string {
  const written = writeValue(value, unit)
  return written.number + written.unit
}

/** Bytes in powers of 1000, so that the ticks of an axis are round numbers. */
export function writeBytes(value: number, per: string): Written {
  const { number, unit } = scaledNumber(value, [
    [1e12, ' TB'],
    [1e9, ' GB'],
    [1e6, ' MB'],
    [1e3, ' kB'],
    [1, ' B'],
  ])
  return { number, unit: unit + per }
}

/** The value in the largest unit in which it is at least 1, else in the last one. */
export function scaledNumber(
  value: number,
  units: readonly (readonly [size: number, name: string])[],
): Written {
  const last = units.at(-1) ?? [1, '']
  // A value that rounds up to 1000 belongs to the next unit.
  const [size, name] = units.find(([size]) => Math.abs(value) >= size * 0.9995) ?? last
  return { number: shortNumber(value / size), unit: name }
}

/** Three significant digits, whole above 100, millions as M. The width stays constant as it changes. */
export function shortNumber(value: number): string {
  const size = Math.abs(value)
  if (size >= 999_999.5) return withDigits(value / 1e6, 2) + 'M'
  if (size < 0.005) return '0'
  return withDigits(value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2)
}

/** A number with `digits` decimals and thousands separators. */
export function withDigits(value: number, digits: number): string {
  return value.toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

/** Removes trailing zeros after the decimal point. */
export function trimZeros(text: string): string {
  return text.replace(/\.(\d*?)0+(?!\d)/, (_, kept: string) => (kept === '' ? '' : '.' + kept))
}

/** A duration in its two largest units. */
export function formatDuration(seconds: number): string {
  const whole = Math.floor(seconds)
  const parts = [
    [Math.floor(whole / 86_400), 'd'],
    [Math.floor(whole / 3_600) % 24, 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  if (first === -1) return '0 s'
  return parts
    .slice(first, first + 2)
    .map(([count, name]) => count + ' ' + name)
    .join(' ')
}
