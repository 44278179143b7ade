import type { Response } from '../response/response.ts'

/** What a function makes of a response: at once when that is there, since waiting costs a turn of the loop. */
export function mapResponse(
  outcome: Response | Promise<Response>,
  map: (response: Response) => Response | Promise<Response>,
): Response | Promise<Response> {
  return outcome instanceof Promise ? outcome.then(map) : map(outcome)
}
