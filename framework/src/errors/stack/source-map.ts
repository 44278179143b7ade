import { readFileSync, statSync } from 'node:fs'
import { SourceMap } from 'node:module'
import type { SourceMapPayload } from 'node:module'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RecentTexts } from '../../base/encoding/recent-texts.ts'
import { rememberText, sourceLines } from './source-file.ts'

/** A position in a file; lines and columns count from 1. */
export interface Position {
  readonly file: string
  readonly line: number
  readonly column: number
}

const maxBytes = 8_388_608
/** A map is read once: running code does not change, whatever happens to its file. */
const maps = new RecentTexts<SourceMap | null>(500)
const compiled = /\.[cm]?js$/
const comment = /^\/\/# sourceMappingURL=(\S+)\s*$/gm

/**
 * Maps a position in compiled code to the original source with the file's source map; returns it
 * unchanged when there is none. With `--enable-source-maps` Node has already mapped stacks.
 */
export function originalPosition(position: Position): Position {
  const { file, line, column } = position
  if (line === 0 || !compiled.test(file)) return position
  const entry = maps.getOr(file, readMap)?.findEntry(line - 1, column - 1)
  if (entry === undefined || !('originalSource' in entry) || !entry.originalSource) return position
  return {
    file: entry.originalSource,
    line: entry.originalLine + 1,
    column: entry.originalColumn + 1,
  }
}

function readMap(file: string): SourceMap | null {
  try {
    // The last comment counts: an earlier one may be part of a string.
    const url = Array.from(readBounded(file).matchAll(comment)).at(-1)?.[1]
    if (url === undefined) return null
    const payload = JSON.parse(mapText(file, url)) as SourceMapPayload
    const root = payload.sourceRoot ?? ''
    const sources = payload.sources.map((source) => pathFrom(file, `${root}${source}`))
    keepTexts(sources, payload.sourcesContent ?? [])
    // A position in compiled code is better than one in a file that does not exist here.
    const shown = sources.map((source) => (sourceLines(source) === null ? '' : source))
    return new SourceMap({ ...payload, sources: shown })
  } catch {
    // No file, no permission or no JSON: the compiled position is still useful.
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
  if (!stats.isFile() || stats.size > maxBytes) return ''
  return readFileSync(file, 'utf8')
}

// Sources are often not shipped; the copies inside the map serve as well.
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
