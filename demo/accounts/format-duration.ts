const units: readonly (readonly [seconds: number, name: string])[] = [
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
]

/** Formats seconds in the largest unit that divides them evenly: `24 hours`, `90 seconds`. */
export function formatDuration(seconds: number): string {
  const [size, name] = units.find(([unit]) => seconds % unit === 0) ?? [1, 'second']
  const count = seconds / size
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
