import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { privateFile } from '../../base/files/private-files.ts'
import { isAccepted } from '../../base/files/recognize-file.ts'
import { HttpError, TranslatedError } from '../errors/http-error.ts'
import { maxFields, decodeText } from './body.ts'
import type { Limits } from '../server/engine/limits.ts'
import { partHeader } from './part-header.ts'
import type { PartHeader } from './part-header.ts'
import { lastValues } from './query.ts'
import type { Values } from './query.ts'
import { BudgetShare } from './upload-budget.ts'
import type { UploadBudget } from './upload-budget.ts'
import { makeUploadFolder, removeUploadFolder } from './upload-folder.ts'
import { bareName } from './upload-options.ts'
import type { CompleteUploads } from './upload-options.ts'
import { UploadedFile } from './uploaded-file.ts'

/** What happens to the files of a form. */
export interface UploadIntake extends CompleteUploads {
  readonly budget: UploadBudget
  /** Called before the first file is stored, with the fields before it; an error refuses the form. */
  admit(fields: Values): void | Promise<void>
}

/** A complete multipart form. */
export interface Multipart {
  /** Names and values of the fields, in order. */
  readonly pairs: readonly (readonly [name: string, value: string])[]
  readonly files: readonly UploadedFile[]
  /** Removes the files that were not moved. Never fails. */
  dispose(): void
}

/** What is gathered for a write: chunks have at most 64 KiB, and a write is a turn of the thread pool. */
const writeBytes = 256 * 1024

/** Reads the parts of one form: fields into memory, files onto disk, both within limits. */
export class MultipartParts {
  readonly #limits: Limits
  readonly #intake: UploadIntake | null
  readonly #share: BudgetShare | null
  readonly #pairs: [string, string][] = []
  readonly #stored: Promise<UploadedFile>[] = []
  readonly #pending: Promise<unknown>[] = []
  /** How many files each declared field has had. */
  readonly #counts = new Map<string, number>()
  #fieldBytes = 0
  #fileBytes = 0
  #skipped = 0
  #refused = false
  #admitted: Promise<void> | null = null
  #folder: Promise<string> | null = null
  #current: Readable | null = null

  /** @param intake Null where a form may have no files. */
  constructor(limits: Limits, intake: UploadIntake | null) {
    this.#limits = limits
    this.#intake = intake
    this.#share = intake === null ? null : new BudgetShare(intake.budget)
  }

  /**
   * Reads one part to its end.
   * @throws HttpError 413 above a limit, 415 for a file that is not accepted, 400 if it is malformed.
   */
  take(part: Readable, header: object): Promise<unknown> {
    this.#current = part
    const taken = this.#refused ? this.#ignore(part) : this.#start(part, header)
    this.#pending.push(taken)
    return taken
  }

  /** The form, once every part is read. */
  async complete(): Promise<Multipart> {
    await Promise.all(this.#pending)
    const files = await Promise.all(this.#stored)
    return { pairs: this.#pairs, files, dispose: () => void this.#remove() }
  }

  /** Stops writing and removes what was written. */
  async discard(): Promise<void> {
    this.#current?.destroy()
    await Promise.allSettled(this.#pending)
    await this.#remove()
  }

  // Several parts may arrive at once: the first refusal, made synchronously, holds for those after it.
  #start(part: Readable, raw: object): Promise<unknown> {
    try {
      const header = partHeader(raw)
      if (header.filename === null) return this.#readField(part, header.name)
      if (header.filename === '') return this.#skip(part)
      const intake = this.#accepting(header)
      const stored = this.#store(part, header, intake, this.#room(header, intake))
      this.#stored.push(stored)
      return stored
    } catch (error) {
      this.#refused = true
      return Promise.reject(error)
    }
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
  #skip(part: Readable): Promise<void> {
    this.#skipped += 1
    this.#checkCount()
    return this.#ignore(part)
  }

  async #ignore(part: Readable): Promise<void> {
    part.resume()
  }

  #accepting(header: PartHeader): UploadIntake {
    if (this.#intake === null) {
      throw new HttpError(
        415,
        'this route accepts no files; declare them with its option `uploads`',
      )
    }
    if (this.#stored.length >= this.#intake.files) {
      const max = this.#intake.files
      throw new TranslatedError(413, 'at most {max} files are accepted', { max })
    }
    if (!isAccepted(header.type, this.#intake.types)) {
      const types = this.#intake.types.join(', ')
      throw new TranslatedError(415, 'accepted types of files: {types}', { types })
    }
    return this.#intake
  }

  /** How many bytes of a file may be stored: none if its field takes no more files. */
  #room({ name }: PartHeader, { fields }: UploadIntake): number {
    if (fields === null) return Infinity
    this.#skipped += 1
    this.#checkCount()
    const bare = bareName(name)
    const count = this.#counts.get(bare) ?? 0
    this.#counts.set(bare, count + 1)
    const limits = Object.hasOwn(fields, bare) ? fields[bare] : undefined
    return limits === undefined || count >= limits.files ? 0 : limits.bytes
  }

  async #store(
    part: Readable,
    header: PartHeader,
    intake: UploadIntake,
    room: number,
  ): Promise<UploadedFile> {
    const number = this.#stored.length
    this.#admitted ??= this.#admit(intake)
    await this.#admitted
    this.#folder ??= makeUploadFolder()
    const path = join(await this.#folder, String(number))
    // The folder is private, and so is the file, which keeps its mode when it is moved.
    const file = await open(path, 'wx', privateFile)
    let size = 0
    const unwritten: Buffer[] = []
    let written = 0
    try {
      for await (const chunk of part) {
        size += chunk.length
        this.#checkSize(size, chunk.length, intake)
        // The rest of the form is read all the same: the fields after the file go back with its error.
        if (size > room) continue
        unwritten.push(chunk)
        if (size - written < writeBytes) continue
        await this.#write(file, unwritten.splice(0), size - written)
        written = size
      }
      if (size > room) await file.truncate()
      else await this.#write(file, unwritten, size - written)
    } finally {
      await file.close()
    }
    const { name: field, type } = header
    return new UploadedFile({ field, filename: header.filename ?? '', type, size, path })
  }

  async #write(file: FileHandle, chunks: readonly Buffer[], bytes: number): Promise<void> {
    await this.#share?.take(bytes)
    const { bytesWritten } = await file.writev(chunks)
    // A disk that is nearly full takes a part, and refuses the rest.
    if (bytesWritten < bytes) await file.appendFile(Buffer.concat(chunks).subarray(bytesWritten))
  }

  // The values of fields that arrived together with the file may still have to be read.
  async #admit(intake: UploadIntake): Promise<void> {
    const before = this.#pairs.length
    await Promise.all(this.#pending)
    await intake.admit(lastValues(this.#pairs.slice(0, before)))
  }

  async #remove(): Promise<void> {
    const folder = await this.#folder?.catch(() => null)
    if (typeof folder === 'string') await removeUploadFolder(folder)
    this.#share?.giveBack()
  }

  #checkSize(size: number, added: number, { bytes, total }: UploadIntake): void {
    this.#fileBytes += added
    if (size > bytes) {
      throw new TranslatedError(413, 'a file may have at most {max} bytes', { max: bytes })
    }
    if (this.#fileBytes <= total) return
    throw new TranslatedError(413, 'files may have at most {max} bytes together', { max: total })
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
