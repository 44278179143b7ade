import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parts } from './parts.ts'
import { withoutParts } from './without-parts.ts'

/**
 * Takes parts out of a copy of the scaffold: their files, and what other files say of them. Marks of
 * the parts that stay go as well.
 * @throws ConfigurationError when a mark in the scaffold is wrong.
 */
export function leaveOutParts(folder: string, left: readonly string[]): void {
  for (const name of left) {
    for (const file of parts[name]?.files ?? []) leaveOutFile(folder, file)
  }
  const known = new Set(Object.keys(parts))
  const gone = new Set(left)
  for (const file of filesIn(folder)) {
    const text = readFileSync(file, 'utf8')
    const made = withoutParts(text, gone, known)
    // Only what had marks is written: an image must not pass through text.
    if (made !== text) writeFileSync(file, made)
  }
}

function leaveOutFile(folder: string, file: string): void {
  rmSync(join(folder, file), { recursive: true, force: true })
  const parent = dirname(file)
  if (parent === '.' || !existsSync(join(folder, parent))) return
  // `framework migrate` asks for its folder, and git keeps none that is empty.
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
