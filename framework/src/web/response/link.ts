/** Where a list goes on, as targets on this site; null where it does not. */
export interface ListLinks {
  readonly next: string | null
  readonly prev: string | null
}

/** A stretch of a list: a page by its number, or what follows a cursor. */
export type Stretch = { readonly page: number } | { readonly cursor: string }

/** The value of a `Link` header, next before prev; null when it would lead nowhere. */
export function linkHeader({ next, prev }: ListLinks): string | null {
  const links: string[] = []
  if (next !== null) links.push(`<${next}>; rel="next"`)
  if (prev !== null) links.push(`<${prev}>; rel="prev"`)
  return links.length === 0 ? null : links.join(', ')
}

/**
 * The target of another stretch of the list that `URI` asked for. Its parameters keep their order and
 * spelling; `limit` becomes the one in force, at its place or behind the others, and what names the
 * stretch comes last.
 */
export function stretchTarget(URI: string, limit: number, stretch: Stretch): string {
  const mark = URI.indexOf('?')
  const path = mark === -1 ? URI : URI.slice(0, mark)
  const pairs: string[] = []
  let limited = false
  for (const pair of mark === -1 ? [] : pairsOf(URI.slice(mark + 1))) {
    const name = nameOf(pair)
    if (name === 'page' || name === 'cursor') continue
    if (name !== 'limit') pairs.push(encodeUnsound(pair))
    else if (!limited) pairs.push(`limit=${limit}`)
    limited ||= name === 'limit'
  }
  if (!limited) pairs.push(`limit=${limit}`)
  pairs.push(
    'page' in stretch ? `page=${stretch.page}` : `cursor=${encodeURIComponent(stretch.cursor)}`,
  )
  return `${ofThisSite(encodeUnsound(path))}?${pairs.join('&')}`
}

// As `URLSearchParams` reads it: one question mark at the beginning means nothing.
function pairsOf(query: string): string[] {
  return query
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '')
}

function nameOf(pair: string): string {
  const [name = ''] = new URLSearchParams(`&${pair}`).keys()
  return name
}

// What came stands between < and > in a header: nothing in it may end the target or the header.
function encodeUnsound(part: string): string {
  return part
    .toWellFormed()
    .replaceAll(/%(?![\dA-Fa-f]{2})|[^\w\-.~!$&'()*+,;=:@/?%]+/g, encodeURIComponent)
}

// A target that begins with two slashes would name another host.
function ofThisSite(path: string): string {
  return path.startsWith('//') ? `/.${path}` : path
}
