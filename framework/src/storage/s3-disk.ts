import { Readable } from 'node:stream'
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { createPresignedPost } from '@aws-sdk/s3-presigned-post'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { hasCode } from '../base/errors.ts'
import { attachment } from '../base/files/attachment.ts'
import { isKey } from './disk.ts'
import type { DiskStore, ObjectPage, ObjectRange, ObjectUrlOptions } from './disk.ts'
import type { StoredObject, UploadForm, UploadFormOptions } from './disk.ts'
import { StorageError, missingObject } from './storage-error.ts'
import type { StorageFailure } from './storage-error.ts'

/** A bucket, where it is, and who may use it. */
export interface BucketSettings {
  readonly name: string
  /** Seconds that the server may take to go on. */
  readonly timeout: number
  readonly region: string
  /** The address of a server that is not Amazon's. */
  readonly endpoint: string | undefined
  /** @default those of the role of the machine */
  readonly credentials?: Readonly<Record<'accessKeyId' | 'secretAccessKey', string>> | undefined
}

/** What is uploaded at once: objects above this size are sent in parts of it. */
const partSize = 8_388_608
const unknownType = 'application/octet-stream'

/** Objects in a bucket of a server that speaks S3. */
export class S3Disk implements DiskStore {
  readonly system = 's3'
  readonly label: string
  readonly #client: S3Client
  readonly #bucket: string
  readonly #timeout: number

  constructor({ name, timeout, endpoint, credentials, region }: BucketSettings) {
    this.label = `s3://${name}`
    this.#bucket = name
    this.#timeout = timeout
    this.#client = new S3Client({
      region,
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
      ...(credentials && { credentials }),
      // Servers that are not Amazon's do not know its newer checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      // A socket that rests waits for whoever reads from it.
      requestHandler: {
        requestTimeout: timeout * 1000,
        throwOnRequestTimeout: true,
        socketTimeout: 0,
      },
    })
  }

  async put(key: string, chunks: AsyncIterable<Buffer>, type: string): Promise<StoredObject> {
    const params = { ...this.#at(key), ...headersOf(type), Body: Readable.from(chunks) }
    await new Upload({ client: this.#client, params, partSize, queueSize: 1 }).done()
    return this.#stored(key)
  }

  async get(key: string, { start = 0, length, etag }: ObjectRange): Promise<Readable> {
    const end = length === undefined ? '' : start + length - 1
    const command = new GetObjectCommand({
      ...this.#at(key),
      ...((start > 0 || length !== undefined) && { Range: `bytes=${start}-${end}` }),
      IfMatch: etag,
    })
    const abort = new AbortController()
    try {
      const { Body } = await this.#inTime((options) => this.#client.send(command, options), abort)
      return Readable.from(Body instanceof Readable ? this.#read(Body, abort) : [])
    } catch (error) {
      // As in a folder: there is nothing behind the end.
      if (error instanceof StorageError && error.native === 'InvalidRange') return Readable.from([])
      throw error
    }
  }

  async find(key: string): Promise<StoredObject | null> {
    const command = new HeadObjectCommand(this.#at(key))
    try {
      const found = await this.#inTime((options) => this.#client.send(command, options))
      const { ContentLength: size = 0, ContentType: type = unknownType, ETag: etag = '' } = found
      return { key, size, type, etag, modified: secondsOf(found.LastModified) }
    } catch (error) {
      if (hasCode(error, 'E_STORAGE_MISSING')) return null
      throw error
    }
  }

  async delete(key: string): Promise<void> {
    const command = new DeleteObjectCommand(this.#at(key))
    await this.#inTime((options) => this.#client.send(command, options))
  }

  async copy(source: StoredObject, key: string, type: string): Promise<StoredObject> {
    const command = new CopyObjectCommand({
      ...this.#at(key),
      ...headersOf(type),
      CopySource: `${this.#bucket}/${source.key}`,
      CopySourceIfMatch: source.etag,
      MetadataDirective: 'REPLACE',
    })
    await this.#inTime((options) => this.#client.send(command, options))
    return this.#stored(key)
  }

  async list(prefix: string, after: string, limit: number): Promise<ObjectPage> {
    const command = new ListObjectsV2Command({
      Bucket: this.#bucket,
      Prefix: prefix,
      StartAfter: after,
      MaxKeys: limit,
    })
    const found = await this.#inTime((options) => this.#client.send(command, options))
    const objects = (found.Contents ?? []).map(
      ({ Key = '', Size = 0, ETag = '', LastModified }) => {
        // Some servers leave out the quotes here.
        const etag = `"${ETag.replaceAll('"', '')}"`
        return { key: Key, size: Size, etag, modified: secondsOf(LastModified) }
      },
    )
    return {
      // Others may have stored what no key of ours can name.
      objects: objects.filter(({ key }) => isKey(key)),
      cursor: found.IsTruncated === true ? (objects.at(-1)?.key ?? null) : null,
    }
  }

  async signedUrl(
    key: string,
    { expires, download, inline }: Required<ObjectUrlOptions>,
  ): Promise<string> {
    const shown = { ResponseContentDisposition: inline ? 'inline' : attachment(download) }
    const command = new GetObjectCommand({ ...this.#at(key), ...shown })
    return getSignedUrl(this.#client, command, { expiresIn: expires })
  }

  async form(
    key: string,
    { maxBytes, redirect, expires }: Required<UploadFormOptions>,
  ): Promise<Omit<UploadForm, 'key'>> {
    const { url, fields } = await createPresignedPost(this.#client, {
      ...this.#at(key),
      Expires: expires,
      Conditions: [['content-length-range', 0, maxBytes]],
      Fields: {
        // Until it is confirmed, nothing is what it says to be.
        'Content-Type': unknownType,
        'Content-Disposition': 'attachment',
        ...(redirect === ''
          ? { success_action_status: '204' }
          : { success_action_redirect: redirect }),
      },
    })
    return { action: url, fields }
  }

  explain(error: unknown): unknown {
    // The library marks its own errors; those of a stream that is stored stay as they are.
    const isOwn = error instanceof Error && '$metadata' in error
    return isOwn ? this.#failure(error) : error
  }

  #at(key: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#bucket, Key: key }
  }

  /** What the server says about it afterwards: not every one does so in its response. */
  async #stored(key: string): Promise<StoredObject> {
    const stored = await this.find(key)
    if (stored === null) throw missingObject(key)
    return stored
  }

  async *#read(body: AsyncIterable<Buffer>, abort: AbortController): AsyncGenerator<Buffer> {
    const chunks = body[Symbol.asyncIterator]()
    try {
      for (;;) {
        const { done = false, value } = await this.#inTime(() => chunks.next(), abort)
        if (done) return
        yield value
      }
    } finally {
      abort.abort()
    }
  }

  /** Does one step of a request; ends the request if that takes too long. */
  async #inTime<T>(
    work: (options: { readonly abortSignal: AbortSignal }) => Promise<T>,
    abort: AbortController = new AbortController(),
  ): Promise<T> {
    const timer = setTimeout(() => abort.abort(), this.#timeout * 1000)
    try {
      return await work({ abortSignal: abort.signal })
    } catch (error) {
      throw this.#failure(abort.signal.aborted ? abort.signal.reason : error)
    } finally {
      clearTimeout(timer)
    }
  }

  /** The library's message is not repeated: it may have an address with a signature. */
  #failure(error: unknown): StorageError {
    const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
    const native = nativeOf(error)
    const [code, reason] = reasonOf(native, status ?? 0)
    const time = code === 'E_STORAGE_TIMEOUT' ? ` within ${this.#timeout} seconds` : ''
    return new StorageError(code, `${this.label} ${reason}${time} (${native})`, native)
  }
}

function reasonOf(native: string, status: number): readonly [StorageFailure, string] {
  if (/^(?:NoSuchKey|NotFound)$/.test(native)) return ['E_STORAGE_MISSING', 'has no such object']
  if (status === 412) return ['E_STORAGE_CHANGED', 'has another object by now']
  if (/^(?:Abort|Timeout)Error$/.test(native)) return ['E_STORAGE_TIMEOUT', 'did not go on']
  if (/Quota|StorageFull|^507$/.test(native)) return ['E_STORAGE_FULL', 'has no room left']
  if (/^E[A-Z]+$/.test(native)) return ['E_STORAGE_LOST', 'cannot be reached']
  if (status >= 500 || status === 429) return ['E_STORAGE_LOST', 'is overloaded or broken']
  return ['E_STORAGE', 'refused a request']
}

/** What the system or the server calls an error. */
function nativeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error instanceof S3ServiceException && error.name === 'Unknown') {
    return String(error.$metadata.httpStatusCode)
  }
  const isNamed = error.name !== 'Error' || !('code' in error)
  return isNamed ? error.name : String(error.code)
}

/** Whoever opens the plain address of an object saves it. */
function headersOf(type: string): {
  readonly ContentType: string
  readonly ContentDisposition: string
} {
  return { ContentType: type, ContentDisposition: 'attachment' }
}

function secondsOf(date: Date | undefined): number {
  return Math.trunc((date?.getTime() ?? 0) / 1000)
}
