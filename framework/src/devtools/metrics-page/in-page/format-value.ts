import type { Unit } from './charts.ts'

/** A formatted number and its unit. */
export interface Written {
  readonly number: string
  /** Begins with a space if one belongs between the two. */
  readonly unit: string
}

/** The names of the units and their sizes, largest first. Those of bytes are powers of 1000: round ticks. */
const bytes = { ' TB': 1e12, ' GB': 1e9, ' MB': 1e6, ' kB': 1e3, ' B': 1 }
const names: Readonly<Record<Unit, Readonly<Record<string, number>>>> = {
  'per-second': { '/s': 1 },
  'per-minute': { '/min': 1 },
  seconds: { ' s': 1, ' ms': 1e-3, ' µs': 1e-6 },
  bytes,
  'bytes-per-second': bytes,
  share: { ' %': 0.01 },
  count: { '': 1 },
}

/** Three significant digits in a suitable unit; a dash for null. */
export function writeValue(value: number | null, unit: Unit): Written {
  if (value === null) return { number: '–', unit: '' }
  if (value === 0 && unit === 'seconds') return { number: '0', unit: ' ms' }
  const sizes = Object.entries(names[unit])
  // The largest in which it is at least 1; what rounds up to 1000 belongs to the next one.
  const found = sizes.find(([, size]) => Math.abs(value) >= size * 0.9995) ?? sizes.at(-1)
  const [name, size] = found ?? ['', 1]
  const number = shortNumber(value / size)
  return {
    number: unit === 'count' ? trimZeros(number) : number,
    unit: unit === 'bytes-per-second' ? name + '/s' : name,
  }
}

/** Number and unit as one string. */
export function formatValue(value: number | null, unit: Unit): string {
  const written = writeValue(value, unit)
  return written.number + written.unit
}

/** Three significant digits, whole above 100, millions as M. The width stays constant as it changes. */
function shortNumber(value: number): string {
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
