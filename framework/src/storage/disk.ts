import { randomBytes } from 'node:crypto'
import { posix } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { InvalidArgumentException, hasCode } from '../base/errors.ts'
import type { SignatureState } from '../base/crypto/signed-paths.ts'
import { isAccepted, recognizeStart, startBytes } from '../base/files/recognize-file.ts'
import { noteFailedStep } from '../activity/failed-step.ts'
import { StepKinds } from '../activity/step.ts'
import { Steps, failureCode } from '../activity/steps.ts'
import { StorageError, missingObject } from './storage-error.ts'

/** What is known of a stored object. */
export interface StoredObject {
  readonly key: string
  /** Bytes. */
  readonly size: number
  /** Media type by its content, whatever was claimed; kinds of text by the ending of the key. */
  readonly type: string
  /** Another text for every content, in quotes as in the header `ETag`. */
  readonly etag: string
  /** Epoch seconds of the last change. */
  readonly modified: number
}

/** An object in a list, which does not look into it. */
export type ListedObject = Omit<StoredObject, 'type'>

/** A part of the objects of a disk, in the order of their keys. */
export interface ObjectPage {
  readonly objects: readonly ListedObject[]
  /** For `list` to go on; null at the end. */
  readonly cursor: string | null
}

/** What may be stored. */
export interface ObjectLimits {
  /** @default no limit */
  readonly maxBytes?: number
  /**
   * Accepted media types, such as `application/pdf` or `image/*`. They are compared with the content.
   * SVG, which can have scripts, has to be named.
   * @default any type
   */
  readonly types?: readonly string[]
}

/** A part of an object. */
export interface ObjectRange {
  /** The first byte. @default 0 */
  readonly start?: number
  /** @default all from there */
  readonly length?: number
  /** Only if the object still has this `etag`. */
  readonly etag?: string
}

/** Options of `disk.signedUrl`. */
export interface ObjectUrlOptions {
  /** Seconds for which it works. @default 3600 */
  readonly expires?: number
  /** The name under which it is saved. @default the end of the key */
  readonly download?: string
  /** Whether a browser may show it instead of saving it. @default false */
  readonly inline?: boolean
}

/** Options of `disk.form`. */
export interface UploadFormOptions {
  readonly maxBytes: number
  /** Seconds for which it works. @default 600 */
  readonly expires?: number
  /** Where the browser goes afterwards, with the `key` in the query. @default nowhere */
  readonly redirect?: string
}

/** A form by which a browser uploads one file to a disk: its fields, then the file in a field `file`. */
export interface UploadForm {
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
  /** For `disk.confirm`. */
  readonly key: string
}

/** Where a disk keeps objects. Keys are checked, and errors of the system pass. */
export interface DiskStore {
  /** What it is, for metrics and spans. */
  readonly system: 'file' | 's3'
  /** Its URL without options. */
  readonly label: string
  /** Stores an object as a whole or not at all. */
  put(key: string, chunks: AsyncIterable<Buffer>, type: string): Promise<StoredObject>
  /** @throws StorageError E_STORAGE_MISSING, E_STORAGE_CHANGED. */
  get(key: string, range: ObjectRange): Promise<Readable>
  find(key: string): Promise<StoredObject | null>
  delete(key: string): Promise<void>
  /** @throws StorageError E_STORAGE_CHANGED if the source is another one by now. */
  copy(source: StoredObject, key: string, type: string): Promise<StoredObject>
  list(prefix: string, after: string, limit: number): Promise<ObjectPage>
  signedUrl(key: string, options: Required<ObjectUrlOptions>): Promise<string>
  form(key: string, options: Required<UploadFormOptions>): Promise<Omit<UploadForm, 'key'>>
  /** What the signature of an address says, if those of this disk lead to `StorageRoutes`. */
  readonly check?: (target: string) => SignatureState
  /** Turns an error of the system into one that says what failed. */
  explain(error: unknown, operation: string): unknown
}

/** What can be stored. */
type ObjectBody = string | Uint8Array | AsyncIterable<Uint8Array | string>

/** The path of `StorageRoutes`, for disks that have no server of their own. */
export const storagePath = '/storage/'
/** Uploads of browsers are here until they are confirmed. */
const uploads = 'uploads/'
const segment = /^[\w-][\w.-]{0,254}$/
const maxKeyLength = 512

/** Stores files by key: in a folder, or on a server that speaks S3, which one is a setting. */
export class Disk {
  /** Its URL without options. */
  readonly label: string
  /** What the signature of an address at `StorageRoutes` says; null if the server of the disk serves by itself. */
  readonly check: ((target: string) => SignatureState) | null
  readonly #store: DiskStore
  readonly #publicUrl: string | null

  /** @param publicUrl The address at which everybody may read the objects; null for none. */
  constructor(store: DiskStore, publicUrl: string | null) {
    this.label = store.label
    this.check = store.check ?? null
    this.#store = store
    this.#publicUrl = publicUrl
  }

  /**
   * Stores a text, bytes or a stream under a key, as a whole or not at all, instead of what was there.
   * @throws StorageError; E_STORAGE_SIZE and E_STORAGE_TYPE, a 413 and a 415, for what the limits do not allow.
   */
  async put(key: string, body: ObjectBody, limits: ObjectLimits = {}): Promise<StoredObject> {
    try {
      return await this.#run('put', key, async () => {
        const chunks = chunksOf(body, limits)
        let start: Buffer = Buffer.alloc(0)
        while (start.length < startBytes) {
          const { value, done = false } = await chunks.next()
          if (done) break
          start = Buffer.concat([start, value])
        }
        const type = acceptedType(start, key, limits)
        return this.#store.put(key, joined(start, chunks), type)
      })
    } finally {
      if (body instanceof Readable) body.destroy()
    }
  }

  /**
   * An object or a part of it, as a stream, to be read or destroyed.
   * @throws StorageError E_STORAGE_MISSING if there is none, E_STORAGE_CHANGED if it has another `etag`.
   */
  get(key: string, range: ObjectRange = {}): Promise<Readable> {
    return this.#run('get', key, () => this.#store.get(key, range))
  }

  /** What is known of an object; null if there is none. */
  find(key: string): Promise<StoredObject | null> {
    return this.#run('find', key, () => this.#store.find(key))
  }

  /** Deletes an object, if there is one. */
  delete(key: string): Promise<void> {
    return this.#run('delete', key, () => this.#store.delete(key))
  }

  /**
   * Copies an object, without reading it here where the server can.
   * @throws StorageError E_STORAGE_MISSING if there is none.
   */
  copy(from: string, to: string): Promise<StoredObject> {
    return this.#copy('copy', from, to, {})
  }

  /** The objects whose keys begin with `prefix`, at most 1,000 at a time, in the order of their keys. */
  list(
    prefix: string = '',
    { cursor, limit = 1_000 }: { cursor?: string | null; limit?: number } = {},
  ): Promise<ObjectPage> {
    return this.#run('list', null, () =>
      this.#store.list(prefix, cursor ?? '', Math.min(limit, 1_000)),
    )
  }

  /**
   * The plain address of an object, for a bucket or folder that everybody may read.
   * @throws InvalidArgumentException E_STORAGE_URL without the option `public` of the disk's URL.
   */
  url(key: string): string {
    checkKey(key)
    if (this.#publicUrl !== null) return `${this.#publicUrl}/${key}`
    const message = 'use signedUrl, or set the option public of STORAGE_URL'
    throw new InvalidArgumentException('E_STORAGE_URL', `${this.label} is not public: ${message}`)
  }

  /** An address by which whoever has it can read the object, until it expires. It saves the file. */
  async signedUrl(key: string, options: ObjectUrlOptions = {}): Promise<string> {
    checkKey(key)
    const { expires = 3_600, inline = false, download = posix.basename(key) } = options
    return this.#store.signedUrl(key, { expires, download, inline })
  }

  /**
   * A form by which a browser uploads a file without passing it through a handler. The file is kept apart, and
   * of no type that a browser shows, until it is confirmed.
   */
  async form(options: UploadFormOptions): Promise<UploadForm> {
    const key = uploads + randomBytes(16).toString('hex')
    return { key, ...(await this.#store.form(key, { expires: 600, redirect: '', ...options })) }
  }

  /**
   * Moves an upload to its key, if its size and content are allowed. What is not allowed is deleted.
   * @param upload The `key` of a form that this visitor got.
   * @throws StorageError E_STORAGE_MISSING if nothing was uploaded, and as `put`.
   */
  async confirm(upload: string, key: string, limits: ObjectLimits): Promise<StoredObject> {
    // Its name comes from a browser, and must not reach other objects.
    if (!/^uploads\/[0-9a-f]{32}$/.test(upload)) throw missingObject('uploads/…')
    try {
      const object = await this.#copy('confirm', upload, key, limits)
      await this.delete(upload)
      return object
    } catch (error) {
      if (hasCode(error, 'E_STORAGE_SIZE', 'E_STORAGE_TYPE')) await this.delete(upload)
      throw error
    }
  }

  #copy(operation: string, from: string, to: string, limits: ObjectLimits): Promise<StoredObject> {
    return this.#run(operation, to, async () => {
      checkKey(from)
      const source = await this.#store.find(from)
      if (source === null) throw missingObject(from)
      const { size, etag } = source
      checkSize(size, limits)
      const length = Math.min(size, startBytes)
      const start = length === 0 ? '' : await buffer(await this.#store.get(from, { length, etag }))
      return this.#store.copy(source, to, acceptedType(Buffer.from(start), to, limits))
    })
  }

  async #run<T>(operation: string, key: string | null, work: () => Promise<T>): Promise<T> {
    if (key !== null) checkKey(key)
    const step = Steps.Instance.begin(StepKinds.Storage, operation, '', this.#store.system)
    step?.leave()
    try {
      const result = await work()
      step?.end(0, null)
      return result
    } catch (thrown) {
      const error = this.#store.explain(thrown, operation)
      if (step !== null) noteFailedStep(error, step)
      step?.end(0, failureCode(error))
      throw error
    }
  }
}

/**
 * Keys are chosen by programs: letters, digits, `_`, `-`, `.` and `/`, which every disk keeps apart and no
 * address has to encode. A part that begins with a dot would be hidden, or lead out of the folder.
 */
function checkKey(key: string): void {
  if (isKey(key)) return
  // It is not quoted: it may be a visitor's, and messages are logged.
  throw new InvalidArgumentException(
    'E_STORAGE_KEY',
    `a key has at most ${maxKeyLength} letters, digits, "_", "-" and ".", in parts between "/" that do not begin with "."`,
  )
}

/** Whether a text can be a key, or a part of one. */
export function isKey(text: string): boolean {
  return text.length <= maxKeyLength && text.split('/').every((part) => segment.test(part))
}

async function* chunksOf(body: ObjectBody, limits: ObjectLimits): AsyncGenerator<Buffer> {
  let size = 0
  for await (const part of typeof body === 'string' || body instanceof Uint8Array ? [body] : body) {
    const chunk = part instanceof Buffer ? part : Buffer.from(part)
    size += chunk.length
    checkSize(size, limits)
    yield chunk
  }
}

async function* joined(start: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield start
  yield* rest
}

function checkSize(size: number, { maxBytes = Infinity }: ObjectLimits): void {
  if (size <= maxBytes) return
  throw new StorageError('E_STORAGE_SIZE', `a file may have at most ${maxBytes} bytes`)
}

function acceptedType(start: Buffer, key: string, { types = [] }: ObjectLimits): string {
  const type = recognizeStart(start, key)
  if (types.length === 0) return type
  const [plain = ''] = type.split(';')
  if (types.includes(plain) || (plain !== 'image/svg+xml' && isAccepted(plain, types))) return type
  throw new StorageError('E_STORAGE_TYPE', `accepted types of files: ${types.join(', ')}`)
}
