import { statusText } from '../server/engine/status.ts'

/** Problem details as RFC 9457 has them, with the request to ask about. */
export interface ProblemPayload {
  readonly type: 'about:blank'
  readonly title: string
  readonly status: number
  readonly instance?: string
  readonly request?: string
  readonly detail?: string
}

/** Problem details of a status; `detail` is for developers. */
export function problemPayload(
  status: number,
  { instance, request, detail }: Pick<ProblemPayload, 'instance' | 'request' | 'detail'>,
): ProblemPayload {
  return {
    type: 'about:blank',
    title: statusText(status),
    status,
    ...(instance !== undefined && { instance }),
    ...(request !== undefined && { request }),
    ...(detail !== undefined && { detail }),
  }
}
