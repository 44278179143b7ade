import type { Response } from '../response/response.ts'

/** Goes on with a response, at once when it is there already: waiting costs a turn of the loop. */
export function after(
  outcome: Response | Promise<Response>,
  then: (response: Response) => Response | Promise<Response>,
): Response | Promise<Response> {
  return outcome instanceof Promise ? outcome.then(then) : then(outcome)
}
