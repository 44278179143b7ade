import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { ConfigurationError } from '../base/errors.ts'

const assignment = /^\s*(?:export\s+)?([A-Za-z_][\w.]*)\s*=\s*(.*)$/
const blankOrComment = /^\s*(#.*)?$/

/**
 * The variables of a `.env` file, or none when there is no such file.
 * `name` is what errors call it.
 * @throws ConfigurationError when it cannot be read, is not UTF-8 or has a malformed line.
 */
export function readEnvFile(path: string, name: string): ReadonlyMap<string, string> {
  const text = readText(path, name)
  if (text === null) return new Map()
  const entries = Object.entries(parseEnv(checkedLines(text, name)))
  return new Map(entries.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))
}

function readText(path: string, name: string): string | null {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOENT') return null
    const reason = code === 'EISDIR' ? 'it is a folder' : `the system says ${String(code)}`
    throw new ConfigurationError('E_ENV_FILE', `${name} cannot be read: ${reason}`, {
      cause: error,
    })
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new ConfigurationError('E_ENV_FILE', `${name} must be UTF-8 text`, { cause: error })
  }
}

// Node's parser silently skips lines it does not understand, so a missing setting would surface much
// later. The line itself is not shown: it may contain a secret. Each line is written anew, since that parser takes
// the next line for the value where only spaces follow a =, and spaces of Unicode for a part of a name.
function checkedLines(text: string, name: string): string {
  const lines = text.split(/\r?\n/)
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (/^\s*(#|$)/.test(line)) {
      lines[at] = ''
      continue
    }
    const [, variable, value = ''] = assignment.exec(line) ?? []
    if (variable === undefined) throw malformed(name, at, 'is not NAME=value')
    const quote = value.charAt(0)
    const isQuoted = ['"', "'", '`'].includes(quote)
    lines[at] = `${variable}=${isQuoted ? value : value.trimEnd()}`
    if (!isQuoted) continue
    const end = closingLine(lines, at, value.slice(1), quote)
    if (end === null) throw malformed(name, at, `opens ${quote} and never closes it`)
    const closing = end === at ? value.slice(1) : (lines[end] ?? '')
    if (!blankOrComment.test(closing.slice(closing.indexOf(quote) + 1))) {
      throw malformed(name, end, `goes on after the closing ${quote}`)
    }
    at = end
  }
  return lines.join('\n')
}

function closingLine(
  lines: readonly string[],
  start: number,
  first: string,
  quote: string,
): number | null {
  if (first.includes(quote)) return start
  const later = lines.findIndex((line, at) => at > start && line.includes(quote))
  return later === -1 ? null : later
}

function malformed(name: string, at: number, what: string): ConfigurationError {
  return new ConfigurationError('E_ENV_FILE', `line ${at + 1} of ${name} ${what}`)
}
