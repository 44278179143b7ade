import { constants } from 'node:fs'
import { glob, mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { documentParts } from './document-parts.ts'
import { retiredName } from './fleet-files.ts'
import { readDocument } from './read-document.ts'
import type { SnapshotDocument } from './read-document.ts'
import { Snapshot } from './snapshot.ts'

/** A file larger than this is none of ours. */
const mostBytes = 64 * 1_024 * 1_024
const temporary = '.tmp'

/** Writes a file whole or not at all, in a folder that is made if need be. */
export async function writeSnapshotFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const fresh = `${path}.${process.pid}-${crypto.randomUUID()}${temporary}`
  try {
    await writeFile(fresh, text, { flag: 'wx' })
    await rename(fresh, path)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  }
}

/**
 * Merges the snapshots in the files that match a glob pattern, in order of their names. Files last
 * written more than `maxAge` seconds ago are left out when that is above 0, and so is everything
 * that cannot be read or is no snapshot. Others get their turn while large files are read.
 */
export async function mergeSnapshotFiles(pattern: string, maxAge: number): Promise<Snapshot> {
  const merged = new Snapshot(0)
  for (const { timestamp, metrics } of await readSnapshotFiles(pattern, maxAge)) {
    for (const [name, metric] of metrics) merged.add(name, metric, timestamp)
    merged.timestamp = Math.max(merged.timestamp, timestamp)
    await setImmediate()
  }
  if (merged.timestamp === 0) merged.timestamp = Date.now() / 1_000
  return merged
}

/** What one file holds. */
export interface SnapshotFile {
  /** Its parts; none unless all of it can be read. */
  readonly documents: readonly SnapshotDocument[]
}

/** Reads a file; one that is too old, cannot be read or is no snapshot has no documents. */
export async function readSnapshotFile(path: string, maxAge: number): Promise<SnapshotFile> {
  try {
    const text = await readFresh(path, maxAge)
    return { documents: text === null ? [] : await parseInTurns(text) }
  } catch {
    return { documents: [] }
  }
}

/**
 * The documents of all files. When a worker dies, its values move to the file of the retired, which
 * names it, and then its own file goes. So that file is read last: a worker whose file was gone is
 * in there, and one that is in both counts once.
 */
async function readSnapshotFiles(pattern: string, maxAge: number): Promise<SnapshotDocument[]> {
  const files: [name: string, file: SnapshotFile][] = []
  for (const path of await listFiles(pattern)) {
    files.push([basename(path), await readSnapshotFile(path, maxAge)])
  }
  const all = files.flatMap(([, { documents }]) => documents)
  const retired = new Set(all.flatMap((document) => document.retired))
  return files.flatMap(([name, { documents }]) => (retired.has(name) ? [] : documents))
}

async function listFiles(pattern: string): Promise<string[]> {
  const paths: string[] = []
  for await (const path of glob(pattern)) {
    if (!path.endsWith(temporary)) paths.push(path)
  }
  const last = (path: string): number => Number(basename(path) === retiredName)
  return paths.sort().sort((a, b) => last(a) - last(b))
}

/** The text of a regular file that is neither too old nor too large. */
async function readFresh(path: string, maxAge: number): Promise<string | null> {
  // Not blocking: a pipe that somebody put there must not stop us.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const facts = await file.stat()
    if (!facts.isFile() || facts.size > mostBytes) return null
    if (maxAge > 0 && Date.now() - facts.mtimeMs > maxAge * 1_000) return null
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

async function parseInTurns(text: string): Promise<readonly SnapshotDocument[]> {
  const documents: SnapshotDocument[] = []
  for (const part of documentParts(text)) {
    documents.push(readDocument(JSON.parse(part)))
    await setImmediate()
  }
  return documents
}
