import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { hasCode } from '../../base/files/has-code.ts'
import type { Check } from './check-context.ts'
import { warning } from './finding.ts'

const unfit =
  /^(?:package(?:-lock)?\.json|tsconfig\.json|Dockerfile|node_modules)$|\.(?:map|[cm]?tsx?|db|sql\w*|log|eml|pem|key|bak|old|orig|swp)$|~$/i
const maxShown = 3
/** A folder of uploads may be huge, and a start must not wait for it. */
const maxEntries = 10_000

/** Files in `public/` that belong to development and that every visitor could download. */
export const checkPublicFiles: Check = ({ root }) => {
  const folder = join(root, 'public')
  const found = unfitFiles(folder).map((file) => relative(root, file))
  if (found.length === 0) return []
  const shown = found.slice(0, maxShown).join(', ')
  const more = found.length > maxShown ? ` and ${found.length - maxShown} more` : ''
  const why = 'every visitor can download them, and read your sources or data'
  const fix = 'move them out of public/, or leave them out of the deployment'
  return [warning(`public/ contains files of development: ${shown}${more}`, why, fix)]
}

function unfitFiles(folder: string): string[] {
  const found: string[] = []
  const folders = [folder]
  let seen = 0
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const entry of entriesOf(next)) {
      seen += 1
      if (seen > maxEntries) return found
      // Names that begin with a dot are not served.
      if (entry.name.startsWith('.')) continue
      const path = join(next, entry.name)
      if (unfit.test(entry.name)) found.push(path)
      else if (entry.isDirectory()) folders.push(path)
    }
  }
  return found
}

function entriesOf(folder: string): { name: string; isDirectory(): boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (thrown) {
    if (hasCode(thrown, 'ENOENT') || hasCode(thrown, 'EACCES')) return []
    throw thrown
  }
}
