import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { privateFile, privateFolder } from '../../base/files/private-files.ts'
import type { ExportParts } from './export-part.ts'

/** What is written, and where. */
export interface WriteExportOptions {
  readonly path: string
  readonly user: string
  readonly parts: ExportParts
  /** Epoch seconds. */
  readonly now: number
  readonly signal: AbortSignal
}

/**
 * Writes the data of an account into a file that only this user of the machine can read, and resolves with
 * its size. It has its name only when it is complete. One value at a time is in memory.
 */
export async function writeExport(options: WriteExportOptions): Promise<number> {
  const { path, signal } = options
  const partial = `${path}.part`
  await mkdir(dirname(path), { recursive: true, mode: privateFolder })
  try {
    const file = createWriteStream(partial, { mode: privateFile, flags: 'w' })
    await pipeline(Readable.from(textOf(options)), file, { signal })
    const { size } = await stat(partial)
    await rename(partial, path)
    return size
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

async function* textOf({ user, parts, now }: WriteExportOptions): AsyncGenerator<string> {
  yield `{\n"created": ${JSON.stringify(new Date(now * 1000).toISOString())}`
  for (const [name, read] of Object.entries(parts)) {
    yield `,\n${JSON.stringify(name)}: `
    const part = read(user)
    if (isIterable(part)) yield* listOf(part)
    else yield textOfValue(await part)
  }
  yield '\n}\n'
}

async function* listOf(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const value of values) {
    yield before + textOfValue(value)
    before = ',\n'
  }
  yield before === '[\n' ? '[]' : '\n]'
}

function textOfValue(value: unknown): string {
  return JSON.stringify(value ?? null)
}

function isIterable(
  part: Promise<unknown> | AsyncIterable<unknown>,
): part is AsyncIterable<unknown> {
  return Symbol.asyncIterator in part
}
