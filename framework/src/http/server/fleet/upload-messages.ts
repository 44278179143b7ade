/** Message from a worker to the primary: asks for bytes of the upload budget, or returns them. */
export type UploadQuestion =
  | {
      readonly type: 'framework:take-upload-bytes'
      readonly id: number
      /** Fewer bytes are of no use. */
      readonly least: number
      readonly most: number
    }
  | { readonly type: 'framework:give-upload-bytes'; readonly bytes: number }

/** Message from the primary to a worker. */
export interface UploadAnswer {
  readonly type: 'framework:upload-bytes'
  readonly id: number
  /** Zero if there is not enough left. */
  readonly granted: number
}

/** Parses a message from a worker; null for other messages. */
export function parseUploadQuestion(message: unknown): UploadQuestion | null {
  if (typeof message !== 'object' || message === null || !('type' in message)) return null
  const { type } = message
  if (type === 'framework:take-upload-bytes') {
    const { id, least, most } = numbersIn(message)
    return { type, id, least, most }
  }
  return type === 'framework:give-upload-bytes' ? { type, bytes: numbersIn(message).bytes } : null
}

/** Parses a message from the primary; null for other messages. */
export function parseUploadAnswer(message: unknown): UploadAnswer | null {
  if (typeof message !== 'object' || message === null || !('type' in message)) return null
  const { type } = message
  if (type !== 'framework:upload-bytes') return null
  const { id, granted } = numbersIn(message)
  return { type, id, granted }
}

function numbersIn(message: object): Record<'id' | 'least' | 'most' | 'bytes' | 'granted', number> {
  const numberAt = (name: string): number => Number(Reflect.get(message, name))
  return {
    id: numberAt('id'),
    least: numberAt('least'),
    most: numberAt('most'),
    bytes: numberAt('bytes'),
    granted: numberAt('granted'),
  }
}
