import { ErrorFormats, errorFormat } from '../errors/error-format.ts'
import type { Request } from './request.ts'

/** Whether a client ranks JSON first, by quality and then as listed, or takes JSON and no HTML. */
export function wantsJson(request: Pick<Request, 'header'>): boolean {
  return errorFormat(request.header('accept')) !== ErrorFormats.Page
}
