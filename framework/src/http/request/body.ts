import { isUtf8 } from 'node:buffer'
import { FrameworkError } from '../../base/errors.ts'
import { HttpError } from '../errors/http-error.ts'
import type { Exchange } from '../server/engine/engine.ts'

/** Maximum number of fields in a form; more are taken for an attack. */
export const maxFields = 1000

/**
 * Reads the whole body into memory.
 * @throws HttpError 413 above `limit` bytes, 415 for a compressed body, 400 if it is incomplete.
 */
export function readBody(exchange: Exchange, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    refuseEncoded(exchange)
    if (!exchange.hasBody) return resolve(Buffer.alloc(0))
    refuseUsed(exchange)
    if (Number(exchange.headers['content-length']) > limit) throw tooLarge(limit)
    const { body } = exchange
    const chunks: Buffer[] = []
    let size = 0
    // Instead of removing the listeners, which end with the request: a body also closes when all is well.
    let isSettled = false
    const collect = (chunk: Buffer): void => {
      size += chunk.length
      if (size <= limit) return void chunks.push(chunk)
      isSettled = true
      body.off('data', collect)
      reject(tooLarge(limit))
    }
    const end = (): void => {
      if (isSettled) return
      isSettled = true
      const [only = Buffer.alloc(0)] = chunks
      resolve(chunks.length > 1 ? Buffer.concat(chunks, size) : only)
    }
    const fail = (): void => {
      if (!isSettled) reject(incomplete())
      isSettled = true
    }
    body.on('data', collect).on('end', end).on('error', fail).on('close', fail)
  })
}

/**
 * The body as text.
 * @throws HttpError 400 unless it is UTF-8.
 */
export function decodeText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new HttpError(400, 'the request body is not valid UTF-8')
  return bytes.toString('utf8')
}

/** The media type without parameters, in lower case. */
export function mediaType(header: string | readonly string[] | undefined): string {
  if (typeof header !== 'string') return ''
  const end = header.indexOf(';')
  return (end === -1 ? header : header.slice(0, end)).trim().toLowerCase()
}

/** Whether a media type, in lower case, is JSON. */
export function isJsonType(type: string): boolean {
  return type === 'application/json' || type.endsWith('+json')
}

/** @throws HttpError 415 if the body is compressed: its decompressed size is not limited. */
export function refuseEncoded(exchange: Exchange): void {
  const encoding = exchange.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw new HttpError(415, `request bodies must not be compressed, got ${String(encoding)}`)
  }
}

/**
 * Checked first because a stream that has ended emits nothing more: reading it would wait forever.
 * @throws FrameworkError if the body was already read, HttpError 400 if it is incomplete.
 */
export function refuseUsed({ body }: Exchange): void {
  if (body.readableEnded) {
    throw new FrameworkError('E_BODY_USED', 'the body was already read in another way')
  }
  if (body.destroyed) throw incomplete()
}

/** The error for a connection that closed before the whole body arrived. */
export function incomplete(): HttpError {
  return new HttpError(400, 'the request body is incomplete: the connection was closed')
}

function tooLarge(limit: number): HttpError {
  return new HttpError(413, `the request body is larger than the ${limit} bytes allowed`)
}
