import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { HttpError } from '../errors/http-error.ts'
import { maxFields } from './max-fields.ts'
import type { Limits } from '../server/engine/limits.ts'
import { decodeText } from './body.ts'
import { partHeader } from './part-header.ts'
import type { PartHeader } from './part-header.ts'
import { UploadedFile } from './uploaded-file.ts'

/** A complete multipart form. */
export interface Multipart {
  /** Names and values of the fields, in order. */
  readonly pairs: readonly (readonly [name: string, value: string])[]
  readonly files: readonly UploadedFile[]
  /** Folder of the files; null if there are none. */
  readonly folder: string | null
}

/** Reads the parts of one form: fields into memory, files onto disk, both within limits. */
export class MultipartParts {
  readonly #limits: Limits
  readonly #pairs: [string, string][] = []
  readonly #stored: Promise<UploadedFile>[] = []
  readonly #pending: Promise<unknown>[] = []
  #fieldBytes = 0
  #skipped = 0
  #folder: Promise<string> | null = null
  #current: Readable | null = null

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /**
   * Reads one part to its end.
   * @throws HttpError 413 above a limit, 400 if it is malformed.
   */
  take(part: Readable, header: object): Promise<unknown> {
    this.#current = part
    const taken = this.#read(part, header)
    this.#pending.push(taken)
    return taken
  }

  /** The form, once every part is read. */
  async complete(): Promise<Multipart> {
    await Promise.all(this.#pending)
    const files = await Promise.all(this.#stored)
    return { pairs: this.#pairs, files, folder: await this.#folder }
  }

  /** Stops writing and removes what was written. */
  async discard(): Promise<void> {
    this.#current?.destroy()
    await Promise.allSettled(this.#pending)
    const folder = await this.#folder?.catch(() => null)
    if (typeof folder === 'string') await rm(folder, { recursive: true, force: true })
  }

  async #read(part: Readable, raw: object): Promise<unknown> {
    const header = partHeader(raw)
    if (header.filename === null) return this.#readField(part, header.name)
    if (header.filename === '') return this.#skip(part)
    if (this.#stored.length >= this.#limits.files) {
      throw new HttpError(413, `a form may have at most ${this.#limits.files} files`)
    }
    const stored = this.#store(part, header, this.#stored.length)
    this.#stored.push(stored)
    return stored
  }

  async #readField(part: Readable, name: string): Promise<void> {
    const pair: [string, string] = [name, '']
    this.#pairs.push(pair)
    this.#checkCount()
    this.#spend(Buffer.byteLength(name))
    const chunks: Buffer[] = []
    for await (const chunk of part) {
      this.#spend(chunk.length)
      chunks.push(chunk)
    }
    pair[1] = decodeText(Buffer.concat(chunks))
  }

  // Browsers send an empty file input as a part with an empty file name.
  #skip(part: Readable): void {
    this.#skipped += 1
    this.#checkCount()
    part.resume()
  }

  async #store(part: Readable, header: PartHeader, number: number): Promise<UploadedFile> {
    this.#folder ??= mkdtemp(join(tmpdir(), 'framework-upload-'))
    const path = join(await this.#folder, String(number))
    // The folder is private; the file has the usual mode, which it keeps when it is moved.
    const file = await open(path, 'wx')
    let size = 0
    try {
      for await (const chunk of part) {
        size += chunk.length
        this.#checkSize(size)
        await file.appendFile(chunk)
      }
    } finally {
      await file.close()
    }
    const { name: field, type } = header
    return new UploadedFile({ field, filename: header.filename ?? '', type, size, path })
  }

  #checkSize(size: number): void {
    const { fileBytes } = this.#limits
    if (size > fileBytes)
      throw new HttpError(413, `a file is larger than the ${fileBytes} bytes allowed`)
  }

  #checkCount(): void {
    if (this.#pairs.length + this.#skipped <= maxFields) return
    throw new HttpError(413, `a form may have at most ${maxFields} fields`)
  }

  #spend(bytes: number): void {
    this.#fieldBytes += bytes
    if (this.#fieldBytes <= this.#limits.body) return
    throw new HttpError(413, `the fields are larger than the ${this.#limits.body} bytes allowed`)
  }
}
