import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ByteRange } from './byte-range.ts'

const chunkBytes = 65_536

/**
 * Part of an open file as a stream. It yields exactly `length` bytes or fails: with a response shorter
 * than its `Content-Length`, the client would read the next response as its rest. It owns the handle
 * and always closes it, even if it is never read.
 */
export class FileBody extends Readable {
  readonly #handle: FileHandle
  #position: number
  #left: number

  constructor(handle: FileHandle, { start, length }: ByteRange) {
    super({ highWaterMark: chunkBytes })
    this.#handle = handle
    this.#position = start
    this.#left = length
  }

  override _read(): void {
    if (this.#left === 0) {
      this.push(null)
      return
    }
    const buffer = Buffer.allocUnsafeSlow(Math.min(this.#left, chunkBytes))
    this.#handle.read(buffer, 0, buffer.length, this.#position).then(
      ({ bytesRead }) => this.#pushChunk(buffer.subarray(0, bytesRead)),
      (error: Error) => this.destroy(error),
    )
  }

  override _destroy(reason: Error | null, finish: (error?: Error | null) => void): void {
    this.#handle.close().then(
      () => finish(reason),
      (failure: Error) => finish(reason ?? failure),
    )
  }

  #pushChunk(chunk: Buffer): void {
    if (chunk.length === 0) {
      this.destroy(
        new Error(
          `the file became shorter while it was being sent: ${this.#left} bytes are missing`,
        ),
      )
      return
    }
    this.#position += chunk.length
    this.#left -= chunk.length
    this.push(chunk)
  }
}

/** Reads part of a file into memory; null if the file has become too short. */
export async function readRange(
  handle: FileHandle,
  { start, length }: ByteRange,
): Promise<Buffer | null> {
  const buffer = Buffer.allocUnsafeSlow(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, start + filled)
    if (bytesRead === 0) return null
    filled += bytesRead
  }
  return buffer
}
