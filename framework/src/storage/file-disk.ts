import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import type { BigIntStats, Dirent } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { hasCode } from '../base/errors.ts'
import type { SignatureState, SignedPaths } from '../base/crypto/signed-paths.ts'
import { unwritableReason } from '../base/files/explain-unwritable.ts'
import { privateFile, privateFolder } from '../base/files/private-files.ts'
import { recognizeStart, startBytes } from '../base/files/recognize-file.ts'
import { isKey, storagePath } from './disk.ts'
import type { DiskStore, ListedObject, ObjectPage, ObjectRange, ObjectUrlOptions } from './disk.ts'
import type { StoredObject, UploadForm, UploadFormOptions } from './disk.ts'
import { StorageError, missingObject } from './storage-error.ts'

/** Unfinished files, which no key can name. */
const partsFolder = '.parts'
/** Milliseconds after which a file that nobody writes to was left by a process that died. */
const abandonedAfterMs = 86_400_000

/** Objects as files in a folder: whole or not at all, even if the process is killed or the power is cut. */
export class FileDisk implements DiskStore {
  readonly system = 'file'
  readonly label: string
  readonly #folder: string
  readonly #url: string
  readonly #paths: SignedPaths
  #prepared: Promise<unknown> | null = null

  /** @param url The public URL of the project, for signed addresses. */
  constructor(folder: string, url: string, paths: SignedPaths) {
    this.label = `file:${folder}`
    this.#folder = folder
    this.#url = url
    this.#paths = paths
  }

  async put(key: string, chunks: AsyncIterable<Buffer>, type: string): Promise<StoredObject> {
    const path = this.#path(key)
    this.#prepared ??= this.#prepare().catch((error: unknown) => {
      this.#prepared = null
      throw error
    })
    await this.#prepared
    const made = await mkdir(dirname(path), { recursive: true, mode: privateFolder })
    const part = this.#path(partsFolder, randomUUID())
    try {
      const written = await writeDurably(part, chunks)
      await rename(part, path)
      await syncFolders(dirname(path), made)
      return { key, type, ...described(written) }
    } catch (error) {
      await rm(part, { force: true })
      throw error
    }
  }

  async get(key: string, { start = 0, length, etag }: ObjectRange): Promise<Readable> {
    const handle = await this.#open(key)
    try {
      const { size, etag: found } = described(await handle.stat({ bigint: true }))
      if (etag !== undefined && etag !== found) {
        throw new StorageError('E_STORAGE_CHANGED', `the object "${key}" has changed meanwhile`)
      }
      const end = Math.min(size, start + (length ?? size))
      if (start < end) return handle.createReadStream({ start, end: end - 1 })
      await handle.close()
      return Readable.from([])
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  async find(key: string): Promise<StoredObject | null> {
    try {
      await using handle = await this.#open(key)
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(startBytes), 0, startBytes, 0)
      const type = recognizeStart(buffer.subarray(0, bytesRead), key)
      return { key, type, ...described(await handle.stat({ bigint: true })) }
    } catch (error) {
      if (hasCode(error, 'E_STORAGE_MISSING')) return null
      throw error
    }
  }

  async delete(key: string): Promise<void> {
    // A folder of that name holds other objects.
    if ((await this.find(key)) !== null) await rm(this.#path(key), { force: true })
  }

  async copy({ key: from, etag }: StoredObject, key: string, type: string): Promise<StoredObject> {
    return this.put(key, await this.get(from, { etag }), type)
  }

  async list(prefix: string, after: string, limit: number): Promise<ObjectPage> {
    const objects: ListedObject[] = []
    for await (const key of this.#keys('', prefix, after)) {
      if (objects.length === limit) return { objects, cursor: objects.at(-1)?.key ?? null }
      const found = await stat(this.#path(key), { bigint: true }).catch(nullIfMissing)
      if (found !== null) objects.push({ key, ...described(found) })
    }
    return { objects, cursor: null }
  }

  async signedUrl(key: string, options: Required<ObjectUrlOptions>): Promise<string> {
    const { expires, download, inline } = options
    return this.#sign(key, expires, inline ? { inline: '1' } : { download })
  }

  async form(
    key: string,
    { maxBytes, redirect, expires }: Required<UploadFormOptions>,
  ): Promise<Omit<UploadForm, 'key'>> {
    const action = this.#sign(key, expires, { max: String(maxBytes), redirect })
    return { action, fields: {} }
  }

  readonly check = (target: string): SignatureState => this.#paths.check(target)

  explain(error: unknown, operation: string): unknown {
    // Errors of a stream that is stored stay as they are.
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error
    const native = String(error.code)
    if (hasCode(error, 'ENOTDIR', 'EISDIR', 'EEXIST')) {
      const reason = 'the objects "a" and "a/b" cannot both be in a folder'
      return new StorageError('E_STORAGE_KEY', `${operation} failed, ${reason}`, native)
    }
    const code = hasCode(error, 'ENOSPC', 'EDQUOT') ? 'E_STORAGE_FULL' : 'E_STORAGE'
    const reason = unwritableReason(error, this.#folder) ?? native
    return new StorageError(code, `${operation} failed: ${reason}`, native)
  }

  #path(...parts: string[]): string {
    return join(this.#folder, ...parts)
  }

  /** @throws StorageError E_STORAGE_MISSING. */
  async #open(key: string): Promise<FileHandle> {
    const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants
    const handle = await open(this.#path(key), O_RDONLY | O_NONBLOCK | O_NOFOLLOW).catch(
      nullIfMissing,
    )
    if (handle !== null && (await handle.stat()).isFile()) return handle
    await handle?.close()
    throw missingObject(key)
  }

  #sign(key: string, expires: number, query: Record<string, string>): string {
    const target = `${storagePath}${key}?${new URLSearchParams(query).toString()}`
    return new URL(this.#paths.sign(target, expires), this.#url).href
  }

  /** The keys after one, in the order of S3: that of their bytes, where a folder sorts as `name/`. */
  async *#keys(folder: string, prefix: string, after: string): AsyncGenerator<string> {
    const entries = await readdir(this.#path(folder), { withFileTypes: true }).catch(nullIfMissing)
    const names = (entries ?? []).filter(({ name }) => isKey(name)).map(nameOf)
    for (const name of names.toSorted((one, other) => (one < other ? -1 : 1))) {
      const key = folder + name
      if (name.endsWith('/')) {
        const isBefore = key < after && !after.startsWith(key)
        const fits = key.startsWith(prefix) || prefix.startsWith(key)
        if (fits && !isBefore) yield* this.#keys(key, prefix, after)
      } else if (key > after && key.startsWith(prefix)) yield key
    }
  }

  /** Makes the folder of unfinished files, and removes those of processes that were killed. */
  async #prepare(): Promise<void> {
    const folder = this.#path(partsFolder)
    await mkdir(folder, { recursive: true, mode: privateFolder })
    for (const name of await readdir(folder)) {
      const found = await stat(join(folder, name)).catch(nullIfMissing)
      if (found === null || Date.now() - found.mtimeMs < abandonedAfterMs) continue
      await rm(join(folder, name), { force: true })
    }
  }
}

function nameOf(entry: Dirent): string {
  return entry.isDirectory() ? `${entry.name}/` : entry.name
}

async function writeDurably(path: string, chunks: AsyncIterable<Buffer>): Promise<BigIntStats> {
  await using handle = await open(path, 'wx', privateFile)
  await handle.writeFile(chunks)
  await handle.sync()
  return handle.stat({ bigint: true })
}

/** A name is only durable when its folder is; so are folders that were just made. */
async function syncFolders(folder: string, made: string | undefined): Promise<void> {
  const last = made === undefined ? folder : dirname(made)
  for (let at = folder; ; at = dirname(at)) {
    await using handle = await open(at)
    await handle.sync()
    if (at === last || at === dirname(at)) return
  }
}

function described({ ino, size, mtimeNs }: BigIntStats): Omit<ListedObject, 'key'> {
  const etag = `"${ino.toString(36)}-${size.toString(36)}-${mtimeNs.toString(36)}"`
  return { size: Number(size), etag, modified: Math.trunc(Number(mtimeNs / 1_000_000_000n)) }
}

function nullIfMissing(error: unknown): null {
  if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO')) return null
  throw error
}
