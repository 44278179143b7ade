const units: readonly (readonly [seconds: number, name: string])[] = [
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
]

/** A time in words, `24 hours` or `90 seconds`: in the largest unit that it is a whole number of. */
export function inWords(seconds: number): string {
  const [size, name] = units.find(([unit]) => seconds % unit === 0) ?? [1, 'second']
  const count = seconds / size
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
