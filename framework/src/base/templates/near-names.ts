const maxComparedLength = 100

/** The names most similar to `wanted`, nearest first, for hints in error messages. */
export function nearNames(wanted: string, names: readonly string[], limit = 3): string[] {
  const target = wanted.slice(0, maxComparedLength)
  const base = lastPart(target)
  return names
    .map((name) => ({ name, distance: lastPart(name) === base ? 1 : distance(target, name) }))
    .filter(({ name, distance }) => distance <= Math.max(2, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name }) => name)
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

/** Levenshtein distance: how many characters must be added, removed or replaced. */
function distance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1)
      const removed = (above[column] ?? 0) + 1
      const added = (current[column - 1] ?? 0) + 1
      current.push(Math.min(replaced, removed, added))
    }
    above = current
  }
  return above[to.length] ?? 0
}
