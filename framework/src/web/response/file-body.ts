import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ByteRange } from './byte-range.ts'

const chunkBytes = 65_536

/**
 * A stretch of an open file as a stream. It gives exactly the announced length or fails, since an
 * answer that falls short of its length would take bytes of the next one for its own. It owns the
 * handle and closes it however it ends, also unread.
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
      ({ bytesRead }) => this.#give(buffer.subarray(0, bytesRead)),
      (error: Error) => this.destroy(error),
    )
  }

  override _destroy(reason: Error | null, finish: (error?: Error | null) => void): void {
    this.#handle.close().then(
      () => finish(reason),
      (failure: Error) => finish(reason ?? failure),
    )
  }

  #give(chunk: Buffer): void {
    if (chunk.length === 0) {
      this.destroy(
        new Error(`the file became shorter while it was sent, ${this.#left} bytes are missing`),
      )
      return
    }
    this.#position += chunk.length
    this.#left -= chunk.length
    this.push(chunk)
  }
}

/** Reads a stretch into memory; null when the file no longer holds all of it. */
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
