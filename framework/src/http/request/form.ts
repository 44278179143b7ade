import { lateModule } from '../../base/late-module.ts'
import { HttpError } from '../errors/http-error.ts'
import type { Exchange } from '../server/engine/engine.ts'
import type { Limits } from '../server/engine/limits.ts'
import { decodeText, mediaType, readBody, refuseUsed, maxFields } from './body.ts'
import type * as Multipart from './multipart.ts'
import type { UploadIntake } from './multipart-parts.ts'
import { lastValues } from './query.ts'
import type { Values } from './query.ts'
import type { UploadedFile } from './uploaded-file.ts'

export type { UploadedFile } from './uploaded-file.ts'

/** A submitted form. */
export interface Form {
  /** Values by name; the last one if a name occurs several times. */
  readonly fields: Values
  /** Every name and value, in order. */
  readonly pairs: readonly (readonly [name: string, value: string])[]
  readonly files: readonly UploadedFile[]
  /** All values of a name, in order. */
  all(name: string): string[]
  /** Removes the files that were not moved. Never fails. */
  dispose(): void
}

/** The form of a request without a body. */
export const emptyForm: Form = Object.freeze(formOf([], [], () => {}))

const urlencoded = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data'

// With the first upload: the parser takes a good part of the start-up time.
const loadMultipart = lateModule<typeof Multipart>(import.meta, './multipart')

/** Whether a media type is one of the two encodings of a form. */
export function isForm(type: string): boolean {
  return type === urlencoded || type === multipart
}

/**
 * Reads the body as a form; an empty form if there is no body.
 * @param intake Null where a form may have no files.
 * @throws HttpError 415 for another type or a file that is not accepted, 413 above the limits, 400 if
 *   malformed or incomplete; OverloadedError beyond the upload budget.
 */
export async function readForm(
  exchange: Exchange,
  limits: Limits,
  intake: UploadIntake | null,
): Promise<Form> {
  if (!exchange.hasBody) return emptyForm
  const type = mediaType(exchange.headers['content-type'])
  if (!isForm(type))
    throw new HttpError(
      415,
      `a form must be sent as ${urlencoded} or ${multipart}, got ${type || 'no Content-Type'}`,
    )
  refuseUsed(exchange)
  if (type === multipart) {
    const { readMultipart } = loadMultipart()
    const form = await readMultipart(exchange, limits, intake)
    return formOf(form.pairs, form.files, () => form.dispose())
  }
  const text = decodeText(await readBody(exchange, limits.body))
  if (countPairs(text) > maxFields)
    throw new HttpError(413, `a form may have at most ${maxFields} fields`)
  return formOf([...new URLSearchParams(text)], [], () => {})
}

function formOf(
  pairs: readonly (readonly [name: string, value: string])[],
  files: readonly UploadedFile[],
  dispose: () => void,
): Form {
  return {
    fields: lastValues(pairs),
    pairs,
    files,
    all: (name) => pairs.filter(([known]) => known === name).map(([, value]) => value),
    dispose,
  }
}

// Counted before parsing, so that an oversized form costs no memory.
function countPairs(text: string): number {
  let count = 1
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) count += 1
  return count
}
