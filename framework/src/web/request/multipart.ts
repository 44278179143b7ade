import type { Readable } from 'node:stream'
import { Dicer } from '@fastify/busboy'
import { HttpError } from '../errors/http-error.ts'
import type { Exchange } from '../server/engine/engine.ts'
import type { Limits } from '../server/engine/limits.ts'
import { refuseEncoded } from './body.ts'
import { MultipartParts } from './multipart-parts.ts'
import type { Multipart } from './multipart-parts.ts'
import { boundaryOf } from './part-header.ts'

/**
 * Reads a multipart form: fields into memory, files to a temporary folder. When it fails nothing
 * stays on disk.
 * @throws HttpError 413 above a limit, 415 for an encoded body, 400 when malformed or broken off.
 */
export async function readMultipart(exchange: Exchange, limits: Limits): Promise<Multipart> {
  refuseEncoded(exchange)
  const { 'content-type': type, 'content-length': length } = exchange.headers
  const boundary = boundaryOf(typeof type === 'string' ? type : '')
  const most = limits.body + limits.files * limits.fileBytes
  if (Number(length) > most) throw tooLarge(most)
  const parts = new MultipartParts(limits)
  try {
    await feed(exchange.body, boundary, most, parts)
    return await parts.complete()
  } catch (error) {
    await parts.discard()
    throw error
  }
}

// The parser's own form reader skips parts it does not understand, so only its splitter is used.
// The body is never destroyed: the connection must still carry the answer.
function feed(
  body: Readable,
  boundary: string,
  most: number,
  parts: MultipartParts,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const parser = new Dicer({ boundary })
    let size = 0
    let finished = false
    let ended = false
    const leave = (): void => {
      body.off('data', write).off('end', end).off('error', breakOff).off('close', breakOff)
    }
    const fail = (error: unknown): void => {
      leave()
      // A client that leaves after it was refused must not bring the process down.
      if (!parser.destroyed) body.on('error', () => {})
      parser.destroy()
      reject(error)
    }
    const conclude = (): void => (headless() ? fail(malformed('a part has no head')) : resolve())
    const write = (chunk: Buffer): void => {
      size += chunk.length
      if (size > most) fail(tooLarge(most))
      else if (!finished && !parser.write(chunk)) body.pause()
    }
    const end = (): void => {
      leave()
      ended = true
      if (finished) conclude()
      else parser.end()
    }
    const breakOff = (): void => fail(new HttpError(400, 'the request body broke off'))

    const headless = takeParts(parser, parts, fail)
    parser.on('drain', () => body.resume())
    parser.on('error', (cause) => fail(malformed(cause.message, cause)))
    parser.on('finish', () => {
      finished = true
      // The parser may never drain once it has seen the last boundary; what follows is thrown away.
      if (ended) conclude()
      else body.resume()
    })
    body.on('data', write).on('end', end).on('error', breakOff).on('close', breakOff)
  })
}

/** Reads each part as it comes. Gives back how to ask whether the last one is without a head. */
function takeParts(
  parser: Dicer,
  parts: MultipartParts,
  fail: (error: unknown) => void,
): () => boolean {
  let headless = false
  parser.on('part', (part) => {
    if (headless) fail(malformed('a part has no head'))
    headless = true
    // The parser tells of an early end here as well, even before anybody reads the part.
    part.on('error', () => {})
    part.on('header', (header) => {
      part.pause()
      headless = false
      parts.take(part, header).catch(fail)
    })
    // Unread, a part without a head would keep the parser waiting for ever.
    part.resume()
  })
  return () => headless
}

function malformed(what: string, cause?: Error): HttpError {
  return new HttpError(400, `the multipart body is malformed: ${what}`, { cause })
}

function tooLarge(most: number): HttpError {
  return new HttpError(413, `the form is larger than the ${most} bytes allowed`)
}
