import type { Request } from './request.ts'

// What browsers say of their requests, to encrypted sites and to this machine. Other programs, and
// browsers on a plain connection, say nothing.

/** Whether a browser says that it opens a page with the request. */
export function isNavigation(request: Request): boolean {
  return request.header('sec-fetch-mode') === 'navigate'
}

/** Whether a browser fetches what it may never show: a prefetch, or a page rendered ahead. */
export function isSpeculative(request: Request): boolean {
  const purpose = request.header('sec-purpose') ?? request.header('purpose') ?? ''
  return purpose.includes('prefetch')
}

/** Whether somebody may be looking at what comes back: not a script, an image or a frame. */
export function isPageView(request: Request): boolean {
  if (request.method !== 'GET' || isSpeculative(request)) return false
  if ((request.header('sec-fetch-mode') ?? 'navigate') !== 'navigate') return false
  return (request.header('sec-fetch-dest') ?? 'document') === 'document'
}
