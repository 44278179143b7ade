import type { InjectedResponse, InjectedRequest } from '../../src/http/server/inject.ts'
import type { Visitor } from '../../src/testing/visitor.ts'

/** A response of the site, and the path that was requested. */
export interface Step {
  readonly path: string
  readonly answer: InjectedResponse
}

/** Follows every link and file of a site; lists are followed to their second page. */
export async function walk(
  visitor: Visitor,
  start: string,
  request: Omit<InjectedRequest, 'url'> = {},
): Promise<readonly Step[]> {
  const known = new Set([start])
  const steps: Step[] = []
  for (const path of known) {
    const headers = { accept: 'text/html', ...request.headers }
    const answer = await visitor.ask(path, { ...request, headers })
    steps.push({ path, answer })
    for (const next of placesOn(answer)) if (!isFar(next)) known.add(next)
  }
  return steps
}

function placesOn({ headers, text }: InjectedResponse): string[] {
  const places = [headers['location'] ?? '']
  if (headers['content-type']?.startsWith('text/html') === true) {
    for (const [, place = ''] of text.matchAll(/\b(?:href|src|action)="([^"]*)"/g)) {
      places.push(place.replaceAll('&amp;', '&').replace(/#.*/, ''))
    }
  }
  return places.filter((place) => /^\/(?!\/)/.test(place))
}

// The filters of a list combine endlessly: at most two parameters are enough to see every kind of page.
function isFar(path: string): boolean {
  return path.split('&').length > 2
}
