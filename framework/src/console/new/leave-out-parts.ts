import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parts } from './parts.ts'
import { withoutParts } from './without-parts.ts'

/**
 * Removes parts from a copy of the scaffold: their files, and marked lines in other files. The markers
 * of the remaining parts are removed too.
 * @throws ConfigurationError for an invalid marker in the scaffold.
 */
export function leaveOutParts(folder: string, names: readonly string[]): void {
  for (const name of names) {
    for (const file of parts[name]?.files ?? []) leaveOutFile(folder, file)
  }
  const known = new Set(Object.keys(parts))
  const removed = new Set(names)
  for (const file of filesIn(folder)) {
    const text = readFileSync(file, 'utf8')
    const result = withoutParts(text, removed, known)
    // Files without markers are not rewritten: decoding an image as text would corrupt it.
    if (result !== text) writeFileSync(file, result)
  }
}

function leaveOutFile(folder: string, file: string): void {
  rmSync(join(folder, file), { recursive: true, force: true })
  const parent = dirname(file)
  if (parent === '.' || !existsSync(join(folder, parent))) return
  // `framework migrate` needs its folder, and git does not keep empty ones.
  if (readdirSync(join(folder, parent)).length > 0) return
  writeFileSync(join(folder, parent, '.gitkeep'), '')
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesIn(path)
    return entry.isFile() ? [path] : []
  })
}
