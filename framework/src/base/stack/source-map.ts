import { readFileSync, statSync } from 'node:fs'
import { SourceMap } from 'node:module'
import type { SourceMapPayload } from 'node:module'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rememberText, sourceLines } from './source-file.ts'

/** A place in a file; lines and columns count from 1. */
export interface Position {
  readonly file: string
  readonly line: number
  readonly column: number
}

const maxMaps = 500
const LARGEST_BYTES = 8_388_608
const maps = new Map<string, SourceMap | null>()
const compiled = /\.[cm]?js$/
const comment = /^\/\/# sourceMappingURL=(\S+)\s*$/gm

/**
 * The place in the source that a place in compiled code came from, by the map the compiler left
 * beside it; the same place when there is none. Where Node maps stacks itself nothing is left to do.
 */
export function originalPosition(position: Position): Position {
  const { file, line, column } = position
  if (line === 0 || !compiled.test(file)) return position
  const entry = mapOf(file)?.findEntry(line - 1, column - 1)
  if (entry === undefined || !('originalSource' in entry) || !entry.originalSource) return position
  return {
    file: entry.originalSource,
    line: entry.originalLine + 1,
    column: entry.originalColumn + 1,
  }
}

// A map is read once: code that runs does not change, whatever happens to its file.
function mapOf(file: string): SourceMap | null {
  const known = maps.get(file)
  if (known !== undefined) return known
  if (maps.size >= maxMaps) maps.clear()
  const map = readMap(file)
  maps.set(file, map)
  return map
}

function readMap(file: string): SourceMap | null {
  try {
    // The last one counts: an earlier one may stand in a text.
    const url = Array.from(readBounded(file).matchAll(comment)).at(-1)?.[1]
    if (url === undefined) return null
    const payload = JSON.parse(mapText(file, url)) as SourceMapPayload
    const root = payload.sourceRoot ?? ''
    const sources = payload.sources.map((source) => pathFrom(file, `${root}${source}`))
    keepTexts(sources, payload.sourcesContent ?? [])
    // Better a place in compiled code than one in a file that nobody has.
    const shown = sources.map((source) => (sourceLines(source) === null ? '' : source))
    return new SourceMap({ ...payload, sources: shown })
  } catch {
    // No file, no permission, no JSON: the compiled place is still a place.
    return null
  }
}

const inline = /^data:application\/json[^,]*;base64,/

function mapText(file: string, url: string): string {
  const found = inline.exec(url)
  if (found !== null) return Buffer.from(url.slice(found[0].length), 'base64').toString('utf8')
  return readBounded(resolve(dirname(file), url))
}

function readBounded(file: string): string {
  const stats = statSync(file)
  if (!stats.isFile() || stats.size > LARGEST_BYTES) return ''
  return readFileSync(file, 'utf8')
}

// Sources are often not shipped; what the map holds of them serves as well.
function keepTexts(sources: readonly string[], texts: readonly unknown[]): void {
  for (const [at, source] of sources.entries()) {
    const text = texts[at]
    if (typeof text === 'string') rememberText(source, text)
  }
}

function pathFrom(file: string, source: string): string {
  if (source.startsWith('file://')) return fileURLToPath(source)
  return resolve(dirname(file), source)
}
