import type { Readable } from 'node:stream'
import { Dicer } from '@fastify/busboy'
import { HttpError } from '../errors/http-error.ts'
import type { Exchange } from '../server/engine/engine.ts'
import type { Limits } from '../server/engine/limits.ts'
import { incomplete, refuseEncoded } from './body.ts'
import { MultipartParts } from './multipart-parts.ts'
import type { Multipart, UploadIntake } from './multipart-parts.ts'
import { boundaryOf } from './part-header.ts'

/**
 * Reads a multipart form: fields into memory, files to a temporary folder, which is removed if it
 * fails.
 * @param intake Null where a form may have no files.
 * @throws HttpError 413 above a limit, 415 for a compressed body or a file that is not accepted, 400 if
 *   malformed or incomplete; OverloadedError beyond the upload budget.
 */
export async function readMultipart(
  exchange: Exchange,
  limits: Limits,
  intake: UploadIntake | null,
): Promise<Multipart> {
  refuseEncoded(exchange)
  const { 'content-type': type, 'content-length': length } = exchange.headers
  const boundary = boundaryOf(typeof type === 'string' ? type : '')
  const maxBytes = limits.body + (intake?.total ?? 0)
  // Without an intake a long form is read up to its first file, whose 415 says more than a 413.
  if (intake !== null && Number(length) > maxBytes) throw tooLarge(maxBytes)
  const parts = new MultipartParts(limits, intake)
  try {
    await feed(exchange.body, boundary, maxBytes, parts)
    return await parts.complete()
  } catch (error) {
    await parts.discard()
    throw error
  }
}

// Busboy's form reader skips parts it does not understand, so only its splitter (Dicer) is used.
// The body is never destroyed: the connection is still needed for the response.
function feed(
  body: Readable,
  boundary: string,
  maxBytes: number,
  parts: MultipartParts,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const parser = new Dicer({ boundary })
    let size = 0
    let finished = false
    let ended = false
    const stopReading = (): void => {
      body.off('data', write).off('end', end).off('error', abort).off('close', abort)
    }
    const fail = (error: unknown): void => {
      stopReading()
      // If the client disconnects after the rejection, the error must not crash the process.
      if (!parser.destroyed) body.on('error', () => {})
      parser.destroy()
      reject(error)
    }
    const complete = (): void => {
      if (hasHeaderlessPart()) fail(malformed('a part has no header'))
      else resolve()
    }
    const write = (chunk: Buffer): void => {
      const left = maxBytes - size
      size += chunk.length
      if (size > maxBytes) {
        stopReading()
        // If a file in it is refused, that is the better reason.
        if (!finished) parser.write(chunk.subarray(0, left))
        setImmediate(() => fail(tooLarge(maxBytes)))
      } else if (!finished && !parser.write(chunk)) body.pause()
    }
    const end = (): void => {
      stopReading()
      ended = true
      if (finished) complete()
      else parser.end()
    }
    const abort = (): void => fail(incomplete())

    const hasHeaderlessPart = takeParts(parser, parts, fail)
    parser.on('drain', () => body.resume())
    parser.on('error', (cause) => fail(malformed(cause.message, cause)))
    parser.on('finish', () => {
      finished = true
      // After the last boundary the parser may never drain; the rest of the body is discarded.
      if (ended) complete()
      else body.resume()
    })
    body.on('data', write).on('end', end).on('error', abort).on('close', abort)
  })
}

/** Reads each part as it arrives. Returns a function that tells whether the last part has no header. */
function takeParts(
  parser: Dicer,
  parts: MultipartParts,
  fail: (error: unknown) => void,
): () => boolean {
  let headerless = false
  parser.on('part', (part) => {
    if (headerless) fail(malformed('a part has no header'))
    headerless = true
    // The parser emits errors here as well, possibly before the part is read.
    part.on('error', () => {})
    part.on('header', (header) => {
      part.pause()
      headerless = false
      parts.take(part, header).catch(fail)
    })
    // An unread part without a header would keep the parser waiting forever.
    part.resume()
  })
  return () => headerless
}

function malformed(what: string, cause?: Error): HttpError {
  return new HttpError(400, `the multipart body is malformed: ${what}`, { cause })
}

function tooLarge(maxBytes: number): HttpError {
  return new HttpError(413, `the form is larger than the ${maxBytes} bytes allowed`)
}
