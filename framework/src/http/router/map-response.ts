import type { Response } from '../response/response.ts'

/** Maps a response, synchronously if it is not a promise: an `await` would cost time on every request. */
export function mapResponse(
  outcome: Response | Promise<Response>,
  map: (response: Response) => Response | Promise<Response>,
): Response | Promise<Response> {
  return outcome instanceof Promise ? outcome.then(map) : map(outcome)
}
