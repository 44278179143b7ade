import type { Request } from './request.ts'

// These headers are sent by browsers to HTTPS sites and localhost only.

/** Whether a browser is opening a page. */
export function isNavigation(request: Request): boolean {
  return request.header('sec-fetch-mode') === 'navigate'
}

/** Whether a browser may never show the response: it prefetches or prerenders. */
export function isSpeculative(request: Request): boolean {
  const purpose = request.header('sec-purpose') ?? request.header('purpose') ?? ''
  return purpose.includes('prefetch')
}

/** Whether the response may be shown as a page, rather than used by a script, an image or a frame. */
export function isPageView(request: Request): boolean {
  if (request.method !== 'GET' || isSpeculative(request)) return false
  if ((request.header('sec-fetch-mode') ?? 'navigate') !== 'navigate') return false
  return (request.header('sec-fetch-dest') ?? 'document') === 'document'
}
