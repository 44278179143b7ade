import { invalidArgument } from '../../base/errors.ts'
import type { InvalidArgumentException } from '../../base/errors.ts'
import type { Limits } from '../server/engine/limits.ts'

/** The files that a route accepts: `{ files: 3, bytes: 5_000_000, types: ['image/*'] }`. */
export interface UploadOptions {
  /**
   * Maximum number of files in a form.
   * @default the limit `files` of the server
   */
  readonly files?: number
  /**
   * Maximum size of each file, in bytes.
   * @default the limit `fileBytes` of the server
   */
  readonly bytes?: number
  /**
   * Maximum size of all files of a form together, in bytes.
   * @default `files` times `bytes`
   */
  readonly total?: number
  /**
   * Accepted media types, such as `image/png` or `image/*`. They are compared with the type that the
   * client claims; the content is not looked at.
   * @default any type
   */
  readonly types?: readonly string[]
}

/** The same, complete. */
export type CompleteUploads = Required<UploadOptions>

const mediaRange = /^[\w!#$&^.+-]+\/(?:[\w!#$&^.+-]+|\*)$/

/**
 * Checks the options of a route.
 * @throws InvalidArgumentException for an invalid number or media type.
 */
export function checkUploads({ files, bytes, total, types = [] }: UploadOptions): void {
  for (const [name, value] of Object.entries({ files, bytes, total })) {
    if (value === undefined || (Number.isSafeInteger(value) && value > 0)) continue
    throw invalid(`"${name}" must be a whole number above 0, got ${value}`)
  }
  const wrong = types.find((type) => !mediaRange.test(type))
  if (wrong !== undefined) {
    throw invalid(`"types" takes media types such as image/png or image/*, got "${wrong}"`)
  }
}

/** Completes the options of a route with the limits of its server. */
export function completeUploads(options: UploadOptions, limits: Limits): CompleteUploads {
  const { files = limits.files, bytes = limits.fileBytes, types = [] } = options
  const { total = files * bytes } = options
  return { files, bytes, total, types: types.map((type) => type.toLowerCase()) }
}

/** Whether a media type, in lower case, is one of the accepted ones. */
export function isAccepted(type: string, { types }: CompleteUploads): boolean {
  if (types.length === 0) return true
  return types.some(
    (range) => range === type || (range.endsWith('/*') && type.startsWith(range.slice(0, -1))),
  )
}

function invalid(reason: string): InvalidArgumentException {
  return invalidArgument(`uploads of a route: ${reason}`)
}
